#include "text/replacing/whole_words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text/nasty_text.h"
#include "text/replacing/restoration.h"

namespace residue::text {
namespace {

// By definition: word after word, the longest first, each a pass of its own.
std::vector<Occurrence> by_definition(std::string_view text, std::span<const std::string_view> words) {
  std::vector<std::size_t> longest_first(words.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first,
                           [&](std::size_t a, std::size_t b) { return words[a].size() > words[b].size(); });
  constexpr auto begin_of = [](const Occurrence& one) { return one.span.begin; };
  std::vector<Occurrence> all, found;
  for (const std::size_t word : longest_first) {
    found = all;
    for (const Span& span : occurrences(text, words[word])) {
      const auto next = std::ranges::upper_bound(all, span.begin, {}, begin_of);
      const bool taken = (next != all.begin() && std::prev(next)->span.end > span.begin) ||
                         (next != all.end() && next->span.begin < span.end);
      if (!taken) found.push_back({span, word});
    }
    std::ranges::sort(found, {}, begin_of);
    all.swap(found);
  }
  return all;
}

// Parts of the text, so that they stand in it, cut anywhere; and some that do not.
std::vector<std::string> some_words(const std::string& text) {
  std::vector<std::string> words;
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    words.push_back(text.substr(begin, *rc::gen::inRange<std::size_t>(0, 9)));
  }
  for (const char* other : {"a", "12", "", "Ana", "_"}) {
    if (*rc::gen::arbitrary<bool>()) words.emplace_back(other);
  }
  return words;
}

RC_GTEST_PROP(WholeWords, StandWhereTheDefinitionSaysThatTheyDo, ()) {
  const std::string text = *nasty_text(false);
  const std::vector<std::string> words = some_words(text);
  const std::vector<std::string_view> views(words.begin(), words.end());
  const WholeWords finder(views);
  RC_ASSERT(finder.occurrences(text) == by_definition(text, views));
  const std::vector<bool> present = finder.present(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool first = std::ranges::find(words, words[i]) == words.begin() + static_cast<std::ptrdiff_t>(i);
    if (first) RC_ASSERT(present[i] == !occurrences(text, words[i]).empty());
  }
}

// Few letters: words within words, overlaps, repetitions.
RC_GTEST_PROP(WholeWords, OfFewLettersStandThereToo, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::elementOf(std::string("aab -_.12")));
  const std::string text = *letters;
  const auto words = *rc::gen::container<std::vector<std::string>>(letters);
  const std::vector<std::string_view> views(words.begin(), words.end());
  RC_ASSERT(WholeWords(views).occurrences(text) == by_definition(text, views));
}

TEST(WholeWords, LowLinesAreNoPartOfWords) {
  EXPECT_EQ(occurrences("_Ann_ __Ann__ Ann_ _Anna_ David_Ann", "Ann").size(), 4U);
  EXPECT_EQ(occurrences("1_2", "1").size(), 1U);
  EXPECT_TRUE(occurrences("1.5_", "1").empty());
  EXPECT_EQ(occurrences("_Ann_Ann", "_Ann").size(), 2U);
}

}  // namespace
}  // namespace residue::text
