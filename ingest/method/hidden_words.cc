#include "ingest/method/hidden_words.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "ingest/method/safe_replacements.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"
#include "text/encodings/decoded.h"
#include "text/following/name_words.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kRun = 4;

bool is_name(std::string_view type) {
  const std::string small = text::lower(type);
  return small == "name" || small == "person" || small == "per";
}

// Its words in the letters that are compared; signs within a word are left out ("Ko-walczyk"), and letters that stand
// by themselves are a word together ("K o w a l").
std::vector<std::u32string> compared_words(std::string_view phrase) {
  std::string store;
  std::string plain = text::as_read(text::compared(phrase, store));
  if (auto bare = text::without_accents(plain)) plain = std::move(*bare);
  std::vector<std::u32string> words;
  std::u32string word, single;
  const auto end_word = [&] {
    if (word.size() == 1) single += word;
    if (word.size() > 1) words.push_back(word);
    if (word.size() > 1 || word.empty()) {
      if (single.size() > 1) words.push_back(single);
      single.clear();
    }
    word.clear();
  };
  for (std::size_t i = 0; i < plain.size();) {
    const text::CodePoint point = text::code_point_at(plain, i);
    i += point.bytes;
    if (text::is_word_character(point.value) && point.value != U'_') {
      word += point.value;
    } else if (point.value <= U' ' || point.value == U',' || point.value == U';' || point.value == U'/') {
      if (!word.empty()) end_word();
    }
  }
  end_word();
  end_word();
  return words;
}

std::string utf8(const std::u32string& word) {
  std::string out;
  for (const char32_t point : word) text::append_utf8(out, point);
  return out;
}

}  // namespace

HiddenWords::HiddenWords(std::string_view text, std::span<const MaskedSpan> spans) {
  for (const MaskedSpan& span : spans) {
    const std::string_view hidden = text.substr(span.begin, span.end - span.begin);
    const bool name = is_name(span.type);
    bool first = true;
    for (const text::ReadToken& token : text::read_tokens(hidden)) {
      const std::string_view written = text::slice(hidden, token.span);
      const bool part = name && text::lower(written) != written && !text::is_title_word(token.word) &&
                        text::code_points(token.word) > 1;
      if (!part && !is_telling(written, token.word, std::exchange(first, false))) continue;
      for (std::u32string& word : compared_words(token.word)) words_.insert(std::move(word));
    }
    // "O'Brien" and "Anne-Marie" as one word.
    if (!name) continue;
    for (std::u32string& word : compared_words(hidden)) {
      if (word.size() >= kRun && !text::is_title_word(utf8(word))) words_.insert(std::move(word));
    }
  }
  for (const std::u32string& word : words_) {
    for (std::size_t i = 0; i + kRun <= word.size(); ++i) runs_.insert(word.substr(i, kRun));
  }
}

bool HiddenWords::says(const std::u32string& word) const {
  if (words_.contains(word)) return true;
  std::size_t run = 0, longest = 0;
  for (std::size_t i = 0; i + kRun <= word.size(); ++i) {
    const std::u32string part = word.substr(i, kRun);
    if (words_.contains(part)) return true;  // a whole name of four letters
    run = !runs_.contains(part) ? 0 : run == 0 ? kRun : run + 1;
    longest = std::max(longest, run);
  }
  return longest > kRun || longest * 2 > word.size();
}

bool HiddenWords::said_in(std::string_view phrase) const {
  return !words_.empty() &&
         std::ranges::any_of(compared_words(phrase), [this](const std::u32string& word) { return says(word); });
}

std::size_t without_hidden_words(std::string_view text, std::span<MaskedSpan> spans) {
  if (std::ranges::none_of(spans, [](const MaskedSpan& span) { return span.with.has_value(); })) return 0;
  const HiddenWords hidden(text, spans);
  std::size_t refused = 0;
  for (MaskedSpan& span : spans) {
    if (!span.with || !hidden.said_in(*span.with)) continue;
    span.with.reset();
    ++refused;
  }
  return refused;
}

}  // namespace residue::ingest
