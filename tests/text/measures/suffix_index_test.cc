#include "text/measures/suffix_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace residue::text {
namespace {

using Text = std::vector<std::uint32_t>;

// By definition: every run of the text, everywhere.
SharedRun oracle(const std::vector<Text>& texts, const Text& tokens) {
  SharedRun best;
  for (std::size_t length = tokens.size(); length > 0; --length) {
    for (std::size_t i = 0; i + length <= tokens.size(); ++i) {
      for (std::size_t t = 0; t < texts.size(); ++t) {
        for (std::size_t at = 0; at + length <= texts[t].size(); ++at) {
          if (!std::equal(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                          tokens.begin() + static_cast<std::ptrdiff_t>(i + length),
                          texts[t].begin() + static_cast<std::ptrdiff_t>(at))) {
            continue;
          }
          return {static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(at),
                  static_cast<std::uint32_t>(i)};
        }
      }
    }
  }
  return best;
}

void expect_equal(const SharedRun& a, const SharedRun& b) {
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.begin, b.begin);
}

TEST(SuffixIndex, FindsTheLongestRunAndWhereItStands) {
  const SuffixIndex index({{1, 2, 3, 4}, {}, {9, 2, 3, 4, 5}});
  expect_equal(index.longest(Text{7, 2, 3, 4, 7}), {3, 0, 1, 1});
  expect_equal(index.longest(Text{2, 3, 4, 5}), {4, 2, 1, 0});
  // Never from one text into the next.
  expect_equal(index.longest(Text{4, 9, 2}), {2, 2, 0, 1});
  EXPECT_EQ(index.longest(Text{8}).length, 0U);
  EXPECT_EQ(index.longest(Text{}).length, 0U);
  EXPECT_EQ(SuffixIndex({}).longest(Text{1}).length, 0U);
}

TEST(SuffixIndex, DoesWhatTheDefinitionDoes) {
  std::uint64_t state = 5;
  const auto draw = [&](std::uint64_t n) { return static_cast<std::uint32_t>(mix(++state) % n); };
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t words = 1 + draw(5);
    const auto text = [&] {
      Text tokens(draw(9));
      for (auto& token : tokens) token = draw(words);
      return tokens;
    };
    std::vector<Text> texts(draw(6));
    for (Text& one : texts) one = text();
    const SuffixIndex index(texts);
    for (int i = 0; i < 5; ++i) {
      const Text asked = text();
      expect_equal(index.longest(asked), oracle(texts, asked));
    }
  }
}

}  // namespace
}  // namespace residue::text
