#include "text/measures/rouge_reads.h"

#include <unicode/uchar.h>

#include <cstddef>

#include "text/characters/unicode.h"

namespace residue::text {

bool rouge_reads(std::string_view text) {
  std::size_t seen = 0, unseen = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      const bool word = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
      seen += word ? 1 : 0;
      ++at;
      continue;
    }
    const CodePoint point = code_point_at(text, at);
    unseen += u_isalnum(static_cast<UChar32>(point.value)) != 0 ? 1 : 0;
    at += point.bytes;
  }
  return seen >= unseen;
}

}  // namespace residue::text
