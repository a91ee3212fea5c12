#include "query/sql/functions/marked_diff.h"

#include <cstddef>
#include <utility>

#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

constexpr std::string_view kOpening = "[(<{*#\"'";
constexpr std::string_view kClosing = "])>}*#\"'";

// `words` with the signs around them that stand for them, within `room`.
text::Span with_signs(std::string_view text, text::Span words, text::Span room) {
  while (words.begin > room.begin && kOpening.find(text[words.begin - 1]) != std::string_view::npos) --words.begin;
  while (words.end < room.end && kClosing.find(text[words.end]) != std::string_view::npos) ++words.end;
  return words;
}

bool ends_with_space(std::string_view text) {
  return text.empty() || text::is_space(text::code_point_at(text, text::before(text, text.size())).value);
}

// Writes what stands between two kept words, or before the first or behind the last one.
class Gaps {
 public:
  Gaps(std::string_view original, std::string_view sanitized, const text::TokenDiff& diff)
      : original_(original), sanitized_(sanitized), diff_(diff) {}

  // Words [a, a_end) are gone, [b, b_end) are new; bytes [from, to) of the sanitized text stand between the kept words.
  void gap(std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end, std::size_t from, std::size_t to) {
    text::Span added{to, to};
    if (b < b_end)
      added = with_signs(sanitized_, {diff_.sanitized[b].begin, diff_.sanitized[b_end - 1].end}, {from, to});
    out_ += sanitized_.substr(from, added.begin - from);
    if (a < a_end) {
      if (!ends_with_space(out_)) out_ += ' ';
      const std::size_t begin = diff_.original[a].begin;
      out_ += "[-";
      out_ += original_.substr(begin, diff_.original[a_end - 1].end - begin);
      out_ += "-]";
      if (b < b_end || to < sanitized_.size()) out_ += ' ';
    }
    if (b < b_end) {
      out_ += "{+";
      out_ += text::slice(sanitized_, added);
      out_ += "+}";
    }
    out_ += sanitized_.substr(added.end, to - added.end);
  }

  void kept(text::Span word) { out_ += text::slice(sanitized_, word); }
  std::string take() { return std::move(out_); }

 private:
  std::string_view original_, sanitized_;
  const text::TokenDiff& diff_;
  std::string out_;
};

}  // namespace

std::string marked_diff(std::string_view original, std::string_view sanitized) {
  const text::TokenDiff diff = text::token_diff(original, sanitized);
  Gaps out(original, sanitized, diff);
  std::size_t a = 0, b = 0, at = 0;
  for (const text::Pair& pair : diff.kept) {
    const text::Span word = diff.sanitized[pair.b];
    out.gap(a, pair.a, b, pair.b, at, word.begin);
    out.kept(word);
    a = pair.a + std::size_t{1};
    b = pair.b + std::size_t{1};
    at = word.end;
  }
  out.gap(a, diff.original.size(), b, diff.sanitized.size(), at, sanitized.size());
  return out.take();
}

}  // namespace residue::query
