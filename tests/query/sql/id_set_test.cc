// A set of numbers as bytes has the numbers that it was made of and no others.
#include "query/sql/levels/id_set.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace residue::query {
namespace {

void check(const std::set<std::int64_t>& ids) {
  const std::string bytes = IdSet::bytes_of({ids.begin(), ids.end()});
  const IdSet set(bytes);
  for (const std::int64_t id : ids) {
    EXPECT_TRUE(set.contains(id)) << id;
    for (const std::int64_t near : {id - 1, id + 1, id + 4'096, id - 4'096, id ^ 1}) {
      EXPECT_EQ(set.contains(near), ids.contains(near)) << near;
    }
  }
  for (std::int64_t id = -5; id < 5'000; ++id) EXPECT_EQ(set.contains(id), ids.contains(id)) << id;
}

TEST(IdSet, HasWhatItWasMadeOf) {
  check({});
  check({0});
  check({4'095, 4'096, 8'191, 8'192, INT64_MAX - 5'000});
  std::mt19937_64 random(7);
  for (const std::int64_t most : {std::int64_t{300}, std::int64_t{100'000}, std::int64_t{1} << 60}) {
    std::set<std::int64_t> ids;
    for (int i = 0; i < 2'000; ++i) ids.insert(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)));
    check(ids);
  }
}

TEST(IdSet, TakesABitForEachWhereTheyFollowOneAnother) {
  std::vector<std::int64_t> ids;
  for (std::int64_t id = 1; id <= 1'000'000; ++id) ids.push_back(id);
  EXPECT_LT(IdSet::bytes_of(ids).size(), 130'000U);
}

}  // namespace
}  // namespace residue::query
