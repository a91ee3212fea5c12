#include "text/characters/scripts.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

Script script_of(UChar32 letter) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(letter, &error);
  if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) return USCRIPT_HAN;
  return script == USCRIPT_COMMON || script == USCRIPT_INHERITED ? kNoScript : static_cast<Script>(script);
}

}  // namespace

Script main_script(std::string_view text, std::size_t least) {
  if (is_ascii(text)) {
    std::size_t letters = 0;
    for (std::size_t at = 0; at < text.size() && letters < least; ++at) letters += is_alpha(text[at]) ? 1 : 0;
    return letters >= least ? static_cast<Script>(USCRIPT_LATIN) : kNoScript;
  }
  std::size_t latin = 0;
  std::vector<std::pair<Script, std::size_t>> others;
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      latin += is_alpha(text[at++]) ? 1 : 0;
      continue;
    }
    const CodePoint point = code_point_at(text, at);
    at += point.bytes;
    const auto letter = static_cast<UChar32>(point.value);
    if (!u_isalpha(letter)) continue;
    const Script script = script_of(letter);
    if (script == USCRIPT_LATIN) ++latin;
    if (script == USCRIPT_LATIN || script == kNoScript) continue;
    const auto known = std::ranges::find(others, script, &std::pair<Script, std::size_t>::first);
    ++(known == others.end() ? others.emplace_back(script, 0) : *known).second;
  }
  std::size_t letters = latin;
  std::pair<Script, std::size_t> most{USCRIPT_LATIN, latin};
  for (const auto& one : others) {
    letters += one.second;
    if (one.second > most.second) most = one;
  }
  return letters >= least ? most.first : kNoScript;
}

}  // namespace residue::text
