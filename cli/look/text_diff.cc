// text diff: which words of a text its sanitized version does not have, as a JSONL filter.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/syntax.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

// Turns ascending bytes into code points, in one pass.
class Counter {
 public:
  explicit Counter(std::string_view text) : text_(text) {}

  std::size_t code_points_before(std::size_t byte) {
    for (; at_ < byte; ++count_) at_ += text::code_point_at(text_, at_).bytes;
    return count_;
  }

  std::string span_json(text::Span span) {
    const std::size_t start = code_points_before(span.begin);
    return fmt::format(R"("start": {}, "end": {})", start, code_points_before(span.end));
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

std::string removed_json(const text::TokenDiff& diff, const std::string& reference, const std::string& hypothesis) {
  Counter original(reference);
  Counter sanitized(hypothesis);
  std::string out = "[";
  std::optional<text::Span> last;
  std::string last_json;
  for (const text::Removal& removal : text::removals(diff)) {
    std::string by = "null";
    if (removal.by) {
      // Removals between the same kept words share what stands there.
      if (last != removal.by) last_json = fmt::format("{{{}}}", sanitized.span_json(*removal.by));
      last = removal.by;
      by = last_json;
    }
    out += fmt::format(R"({}{{{}, "by": {}}})", out.size() > 1 ? ", " : "", original.span_json(removal.removed), by);
  }
  return out + "]";
}

std::string moved_json(const text::TokenDiff& diff, const std::string& reference) {
  Counter original(reference);
  std::string out = "[";
  for (std::size_t i = 0; i < diff.fate.size(); ++i) {
    if (diff.fate[i] != text::Fate::kMoved) continue;
    out += fmt::format("{}{{{}}}", out.size() > 1 ? ", " : "", original.span_json(diff.original[i]));
  }
  return out + "]";
}

Run setup(Syntax& syntax) {
  return setup_filter(syntax, {.fields = {"reference", "hypothesis"},
                               .adds = {"tokens", "kept", "removed", "moved"},
                               .values = [](const std::vector<std::string>& values) {
                                 const text::TokenDiff diff = text::token_diff(values[0], values[1]);
                                 return std::vector<std::string>{
                                     std::to_string(diff.original.size()), std::to_string(diff.kept.size()),
                                     removed_json(diff, values[0], values[1]), moved_json(diff, values[0])};
                               }});
}

}  // namespace

Command text_diff_command() {
  return {
      .name = "text diff",
      .group = Group::kLook,
      .summary = "words that a sanitized text does not have (JSONL filter)",
      .usage = "[FILE...]",
      .details =
          "Reads {\"reference\": ..., \"hypothesis\": ...} lines, aligns the words (\\w+, in any letters) and adds\n"
          "  tokens, kept  words of the reference, and how many of them are aligned\n"
          "  removed       runs of words that are gone: [{\"start\", \"end\", \"by\"}], counted in code points of the "
          "reference, without the end; by: {\"start\", \"end\"} of what the hypothesis has in their place, or null\n"
          "  moved         words that are not aligned but occur elsewhere in the hypothesis: they can still be read",
      .examples = {{"residue text diff pairs.jsonl", "what a sanitizer removed from each text"}},
      .setup = setup};
}

}  // namespace residue::cli
