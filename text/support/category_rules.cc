#include "text/support/category_rules.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/error.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::string_view kNoPlaces[] = {"january", "february", "march",     "april",    "may",      "june",
                                          "july",    "august",   "september", "october",  "november", "december",
                                          "monday",  "tuesday",  "wednesday", "thursday", "friday",   "saturday",
                                          "sunday",  "i",        "dr",        "mr",       "mrs",      "ms"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) >= 0x80);
}
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// General punctuation (dashes, quotation marks) in UTF-8: e2 80 xx.
bool is_mark(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '\xe2' && text[at + 1] == '\x80';
}

std::size_t letters(std::string_view text, std::size_t at) {
  while (at < text.size() && is_letter(text[at]) && !is_mark(text, at)) ++at;
  return at;
}

// Digits with points and commas between them.
std::size_t digits(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_digit(text[at]) || ((text[at] == '.' || text[at] == ',') && at + 1 < text.size() &&
                                                     is_digit(text[at + 1])))) {
    ++at;
  }
  return at;
}

bool looks_like_name(std::string_view word, std::string_view lowered) {
  if (word.size() < 2 || !is_upper(word[0]) || is_upper(word[1])) return false;
  return std::find(std::begin(kNoPlaces), std::end(kNoPlaces), lowered) == std::end(kNoPlaces);
}

template <class F>
void for_each_part(std::string_view list, char separator, F f) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    std::string_view part = list.substr(0, end);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) f(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

constexpr std::size_t kLongWord = 5;

}  // namespace

std::vector<CategoryWord> category_words(std::string_view claim) {
  std::vector<CategoryWord> words;
  std::size_t at = 0;
  while (at < claim.size()) {
    if (is_mark(claim, at)) {
      at += 3;
    } else if (is_digit(claim[at])) {
      at = digits(claim, at);
      words.push_back({"#", false});
    } else if (is_letter(claim[at])) {
      const std::size_t end = letters(claim, at);
      const std::string_view word = claim.substr(at, end - at);
      std::string lowered = lower(word);
      const bool name = !words.empty() && looks_like_name(word, lowered);
      words.push_back({std::move(lowered), name});
      at = end;
    } else {
      ++at;
    }
  }
  return words;
}

CategoryRules::CategoryRules(std::string_view file) {
  CategoryBits category = 0, where = 0;
  for_each_part(file, '\n', [&](std::string_view line) {
    if (category == 0 && line.front() == '#') return;  // the words at the top of the file
    if (line.front() == '[') {
      std::string_view head = line.substr(1, line.size() - 2);
      where = 0;
      if (const std::size_t plus = head.find('+'); plus != std::string_view::npos) {
        where = bit(head.substr(0, plus));
        head = head.substr(plus + 1);
        if (where == 0) throw Error(Code::kInternal, "category rules: a condition on no category");
      }
      category = bit(head);
      if (category != 0) return;
      if (names_.size() == 32) throw Error(Code::kInternal, "category rules: too many categories");
      names_.emplace_back(head);
      category = bit(head);
      return;
    }
    if (category == 0) throw Error(Code::kInternal, "category rules: a line before the first category");
    for_each_part(line, ',', [&](std::string_view phrase) { add(phrase, category, where); });
  });
}

CategoryBits CategoryRules::bit(std::string_view category) const {
  const auto found = std::find(names_.begin(), names_.end(), category);
  return found == names_.end() ? 0 : CategoryBits{1} << (found - names_.begin());
}

void CategoryRules::add(std::string_view phrase, CategoryBits category, CategoryBits where) {
  if (phrase.back() == '*') {
    begins_.emplace_back(phrase.substr(0, phrase.size() - 1), category);
    return;
  }
  if (phrase.front() == '*') {
    ends_.emplace_back(phrase.substr(1), category);
    return;
  }
  const bool forbids = phrase.front() == '!';
  if (forbids) phrase.remove_prefix(1);
  Rule rule;
  (forbids ? rule.forbids : rule.gives) = category;
  rule.where = where;
  for_each_part(phrase, ' ', [&](std::string_view part) {
    if (part == "^") {
      rule.words.emplace_back(part);
      return;
    }
    std::size_t at = 0;
    for (; at < part.size() && part[at] == '#'; ++at) rule.words.emplace_back("#");
    for (CategoryWord& word : category_words(part.substr(at))) rule.words.push_back(std::move(word.word));
  });
  if (rule.words.empty() || rule.words.front() == "^") {
    throw Error(Code::kInternal, "category rules: a phrase without a first word");
  }
  by_first_[rule.words.front()].push_back(std::move(rule));
}

bool CategoryRules::matches(const Rule& rule, const std::vector<CategoryWord>& words, std::size_t at) {
  if (at + rule.words.size() > words.size()) return false;
  for (std::size_t i = 1; i < rule.words.size(); ++i) {
    const CategoryWord& word = words[at + i];
    if (rule.words[i] == "^" ? !word.name : rule.words[i] != word.word) return false;
  }
  return true;
}

CategoryBits CategoryRules::match(const std::vector<CategoryWord>& words) const {
  CategoryBits found = 0, forbidden = 0;
  std::vector<const Rule*> conditional;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at].word;
    if (word.size() >= kLongWord) {
      for (const auto& [begin, category] : begins_) {
        if (word.compare(0, begin.size(), begin) == 0) found |= category;
      }
      for (const auto& [end, category] : ends_) {
        if (word.size() > end.size() && word.compare(word.size() - end.size(), end.size(), end) == 0) found |= category;
      }
    }
    const auto rules = by_first_.find(word);
    if (rules == by_first_.end()) continue;
    for (const Rule& rule : rules->second) {
      if (!matches(rule, words, at)) continue;
      forbidden |= rule.forbids;
      if (rule.where == 0) {
        found |= rule.gives;
      } else {
        conditional.push_back(&rule);
      }
    }
  }
  found &= ~forbidden;
  for (const Rule* rule : conditional) {
    if ((found & rule->where) == rule->where) found |= rule->gives & ~forbidden;
  }
  return found;
}

}  // namespace residue::text
