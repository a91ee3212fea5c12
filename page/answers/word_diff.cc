#include "page/answers/word_diff.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/characters/token_diff.h"

namespace residue::page {
namespace {

// A piece of the kind of the one before it continues that. One that the two texts spell in two ways stands alone.
class Pieces {
 public:
  void add(const char* kind, std::string_view words) {
    if (words.empty()) return;
    if (kind_ != kind) finish();
    kind_ = kind;
    words_ += words;
  }

  void same(std::string_view original, std::string_view sanitized) {
    if (original == sanitized) return add("same", sanitized);
    finish();
    pieces_.push_back(Json::array({"same", sanitized, original}));
  }

  Json take() {
    finish();
    return std::move(pieces_);
  }

 private:
  void finish() {
    if (!words_.empty()) pieces_.push_back(Json::array({kind_, words_}));
    words_.clear();
  }

  std::string_view kind_;
  std::string words_;
  Json pieces_ = Json::array();
};

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

bool only_spaces(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// What stands between two kept tokens of one text: `head` bytes of signs, then perhaps tokens, then `tail` bytes of
// signs. Without tokens, both are the whole.
struct Gap {
  std::string_view text;
  std::size_t head = 0;
  std::size_t tail = 0;
};

// Signs that both texts have at the ends of a gap are the same; what is between them is gone and new.
void add_gap(Pieces& pieces, const Gap& a, const Gap& b) {
  std::size_t head = 0, tail = 0;
  const std::size_t most_head = std::min(a.head, b.head);
  while (head < most_head && a.text[head] == b.text[head]) ++head;
  while (head > 0 && (inside_character(a.text, head) || inside_character(b.text, head))) --head;
  const std::size_t most_tail = std::min({a.tail, b.tail, a.text.size() - head, b.text.size() - head});
  while (tail < most_tail && a.text[a.text.size() - 1 - tail] == b.text[b.text.size() - 1 - tail]) ++tail;
  while (tail > 0 && inside_character(b.text, b.text.size() - tail)) --tail;
  const std::string_view gone = a.text.substr(head, a.text.size() - head - tail);
  const std::string_view added = b.text.substr(head, b.text.size() - head - tail);
  pieces.add("same", b.text.substr(0, head));
  if (only_spaces(gone) && only_spaces(added)) {
    pieces.same(gone, added);
  } else {
    pieces.add("gone", gone);
    pieces.add("new", added);
  }
  pieces.add("same", b.text.substr(b.text.size() - tail));
}

// One text, read from gap to gap.
class Side {
 public:
  Side(std::string_view text, const std::vector<text::Span>& tokens) : text_(text), tokens_(tokens) {}

  // What is left before token `to`; its number past the last: before the end of the text.
  Gap gap(std::size_t to) {
    const std::size_t end = to < tokens_.size() ? tokens_[to].begin : text_.size();
    Gap gap = {.text = text_.substr(at_, end - at_), .head = end - at_, .tail = end - at_};
    if (to > token_) {
      gap.head = tokens_[token_].begin - at_;
      gap.tail = end - tokens_[to - 1].end;
    }
    at_ = end;
    token_ = to;
    return gap;
  }

  std::string_view token() {
    const text::Span span = tokens_[token_++];
    at_ = span.end;
    return text_.substr(span.begin, span.end - span.begin);
  }

 private:
  std::string_view text_;
  const std::vector<text::Span>& tokens_;
  std::size_t token_ = 0;  // the first that was not read
  std::size_t at_ = 0;     // the first byte that was not
};

}  // namespace

Json word_diff(std::string_view original, std::string_view sanitized) {
  const text::TokenDiff diff = text::token_diff(original, sanitized, text::Alignment::kNearby);
  Pieces pieces;
  Side a(original, diff.original), b(sanitized, diff.sanitized);
  const auto step = [&](std::size_t to_a, std::size_t to_b) {
    const Gap gone = a.gap(to_a), added = b.gap(to_b);
    add_gap(pieces, gone, added);
  };
  for (const text::Pair& kept : diff.kept) {
    step(kept.a, kept.b);
    const std::string_view was = a.token(), is = b.token();
    pieces.same(was, is);
  }
  step(diff.original.size(), diff.sanitized.size());
  return pieces.take();
}

}  // namespace residue::page
