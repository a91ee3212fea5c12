// What an attempt is about: what was named comes out again, and only where the rest is the same.
#include "query/people/intruder_about.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/hash.h"

namespace residue::query {
namespace {

using NamedKind = NamedText::Kind;

const std::vector<TextId> kFacts = {TextId{7}, TextId{1'000'000}};

NamedText text(std::int64_t id) { return {NamedKind::kText, TextId{id}}; }

TEST(IntruderAbout, GivesBackWhatWasNamed) {
  const std::uint64_t given = given_hash(kFacts, TextId{12});
  for (const NamedText& named : {NamedText{}, NamedText{NamedKind::kUnknown}, text(2), text(12), text(99'999'999)}) {
    EXPECT_EQ(named_by(given, about_of(given, named), false), named);
  }
  EXPECT_EQ(named_by(given, about_of(given, text(1)), true), text(1));
}

TEST(IntruderAbout, GivesNothingOfOtherFactsOrAnotherTextOfTheTarget) {
  const std::uint64_t given = given_hash(kFacts, TextId{12});
  std::vector<std::uint64_t> others = {given_hash(kFacts, std::nullopt), given_hash({}, TextId{12}),
                                       given_hash(std::vector{kFacts[1], kFacts[0]}, TextId{12})};
  for (std::int64_t id = 1; id < 2000; ++id) {
    if (id != 12) others.push_back(given_hash(kFacts, TextId{id}));
  }
  for (const std::uint64_t other : others) {
    for (const NamedText& named : {NamedText{}, text(12), text(13), NamedText{NamedKind::kUnknown}}) {
      EXPECT_FALSE(named_by(other, about_of(given, named), true));
      EXPECT_FALSE(named_by(other, about_of(given, named), false));
    }
  }
  EXPECT_FALSE(named_by(given, about_of_outdated(given), false));
}

// As answers of format 8 and before were stored: mixed one by one, and 1 for nobody.
TEST(IntruderAbout, ReadsWhatWasStoredBefore) {
  std::uint64_t hash = 0;
  for (const TextId fact : kFacts) hash = mix(hash ^ static_cast<std::uint64_t>(fact.value));
  hash = mix(hash ^ 12);
  const std::uint64_t given = given_hash(kFacts, TextId{12});
  EXPECT_EQ(named_by(given, static_cast<std::int64_t>(mix(hash ^ 1)), false), NamedText{});
  EXPECT_EQ(named_by(given, static_cast<std::int64_t>(mix(hash ^ 34)), true), text(34));
}

}  // namespace
}  // namespace residue::query
