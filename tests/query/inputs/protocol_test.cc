#include "query/inputs/protocol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace residue::query {
namespace {

TEST(Protocol, HasOneCanonicalName) {
  struct Case {
    const char* given;
    const char* canonical;
  };
  for (const Case& c :
       {Case{"bm25", "bm25/random:3@42"}, Case{"paper", "bm25/random:3@42"},
        Case{"bm25/random:3@42/claims", "bm25/random:3@42/claims"}, Case{"bm25/first:2", "bm25/first:2"},
        Case{"oracle/last:1/s", "oracle/last:1/s"}, Case{"bm25/all", "bm25/all"},
        Case{"bm25[analyzer=fsp]/all", "bm25/all"}, Case{"bm25[analyzer=plain]/all", "bm25[analyzer=plain]/all"},
        Case{"random/random:5@7", "random/random:5@7"}, Case{"bm25/random:3~said", "bm25/random:3@42~said"},
        Case{"rouge-l/first:3~said/claims", "rouge-l/first:3~said/claims"}, Case{"bm25/given:seen", "bm25/given:seen"},
        Case{"bm25[lengths=lucene]", "bm25[lengths=lucene]/random:3@42"},
        Case{"bm25-vote[set=sentences]/first:2", "bm25-vote/first:2"},
        Case{"bm25-vote[set=mine,lengths=lucene,analyzer=fsp]/all", "bm25-vote[lengths=lucene,set=mine]/all"},
        Case{"bm25[runs=b+a+b]/all", "bm25[runs=a+b]/all"}, Case{"rouge-l-recall/all", "rouge-l-recall/all"}}) {
    SCOPED_TRACE(c.given);
    EXPECT_EQ(parse_protocol(c.given).name(), c.canonical);
    EXPECT_EQ(parse_protocol(c.canonical), parse_protocol(c.given));
  }
}

TEST(Protocol, SaysWhatIsWrong) {
  for (const char* text : {"",
                           "bm52",
                           "bm25/",
                           "bm25/random:0",
                           "bm25/random:x",
                           "bm25/first:3@4",
                           "bm25/middle:3",
                           "bm25/all/",
                           "bm25/all/a/b",
                           "bm25[b=2]",
                           "bm25[analyzer=french]",
                           "oracle[analyzer=plain]",
                           "bm25[analyzer=plain",
                           "bm25/random:99999999999",
                           "bm25/given:",
                           "bm25/given:a~b",
                           "bm25/first:3~",
                           "bm25[runs=a]",
                           "bm25[lengths=short]",
                           "bm25-vote[runs=a+b]",
                           "bm25-vote[set=]",
                           "bm25[set=mine]",
                           "rouge-l[runs=a+b]"}) {
    SCOPED_TRACE(text);
    try {
      parse_protocol(text);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST(Protocol, SaysThatARunIsNamedTwiceAndThatAListIsNone) {
  const auto refusal = [](const char* text) {
    try {
      parse_protocol(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("bm25[runs=a+a]"), "protocol \"bm25[runs=a+a]\": run a is named twice, and is one release");
  EXPECT_EQ(refusal("bm25,rouge-l"),
            "protocol \"bm25,rouge-l\": this is a list, and only one attacker can be named here");
  EXPECT_EQ(refusal("bm25[lengths=lucene,analyzer=plain]"), "accepted");
}

TEST(Protocol, ListsAreCutAtCommasOutsideBrackets) {
  const auto specs = parse_protocols("bm25/first:3,bm25[analyzer=plain]/all,bm25/first:3");
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[1].name(), "bm25[analyzer=plain]/all");
}

TEST(Protocol, SpreadsSeedsOfRandomPoliciesOnly) {
  EXPECT_EQ(with_seeds(parse_protocol("bm25/random:3"), 3)[2].name(), "bm25/random:3@44");
  EXPECT_EQ(with_seeds(parse_protocol("bm25/first:3"), 3).size(), 1U);
  EXPECT_EQ(with_seeds(parse_protocol("bm25/random:3~said"), 2)[1].name(), "bm25/random:3@43~said");
  EXPECT_EQ(seeds_name(parse_protocol("bm25/random:3~said"), 2), "bm25/random:3@42..43~said");
}

TEST(Protocol, CombinesRuns) {
  EXPECT_EQ(combined(parse_protocol("bm25[analyzer=plain]/first:2"), {"z", "a"}).name(),
            "bm25[analyzer=plain,runs=a+z]/first:2");
  EXPECT_THROW(combined(parse_protocol("bm25"), {"a", "a"}), Error);
  EXPECT_THROW(combined(parse_protocol("rouge-l"), {"a", "b"}), Error);
}

const std::vector<std::uint32_t> kClaims = {1, 2, 4, 7, 9};
using List = std::vector<std::uint32_t>;

TEST(SelectAuxiliary, TakesTheFirstOrTheLast) {
  EXPECT_EQ(select_auxiliary(parse_protocol("bm25/first:2").policy, "r", kClaims), (List{1, 2}));
  EXPECT_EQ(select_auxiliary(parse_protocol("bm25/last:2").policy, "r", kClaims), (List{7, 9}));
  EXPECT_EQ(select_auxiliary(parse_protocol("bm25/all").policy, "r", kClaims), kClaims);
  EXPECT_EQ(select_auxiliary(parse_protocol("bm25/first:9").policy, "r", kClaims), kClaims);
}

TEST(SelectAuxiliary, DrawsTheClaimsOfSmallestHash) {
  for (const std::string key : {"a", "b", "r-12"}) {
    List chosen = select_auxiliary(parse_protocol("bm25/random:2@7").policy, key, kClaims);
    ASSERT_EQ(chosen.size(), 2U);
    for (const std::uint32_t other : kClaims) {
      if (other == chosen[0] || other == chosen[1]) continue;
      EXPECT_LT(std::max(hash_of(7, key, chosen[0]), hash_of(7, key, chosen[1])), hash_of(7, key, other));
    }
  }
}

TEST(SelectAuxiliary, DependsOnSeedAndKeyAlone) {
  const Policy policy = parse_protocol("bm25/random:2").policy;
  EXPECT_EQ(select_auxiliary(policy, "r", kClaims), select_auxiliary(policy, "r", kClaims));
  // A claim that is not chosen does not matter.
  const List chosen = select_auxiliary(policy, "r", kClaims);
  List without;
  for (const std::uint32_t n : kClaims) {
    if (n == chosen[0] || n == chosen[1] || without.size() == 1) continue;
    without.push_back(n);
  }
  List fewer = {chosen[0], chosen[1], without[0]};
  std::sort(fewer.begin(), fewer.end());
  EXPECT_EQ(select_auxiliary(policy, "r", fewer), chosen);
}

}  // namespace
}  // namespace residue::query
