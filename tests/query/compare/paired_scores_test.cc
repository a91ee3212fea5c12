#include "query/compare/paired_scores.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace residue::query {
namespace {

using ::testing::ElementsAre;

ScoredRecord value(std::int64_t record, std::int64_t num, std::uint64_t unit = 0) {
  return {RecordId{record}, unit == 0 ? static_cast<std::uint64_t>(record) : unit, State::kValue, num, 1};
}
ScoredRecord lost(std::int64_t record, State state, std::int64_t worst) {
  return {RecordId{record}, static_cast<std::uint64_t>(record), state, worst, 1};
}

using Lists = std::vector<std::vector<ScoredRecord>>;

TEST(PairedScores, CountLostRecordsAsLeakedOrLeaveThemOut) {
  const Lists a{{value(1, 10), value(2, 20), lost(3, State::kFailed, 0), lost(5, State::kNotApplicable, 0)}};
  const Lists b{{value(1, 11), lost(2, State::kFailed, 0), value(3, 5), value(4, 7), value(5, 8)}};
  const Pairing leaked = pair_records(a, b, MissingPolicy::kLeaked);
  EXPECT_THAT(leaked.units,
              ElementsAre(PairedUnit{1, 10, 1, 11, 1}, PairedUnit{2, 20, 1, 0, 1}, PairedUnit{3, 0, 1, 5, 1}));
  EXPECT_EQ(leaked.records, 3U);
  EXPECT_EQ(leaked.left_out, 2U);  // 4 is on one side only, 5 does not apply to the other
  EXPECT_EQ(leaked.a.failed, 1U);
  EXPECT_EQ(leaked.b.failed, 1U);
  EXPECT_EQ(leaked.b.missing, 0U);
  const Pairing dropped = pair_records(a, b, MissingPolicy::kDrop);
  EXPECT_THAT(dropped.units, ElementsAre(PairedUnit{1, 10, 1, 11, 1}));
  EXPECT_EQ(dropped.left_out, 4U);
}

TEST(PairedScores, SayHowManyFailedOnBothSidesWhereTheseAreDropped) {
  const Lists a{{value(1, 10), lost(2, State::kFailed, 0), lost(3, State::kNotApplicable, 0)}};
  const Lists b{{value(1, 11), lost(2, State::kMissing, 0), lost(3, State::kNotApplicable, 0)}};
  EXPECT_EQ(pair_records(a, b, MissingPolicy::kDrop).left_out, 1U);
  EXPECT_EQ(pair_records(a, b, MissingPolicy::kLeaked).left_out, 0U);
}

TEST(PairedScores, AreBroughtTogetherByPersonAndSeed) {
  const Lists a{{value(1, 1, 7), value(2, 2, 7), value(3, 4)}, {value(1, 10, 7), value(3, 40)}};
  const Lists b{{value(1, 3, 7), value(2, 3, 7), value(3, 3)}, {value(1, 30, 7), value(3, 30)}};
  const Pairing pairs = pair_records(a, b, MissingPolicy::kLeaked);
  EXPECT_THAT(pairs.units, ElementsAre(PairedUnit{3, 44, 2, 33, 2}, PairedUnit{7, 13, 3, 36, 3}));
  EXPECT_EQ(pairs.records, 3U);
}

TEST(PairedScores, DoNotMindRecordsThatApplyToNeither) {
  const Lists a{{lost(1, State::kNotApplicable, 0)}};
  EXPECT_EQ(pair_records(a, a, MissingPolicy::kLeaked).left_out, 0U);
}

TEST(PairedScores, FindWhatAllHave) {
  const Lists lists{{value(1, 1), value(2, 1), lost(3, State::kMissing, 0)},
                    {value(1, 1), lost(2, State::kNotApplicable, 0), value(3, 1)}};
  EXPECT_THAT(common_records(lists, MissingPolicy::kLeaked), ElementsAre(RecordId{1}, RecordId{3}));
  EXPECT_THAT(common_records(lists, MissingPolicy::kDrop), ElementsAre(RecordId{1}));
  const std::vector<RecordId> only{RecordId{3}};
  const Lists a{lists[0]};
  const Lists b{lists[1]};
  EXPECT_EQ(pair_records(a, b, MissingPolicy::kLeaked, only).records, 1U);
}

}  // namespace
}  // namespace residue::query
