#include "text/measures/jaro_winkler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/text/parity.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

std::u32string characters(const std::string& text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes) out += code_point_at(text, at).value;
  return out;
}

// By definition: each character of `b` takes the first free equal one of `a` that is not too far away.
double jaro_by_definition(const std::string& first, const std::string& second) {
  const std::u32string a = characters(first);
  const std::u32string b = characters(second);
  if (a.empty() && b.empty()) return 1;
  const auto longest = static_cast<long>(std::max(a.size(), b.size()));
  const long reach = std::max(0L, longest / 2 - 1);
  std::vector<bool> taken(a.size(), false);
  std::u32string common_of_b;
  for (long j = 0; j < static_cast<long>(b.size()); ++j) {
    for (long i = 0; i < static_cast<long>(a.size()); ++i) {
      if (taken[i] || a[i] != b[j] || std::abs(i - j) > reach) continue;
      taken[i] = true;
      common_of_b += b[j];
      break;
    }
  }
  std::u32string common_of_a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (taken[i]) common_of_a += a[i];
  }
  if (common_of_a.empty()) return 0;
  std::size_t misplaced = 0;
  for (std::size_t i = 0; i < common_of_a.size(); ++i) misplaced += common_of_a[i] != common_of_b[i] ? 1 : 0;
  const auto m = static_cast<double>(common_of_a.size());
  const auto transpositions = static_cast<double>(misplaced / 2);  // rounded down
  return (m / static_cast<double>(a.size()) + m / static_cast<double>(b.size()) + (m - transpositions) / m) / 3;
}

double jaro_winkler_by_definition(const std::string& first, const std::string& second) {
  const double jaro = jaro_by_definition(first, second);
  const std::u32string a = characters(first);
  const std::u32string b = characters(second);
  std::size_t prefix = 0;
  while (prefix < std::min({a.size(), b.size(), std::size_t{4}}) && a[prefix] == b[prefix]) ++prefix;
  return jaro > 0.7 ? jaro + static_cast<double>(prefix) * 0.1 * (1 - jaro) : jaro;
}

void expect_bits(double ours, double theirs) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(theirs));
}

TEST(JaroWinkler, EqualsTheReferenceBitForBit) {
  const auto cases = parity_cases("jarowinkler.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/jarowinkler.jsonl: set RESIDUE_PARITY";
  for (const auto& row : cases) {
    SCOPED_TRACE(row.at("id").dump());
    const auto a = row.at("a").get<std::string>();
    const auto b = row.at("b").get<std::string>();
    expect_bits(jaro(a, b), row.at("rapidfuzz_jaro").get<double>());
    expect_bits(jaro_winkler(a, b), row.at("rapidfuzz_jaro_winkler").get<double>());
    EXPECT_EQ(jaro_winkler_close(a, b), row.at("close_0_75").get<bool>());
  }
}

TEST(JaroWinkler, IsWhatAHandComputes) {
  // MARTHA, MARHTA: six in common, one transposition, three in front.
  EXPECT_DOUBLE_EQ(jaro("MARTHA", "MARHTA"), (1 + 1 + 5.0 / 6) / 3);
  EXPECT_DOUBLE_EQ(jaro_winkler("MARTHA", "MARHTA"), 17.0 / 18 + 0.3 / 18);
  EXPECT_NEAR(jaro_winkler("male", "female"), 0.722222, 5e-7);
  EXPECT_NEAR(jaro_winkler("cape town / south africa", "cape town"), 0.875, 1e-12);
  EXPECT_NEAR(jaro_winkler("cape town / south africa", "south africa"), 0.472222, 5e-7);
  EXPECT_EQ(jaro_winkler("", ""), 1);
  EXPECT_EQ(jaro_winkler("", "a"), 0);
  EXPECT_EQ(jaro_winkler("a", ""), 0);
  EXPECT_EQ(jaro("a", "a"), 1);
  EXPECT_EQ(jaro("a", "b"), 0);
  EXPECT_EQ(jaro("ab", "ba"), 0);  // half of two, less one: nothing but the same place is near
  EXPECT_EQ(jaro_winkler("Zürich", "Zürich"), 1);
}

TEST(JaroWinkler, IsBoostedOnlyAboveItsThreshold) {
  // "ab" + 3 against "ab" + 3 others: Jaro (0.4 + 0.4 + 1) / 3 = 0.6 stays as it is.
  EXPECT_DOUBLE_EQ(jaro_winkler("abcde", "abxyz"), 0.6);
}

rc::Gen<std::string> similar_text(const std::vector<std::string>& letters, std::size_t longest) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, longest), [letters](std::size_t length) {
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(length, rc::gen::elementOf(letters)),
                        [](const std::vector<std::string>& parts) {
                          std::string out;
                          for (const std::string& part : parts) out += part;
                          return out;
                        });
  });
}

RC_GTEST_PROP(JaroWinkler, EqualsItsDefinition, (bool ascii, bool longer)) {
  const std::vector<std::string> letters =
      ascii ? std::vector<std::string>{"a", "b", "c", "A", " ", "!", "e", "n", "i", "\x7f"}
            : std::vector<std::string>{"a", "b", "é", "日", "😀", "\xff"};
  const auto text = similar_text(letters, longer ? 140 : 20);
  const std::string a = *text;
  const std::string b = *text;
  RC_ASSERT(jaro(a, b) == jaro_by_definition(a, b));
  RC_ASSERT(jaro_winkler(a, b) == jaro_winkler_by_definition(a, b));
}

RC_GTEST_PROP(JaroWinkler, WithACutoffTellsTheSameAboveIt, (unsigned step)) {
  const double cutoff = static_cast<double>(step % 20) / 20;
  const auto text = similar_text({"a", "b", "c", "d", "e"}, 66);
  const std::string a = *text;
  const std::string b = *text;
  const double exact = jaro_winkler(a, b);
  const double cut = jaro_winkler(a, b, cutoff);
  RC_ASSERT(cut == exact || (cut == 0 && exact < cutoff));
  // The very value is a cutoff that is reached.
  RC_ASSERT(jaro_winkler(a, b, exact) == exact);
}

}  // namespace
}  // namespace residue::text
