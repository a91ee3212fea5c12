// The order in which people count: first:3 before first:10.
#pragma once

#include <string>
#include <string_view>

namespace residue {

// The text with its numbers padded, so that byte order of the keys is the natural order of the texts. Different texts
// may have equal keys (7, 007).
inline std::string natural_key(std::string_view text) {
  constexpr std::size_t kWidth = 20;  // digits of the largest 64-bit number
  std::string key;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == i) {
      key += text[i++];
      continue;
    }
    if (end - i < kWidth) key.append(kWidth - (end - i), '0');
    key += text.substr(i, end - i);
    i = end;
  }
  return key;
}

}  // namespace residue
