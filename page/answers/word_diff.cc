#include "page/answers/word_diff.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "text/characters/token_diff.h"

namespace residue::page {
namespace {

// A piece of the kind of the one before it continues that.
class Pieces {
 public:
  void add(const char* kind, std::string_view words) {
    if (words.empty()) return;
    if (kind_ != kind) finish();
    kind_ = kind;
    words_ += words;
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

}  // namespace

Json word_diff(std::string_view original, std::string_view sanitized) {
  const text::TokenDiff diff = text::token_diff(original, sanitized);
  Pieces pieces;
  std::size_t in_a = 0, in_b = 0;  // tokens that are dealt with
  std::size_t at_a = 0, at_b = 0;  // bytes that are
  const auto step = [&](std::size_t to_a, std::size_t to_b, std::size_t end_a, std::size_t end_b) {
    const bool gone = to_a > in_a, added = to_b > in_b;
    if (gone) pieces.add("gone", original.substr(at_a, end_a - at_a));
    pieces.add(added ? "new" : "same", sanitized.substr(at_b, end_b - at_b));
    in_a = to_a;
    in_b = to_b;
    at_a = end_a;
    at_b = end_b;
  };
  for (const text::Pair& kept : diff.kept) {
    const text::Span a = diff.original[kept.a], b = diff.sanitized[kept.b];
    step(kept.a, kept.b, a.begin, b.begin);
    pieces.add("same", sanitized.substr(b.begin, b.end - b.begin));
    ++in_a;
    ++in_b;
    at_a = a.end;
    at_b = b.end;
  }
  step(diff.original.size(), diff.sanitized.size(), original.size(), sanitized.size());
  return pieces.take();
}

}  // namespace residue::page
