#include "text/following/record_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace residue::text {

namespace {

bool plain(char c) { return is_lower(c) || c == '-' || c == '\''; }

// Words of what people do; besides those that end in "ed".
constexpr auto kDeeds = std::to_array<std::string_view>(
    {"was",   "is",    "had",    "has",     "said",    "says",   "became", "began", "died", "won",   "told",  "went",
     "made",  "came",  "left",   "took",    "gave",    "wrote",  "lives",  "also",  "then", "never", "did",   "does",
     "later", "holds", "grew",   "knew",    "spoke",   "met",    "saw",    "felt",  "got",  "led",   "works", "and",
     "spent", "loves", "likes",  "wants",   "ran",     "kept",   "sat",    "stood", "lost", "paid",  "sold",  "drove",
     "ate",   "slept", "bought", "brought", "thought", "taught", "built",  "sent",  "fell", "held",  "heard", "broke"});

// "j.-p." and "j.p" are "j.p.".
std::string initials_key(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c != '-') out += c;
  }
  if (!out.ends_with('.')) out += '.';
  return out;
}

}  // namespace

bool is_lone_capital(const RecordWord& word) {
  return !word.initials && word.written != WordCase::kSmall && code_points(word.key) == 1;
}

bool is_deed(const RecordWord& word) {
  return word.written == WordCase::kSmall &&
         (std::ranges::find(kDeeds, word.key) != kDeeds.end() || word.key.ends_with("ed"));
}

RecordWords::RecordWords(std::string_view text, std::span<const Entity> entities)
    : folded_(text), text_(folded_.text()), entities_(entities) {
  words_.reserve(text_.size() / 5);
  std::size_t next = 0;
  each_name_word(text_, [&](const NameWord& one) {
    const std::string_view written = text_.substr(one.begin, one.end - one.begin);
    std::string_view exact = written;
    if (one.initials) {
      exact = keys_.emplace_back(initials_key(name_key(written)));
    } else if (one.written != WordCase::kSmall || !std::ranges::all_of(written, plain)) {
      exact = keys_.emplace_back(name_key(written));
    }
    std::string_view key = exact;
    if (key.data() != written.data()) {
      std::string plain;
      if (plain_name_key(key, plain) != key) key = keys_.emplace_back(std::move(plain));
    }
    const Span span = original(one.begin, one.end);
    while (next < entities.size() && entities[next].end <= span.begin) ++next;
    // Field by field: a copy of what has just been written in pieces would wait for them.
    RecordWord& word = words_.emplace_back();
    word.begin = one.begin;
    word.end = one.end;
    word.written = one.written;
    word.initials = one.initials;
    word.possessive = one.possessive;
    word.key = key;
    word.exact = exact;
    if (next < entities.size() && entities[next].begin < span.end) word.entity = next;
  });
}

std::vector<std::string_view> RecordWords::free_pieces(const RecordWord& word) const {
  std::vector<std::string_view> pieces = hyphen_pieces(written(word));
  if (word.entity == kNoEntity) return pieces;
  std::size_t next = word.entity;
  std::erase_if(pieces, [&](std::string_view piece) {
    const auto begin = static_cast<std::size_t>(piece.data() - text_.data());
    const Span span = original(begin, begin + piece.size());
    while (next < entities_.size() && entities_[next].end <= span.begin) ++next;
    return next < entities_.size() && entities_[next].begin < span.end;
  });
  return pieces;
}

bool RecordWords::begins_sentence(std::size_t i) const {
  for (std::size_t at = words_[i].begin; at > 0;) {
    const char c = text_[at - 1];
    if (std::string_view(" \"'(*_").find(c) != std::string_view::npos) {
      --at;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x80U)
      return std::string_view(".!?:;\n\r\t-").find(c) != std::string_view::npos;
    at = before(text_, at);
    const char32_t sign = code_point_at(text_, at).value;
    const bool quotation_mark = sign >= 0x2018 && sign <= 0x201F;
    if (!quotation_mark) return sign >= 0x2010 && sign <= 0x2027;  // dashes, bullets, an ellipsis
  }
  return true;
}

}  // namespace residue::text
