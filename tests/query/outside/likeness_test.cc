#include "query/outside/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "query/inputs/snapshot.h"
#include "query/outside/membership.h"
#include "storage/catalog/lookup.h"
#include "tests/query/store_fixture.h"
#include "text/measures/rouge.h"
#include "text/words/word_grams.h"

namespace residue::query::testing {
namespace {

class LikenessTest : public QueryStore {
 protected:
  DatasetView dataset_of(const std::string& name) {
    return load_dataset(store(), storage::find_dataset(store().db(), name), name, ClaimSetHead{});
  }

  std::vector<std::optional<Likeness>> likeness(const std::vector<std::string>& records,
                                                const std::vector<std::string>& released) {
    std::vector<TextId> asked, texts;
    for (const std::string& one : records) asked.push_back(put(one));
    for (const std::string& one : released) texts.push_back(put(one));
    const storage::Lock held = store().hold_texts();
    return likeness_of(store(), asked, texts, {});
  }
};

TEST_F(LikenessTest, IsTheGreatestShareOfRunsOfFiveWordsInOneText) {
  // Of the seven words three runs: two stand in the second text, one each in the first and the third.
  const auto found = likeness({"ant bee cat dog elk fox gnu"},
                              {"Ant, bee: cat dog elk!", "xiz bee cat dog elk fox gnu yak", "cat dog elk fox gnu"});
  ASSERT_TRUE(found[0]);
  EXPECT_DOUBLE_EQ(found[0]->share, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found[0]->recall, 6.0 / 7);
}

TEST_F(LikenessTest, BreaksTiesByTheRecallOfTheTextsWithThatShare) {
  // Both texts have one run of two; the second has more of the rest, in order. The third has all words and no run.
  const auto found = likeness({"ant bee cat dog elk fox"}, {"ant bee cat dog elk", "xiz bee cat dog elk fox xiz",
                                                            "fox xiz ant xiz bee cat xiz dog elk"});
  EXPECT_DOUBLE_EQ(found[0]->share, 0.5);
  EXPECT_DOUBLE_EQ(found[0]->recall, 5.0 / 6);
  const auto tied = likeness({"ant bee cat dog elk fox"}, {"ant bee cat dog elk", "ant bee cat dog elk xiz fox"});
  EXPECT_DOUBLE_EQ(tied[0]->recall, 1);
}

TEST_F(LikenessTest, IsTheRecallOfAnyTextWhereNoRunIsShared) {
  const auto found =
      likeness({"red blue green white black"}, {"blue xiz green", "red xiz blue yak green zeb white", ""});
  EXPECT_EQ(found[0]->share, 0);
  EXPECT_DOUBLE_EQ(found[0]->recall, 4.0 / 5);
  EXPECT_EQ(likeness({"one two three four five"}, {})[0], (Likeness{0, 0}));
}

TEST_F(LikenessTest, IsNothingOfFewerThanFiveWords) {
  const auto found = likeness({"ant bee cat dog", "", "ant bee cat dog elk"}, {"ant bee cat dog elk"});
  EXPECT_FALSE(found[0]);
  EXPECT_FALSE(found[1]);
  EXPECT_EQ(found[2], (Likeness{1, 1}));
}

TEST_F(LikenessTest, IsThatOfTheDefinitionForRandomTexts) {
  const auto word = [](std::uint64_t draw) { return std::string(3, static_cast<char>('a' + draw % 5)); };
  const auto text = [&](std::uint64_t seed) {
    std::string words;
    for (std::uint64_t i = 0; i < 4 + mix(seed) % 9; ++i) words += word(mix(seed * 100 + i)) + " ";
    return words;
  };
  std::vector<std::string> records, released;
  for (std::uint64_t i = 0; i < 60; ++i) records.push_back(text(i));
  for (std::uint64_t i = 0; i < 40; ++i) released.push_back(text(1000 + i));
  const auto found = likeness(records, released);
  text::TermCounter memory(text::Analyzer::plain());
  for (std::size_t i = 0; i < records.size(); ++i) {
    SCOPED_TRACE(records[i]);
    const auto own = text::word_grams(records[i], 5, memory);
    ASSERT_EQ(found[i].has_value(), !own.empty());
    Likeness best;
    for (const std::string& other : released) {
      const auto grams = text::word_grams(other, 5, memory);
      double shared = 0;
      for (const std::uint64_t gram : own) shared += std::ranges::binary_search(grams, gram) ? 1 : 0;
      text::RougeTokenizer tokens(true);
      const auto reference = tokens.tokens(records[i]), hypothesis = tokens.tokens(other);
      if (!own.empty()) {
        best =
            std::max(best, Likeness{shared / static_cast<double>(own.size()), text::rouge_l(reference, hypothesis).r});
      }
    }
    EXPECT_EQ(found[i].value_or(Likeness{}), best);
  }
}

// Of 30 members two failed, one has too few words.
TEST_F(LikenessTest, MembersWhoseTextFailedCountAsMostAlike) {
  std::vector<RecordRow> records;
  std::vector<VariantRow> texts;
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string key = fmt::format("r{}", i);
    records.push_back(record(key, i == 29 ? "two words" : text_of(i)));
    VariantRow row = variant(key, "nothing of this is alike at all");
    if (i < 2) row.text.reset(), row.error = "timeout";
    texts.push_back(row);
  }
  add_records(records);
  add_run("r", texts);
  DatasetView control = dataset_of("d");
  for (RecordView& one : control.records) one.text = put(fmt::format("words of nobody whom {} anybody knows", one.key));
  for (RecordView& one : control.records) one.unit = mix(one.unit);
  const DatasetView released = dataset_of("d");
  const storage::Lock held = store().hold_texts();
  const std::vector<MetricRow> rows = membership_rows(store(), released, run_view(released, "r"), control, {});
  const MetricRow& auc = rows.front();
  EXPECT_EQ(auc.failed, 2);
  EXPECT_EQ(auc.not_applicable, 1);
  EXPECT_EQ(auc.n, 27 + 30);
  // All others share nothing with any text but are ordered by their recall: none has a word of it but "of".
  EXPECT_GT(*auc.value, *auc.if_private);
  EXPECT_DOUBLE_EQ(*auc.value - *auc.if_private, 2.0 / 29);
}

}  // namespace
}  // namespace residue::query::testing
