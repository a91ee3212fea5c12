// Whom the absent attack leaves out.
#include "query/absent/absence.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "query/link/linked_persons.h"
#include "tests/query/store_fixture.h"
#include "text/words/analyzer.h"

namespace residue::query::testing {
namespace {

class Absences : public QueryStore {
 protected:
  std::vector<std::string> left_out(const std::string& of) {
    const storage::Lock held = store().hold_texts();
    const DatasetView dataset = dataset_view();
    const auto equal = equal_originals(store(), dataset);
    const Absence absence(store(), dataset, equal);
    for (std::size_t i = 0; i < dataset.records.size(); ++i) {
      if (dataset.records[i].key != of) continue;
      std::vector<std::string> keys;
      for (const CandidateId one : absence.left_out(i)) {
        keys.push_back(dataset.records[dataset.position.at(RecordId{one.value})].key);
      }
      return keys;
    }
    return {};
  }
};

using Keys = std::vector<std::string>;

std::set<std::vector<std::string>> grams_of(const std::string& text) {
  std::vector<std::string> words;
  text::Analyzer::plain().terms(text, words);
  std::set<std::vector<std::string>> grams;
  for (std::size_t i = 0; i + 5 <= words.size(); ++i) grams.emplace(words.begin() + i, words.begin() + i + 5);
  return grams;
}

TEST_F(Absences, LeaveOutTheRecordItsPersonAndEqualOriginals) {
  auto a = record("a", "Ann is a nurse"), b = record("b", "Ann went home"), c = record("c", "ANN  is a Nurse"),
       d = record("d", "Dan is a cook"), e = record("e", "");
  a.person = b.person = "ann";
  c.person = "cid";
  d.person = "dan";
  e.person = "eve";
  add_records({a, b, c, d, e});
  add_claims({claims("a", {"x"})});
  EXPECT_EQ(left_out("a"), (Keys{"a", "b", "c"}));
  EXPECT_EQ(left_out("b"), (Keys{"a", "b"}));
  EXPECT_EQ(left_out("c"), (Keys{"a", "c"}));
  EXPECT_EQ(left_out("d"), (Keys{"d"}));
  EXPECT_EQ(left_out("e"), (Keys{"e"}));
}

TEST_F(Absences, LeaveOutOriginalsThatShareFourOfFiveRunsOfFiveWords) {
  // 9 words: 5 runs. The last word changed: 4 of 5. The last two: 3 of 5.
  add_records({record("a", "one two three four five six seven eight nine"),
               record("b", "one two three four five six seven eight changed"),
               record("c", "one two three four five six seven other changed"),
               // Holds all runs of `a`, which holds few of its own.
               record("d", "one two three four five six seven eight nine and ten more words that nobody else has")});
  add_claims({claims("a", {"x"})});
  EXPECT_EQ(left_out("a"), (Keys{"a", "b", "d"}));
  EXPECT_EQ(left_out("b"), (Keys{"a", "b", "d"}));
  EXPECT_EQ(left_out("c"), (Keys{"c"}));
  EXPECT_EQ(left_out("d"), (Keys{"d"}));
}

TEST_F(Absences, AreThoseOfTheDefinition) {
  std::mt19937 random(11);
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) {
    // Edited copies of few texts, so that shares of all sizes occur.
    std::vector<std::string> words;
    const auto family = random() % 6, length = 5 + random() % 25;
    for (std::size_t j = 0; j < length; ++j) words.push_back(fmt::format("w{}x{}", family, j));
    for (auto edits = random() % 4; edits > 0; --edits) {
      words[random() % words.size()] = fmt::format("e{}", random() % 3);
    }
    texts.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  std::vector<RecordRow> rows;
  for (std::size_t i = 0; i < texts.size(); ++i) rows.push_back(record(fmt::format("r{:02}", i), texts[i]));
  add_records(rows);
  add_claims({claims("r00", {"x"})});
  const storage::Lock held = store().hold_texts();
  const DatasetView dataset = dataset_view();
  const NearOriginals near(store(), dataset);
  std::size_t found = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto grams = grams_of(texts[i]);
    std::vector<std::size_t> expected;
    for (std::size_t j = 0; j < texts.size(); ++j) {
      std::size_t shared = 0;
      for (const auto& gram : grams_of(texts[j])) shared += grams.count(gram);
      if (j != i && 5 * shared >= 4 * grams.size() && !grams.empty()) expected.push_back(j);
    }
    EXPECT_EQ(near.of(i), expected) << i;
    found += expected.size();
  }
  EXPECT_GT(found, 20U);
}

}  // namespace
}  // namespace residue::query::testing
