#include "text/following/name_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "text/characters/accents.h"
#include "text/characters/unicode.h"
#include "text/identifiers/matchers.h"

namespace residue::text {

namespace {

using match::decode;
using match::peek;
using match::word_at;

bool capital_at(std::string_view t, std::size_t i) {
  if (i >= t.size()) return false;
  if (match::is_ascii(t[i])) return residue::is_upper(t[i]);
  return u_isUUppercase(decode(t, i).point) != 0;
}

// The bytes of the apostrophe at `i`, or 0.
std::size_t apostrophe(std::string_view t, std::size_t i) {
  if (peek(t, i) == '\'') return 1;
  return t.substr(i < t.size() ? i : t.size()).starts_with("\xE2\x80\x99") ? 3 : 0;
}

// The end of the initials that begin with the capital at `i`: "F.", "F.L.", "F.L" before no letter, "J.-P."; or 0.
std::size_t initials(std::string_view t, std::size_t i) {
  std::size_t end = 0;
  while (capital_at(t, i)) {
    const std::size_t stop = decode(t, i).next;
    if (peek(t, stop) != '.') {
      if (end != 0 && t[i - 1] == '.' && !word_at(t, stop)) end = stop;
      break;
    }
    end = i = stop + 1;
    if (peek(t, i) == '-' && capital_at(t, i + 1) && peek(t, decode(t, i + 1).next) == '.') ++i;
  }
  return end != 0 && word_at(t, end) ? 0 : end;
}

// The end of the letters at `i` with inner hyphens and apostrophes; of another word's byte at least one byte further.
struct Run {
  std::size_t end = 0;
  bool letters = true;  // no digits, no low lines
};
Run run_at(std::string_view t, std::size_t i) {
  Run run{i};
  while (run.end < t.size()) {
    const char c = t[run.end];
    if (residue::is_alpha(c)) {
      ++run.end;
      continue;
    }
    if (word_at(t, run.end)) {
      if (is_digit(c) || c == '_') run.letters = false;
      run.end = decode(t, run.end).next;
      continue;
    }
    const std::size_t joint = c == '-' ? 1 : apostrophe(t, run.end);
    if (joint == 0 || run.end == i || !word_at(t, run.end + joint)) break;
    if (c != '-' && match::to_lower(peek(t, run.end + joint)) == 's' && !word_at(t, run.end + joint + 1)) break;
    run.end += joint;
  }
  return run;
}

WordCase written(std::string_view word) {
  if (!capital_at(word, 0)) return WordCase::kSmall;
  const std::size_t second = decode(word, 0).next;
  return second < word.size() && capital_at(word, second) && capital_at(word, before(word, word.size()))
             ? WordCase::kCapitals
             : WordCase::kTitle;
}

}  // namespace

void each_name_word(std::string_view text, const std::function<void(const NameWord&)>& take) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    if (!residue::is_alpha(text[at]) && !word_at(text, at)) {
      // A whole sign: the bytes within one look like those of a word.
      at = match::is_ascii(text[at]) ? at + 1 : decode(text, at).next;
      continue;
    }
    // Most words: small letters, and what ends a word behind them.
    std::size_t small = at;
    while (small < text.size() && residue::is_lower(text[small])) ++small;
    if (small > at && (small == text.size() || text[small] == ' ' || text[small] == ',' || text[small] == '.')) {
      take({at, small, WordCase::kSmall, false, false});
      at = small;
      continue;
    }
    if (capital_at(text, at)) {
      if (const std::size_t end = initials(text, at)) {
        take({at, end, WordCase::kCapitals, true, apostrophe(text, end) != 0});
        at = end;
        continue;
      }
    }
    const Run run = run_at(text, at);
    if (run.letters) {
      const std::string_view word = text.substr(at, run.end - at);
      take({at, run.end, written(word), false, apostrophe(text, run.end) != 0});
      // The s of 's is no word.
      const std::size_t mark = apostrophe(text, run.end);
      at = mark != 0 && word_at(text, run.end + mark) ? run.end + mark + 1 : run.end;
      continue;
    }
    at = run.end;
  }
}

std::vector<NameWord> name_words(std::string_view text) {
  std::vector<NameWord> words;
  each_name_word(text, [&words](const NameWord& word) { words.push_back(word); });
  return words;
}

std::string name_key(std::string_view word) {
  std::string key;
  if (is_ascii(word)) {
    key.assign(word);
    for (char& c : key) c = match::to_lower(c);
    return key;
  }
  key = lower(word);
  const auto replace_all = [&key](std::string_view from, std::string_view to) {
    if (key.find(from) == std::string::npos) return;
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = key.find(from); at != std::string::npos; at = key.find(from, copied)) {
      out.append(key, copied, at - copied).append(to);
      copied = at + from.size();
    }
    key = out.append(key, copied);
  };
  replace_all("\xC4\xB1", "i");   // dotless i
  replace_all("i\xCC\x87", "i");  // what a capital I with a dot becomes
  replace_all("\xE2\x80\x99", "'");
  return key;
}

std::string_view plain_name_key(std::string_view key, std::string& store) {
  if (is_ascii(key)) return key;
  const std::string_view bare = without_accents(key, store);
  struct Letter {
    std::string_view written, plain;
  };
  constexpr auto kLetters =
      std::to_array<Letter>({{"ά", "α"},  {"έ", "ε"},  {"ή", "η"},   {"ί", "ι"},   {"ϊ", "ι"},  {"ΐ", "ι"}, {"ό", "ο"},
                             {"ύ", "υ"},  {"ϋ", "υ"},  {"ΰ", "υ"},   {"ώ", "ω"},   {"ς", "σ"},  {"ё", "е"}, {"ﬀ", "ff"},
                             {"ﬁ", "fi"}, {"ﬂ", "fl"}, {"ﬃ", "ffi"}, {"ﬄ", "ffl"}, {"ﬅ", "st"}, {"ﬆ", "st"}});
  std::string plain;
  for (std::size_t i = 0; i < bare.size();) {
    const std::size_t bytes = code_point_at(bare, i).bytes;
    const auto* const letter = std::ranges::find(kLetters, bare.substr(i, bytes), &Letter::written);
    plain += letter == kLetters.end() ? bare.substr(i, bytes) : letter->plain;
    i += bytes;
  }
  if (plain == bare) return bare;
  store = std::move(plain);
  return store;
}

std::vector<std::string_view> hyphen_pieces(std::string_view key) {
  std::vector<std::string_view> found;
  while (!key.empty()) {
    const std::size_t end = std::min(key.find('-'), key.size());
    if (end > 2) found.push_back(key.substr(0, end));
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return found;
}

}  // namespace residue::text
