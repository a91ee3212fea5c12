#include "text/measures/rouge_reads.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

// Letters and digits beyond ASCII.
std::size_t unseen_in(std::string_view text) {
  std::size_t unseen = 0;
  const auto beyond = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  for (auto at = std::ranges::find_if(text, beyond); at != text.end(); at = std::find_if(at, text.end(), beyond)) {
    const CodePoint point = code_point_at(text, static_cast<std::size_t>(at - text.begin()));
    unseen += u_isalnum(static_cast<UChar32>(point.value)) != 0 ? 1 : 0;
    at += static_cast<std::ptrdiff_t>(point.bytes);
  }
  return unseen;
}

}  // namespace

// Signs and dashes are frequent in texts that are otherwise ASCII: letters of those are not counted.
bool rouge_reads(std::string_view text) {
  if (is_ascii(text)) return true;
  std::size_t unseen = unseen_in(text);
  for (std::size_t at = 0; unseen > 0 && at < text.size(); ++at) {
    const char c = text[at];
    if (is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) --unseen;
  }
  return unseen == 0;
}

}  // namespace residue::text
