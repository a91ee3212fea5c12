// text jaro-winkler: similarity of two short texts as a JSONL filter.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/print/numbers.h"
#include "cli/syntax.h"
#include "text/characters/unicode.h"
#include "text/measures/jaro_winkler.h"
#include "text/measures/rouge.h"

namespace residue::cli {
namespace {

std::vector<std::uint32_t> characters(std::string_view text) {
  std::vector<std::uint32_t> out;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint c = text::code_point_at(text, at);
    out.push_back(c.value);
    at += c.bytes;
  }
  return out;
}

Run setup(Syntax& syntax) {
  return setup_filter(syntax,
                      {.fields = {"a", "b"},
                       .adds = {"rapidfuzz_jaro", "rapidfuzz_jaro_winkler", "close_0_75", "rapidfuzz_lcs_codepoints"},
                       .values = [](const std::vector<std::string>& values) {
                         return std::vector<std::string>{
                             json_number(text::jaro(values[0], values[1])),
                             json_number(text::jaro_winkler(values[0], values[1])),
                             text::jaro_winkler_close(values[0], values[1]) ? "true" : "false",
                             std::to_string(text::lcs_length(characters(values[0]), characters(values[1])))};
                       }});
}

}  // namespace

Command text_jaro_winkler_command() {
  return {.name = "text jaro-winkler",
          .group = Group::kLook,
          .summary = "Jaro-Winkler similarity of pairs (JSONL filter)",
          .usage = "[FILE...]",
          .details =
              "Reads {\"a\": ..., \"b\": ...} lines and adds rapidfuzz_jaro, rapidfuzz_jaro_winkler, "
              "rapidfuzz_lcs_codepoints (the length of the longest common subsequence) and close_0_75. The last says "
              "whether Jaro-Winkler is above 0.75; such guesses of attributes count as the same. All compare code "
              "points, and equal the values of rapidfuzz to the last bit. Nothing is lower-cased.",
          .examples = {{"residue text jaro-winkler guesses.jsonl", "each line with its similarities"}},
          .setup = setup};
}

}  // namespace residue::cli
