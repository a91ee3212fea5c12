#include "base/fingerprint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace residue {
namespace {

using Row = std::tuple<std::string, std::int64_t, std::int64_t>;

Fingerprint of(const std::vector<Row>& rows) {
  Fingerprint print;
  for (const auto& [text, first, second] : rows) print.add(text, first, second);
  return print;
}

TEST(Fingerprint, OfNothingIsZero) {
  EXPECT_EQ(Fingerprint().bytes(), std::string(16, '\0'));
  EXPECT_EQ(Fingerprint(""), Fingerprint());
  EXPECT_EQ(Fingerprint(std::string(15, 'x')), Fingerprint());
}

TEST(Fingerprint, TellsApartWhatLooksAlike) {
  const std::vector<std::vector<Row>> sets = {
      {},
      {{"a", 1, 2}},
      {{"a", 2, 1}},
      {{"a", 1, 0}},
      {{"a", 0, 1}},
      {{"b", 1, 2}},
      {{"a", 1, 2}, {"a", 1, 2}},
      {{"", 1, 2}, {"a", 1, 2}},
      {{"a", 1, 1}, {"b", 2, 2}},
      {{"a", 2, 2}, {"b", 1, 1}},
      {{"a", -1, 2}},
  };
  std::set<std::string> prints;
  for (const auto& rows : sets) prints.insert(of(rows).bytes());
  EXPECT_EQ(prints.size(), sets.size());
}

TEST(Fingerprint, BothHalvesCarryInformation) {
  const std::string a = of({{"a", 1, 2}}).bytes();
  const std::string b = of({{"a", 1, 3}}).bytes();
  EXPECT_NE(a.substr(0, 8), b.substr(0, 8));
  EXPECT_NE(a.substr(8), b.substr(8));
  EXPECT_NE(a.substr(0, 8), a.substr(8));
}

RC_GTEST_PROP(Fingerprint, DependsOnTheSetNotOnItsHistory, (std::vector<Row> kept, std::vector<Row> gone)) {
  Fingerprint history;
  for (const auto& [text, first, second] : gone) history.add(text, first, second);
  for (auto row = kept.rbegin(); row != kept.rend(); ++row) {
    history.add(std::get<0>(*row), std::get<1>(*row), std::get<2>(*row));
  }
  for (const auto& [text, first, second] : gone) history.remove(text, first, second);
  RC_ASSERT(history == of(kept));
  RC_ASSERT(Fingerprint(history.bytes()) == history);
  history.add("one more", 0);
  RC_ASSERT(!(history == of(kept)));
}

}  // namespace
}  // namespace residue
