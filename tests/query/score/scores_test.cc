#include "query/score/scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/score/linked_overlap.h"

namespace residue::query {
namespace {

using Row = std::vector<std::optional<std::uint8_t>>;

// The mode of the votes; a tie goes to the lower rating, the leaked side.
std::uint8_t mode(const std::string& votes) {
  std::map<char, int> counts;
  for (const char vote : votes) ++counts[vote];
  char best = '3';
  for (const auto& [vote, count] : counts) {
    if (count > counts[best] || (count == counts[best] && vote < best)) best = vote;
  }
  return static_cast<std::uint8_t>(best - '0');
}

RecordCase linked_right() {
  RecordCase record;
  record.has_claims = record.attacked = record.linked = record.linked_own = true;
  record.rank = 1;
  return record;
}

const Contribution& of(const std::vector<Contribution>& contributions, MetricId metric) {
  return *std::find_if(contributions.begin(), contributions.end(), [&](const auto& c) { return c.metric == metric; });
}

numbers::Weights ones() {
  numbers::Weights weights;
  weights.fill(1);
  return weights;
}

double value(const std::vector<std::vector<Contribution>>& records, MetricId metric) {
  Aggregate aggregate(definition(metric));
  for (const auto& record : records) aggregate.add(of(record, metric), ones());
  return *aggregate.finish(true)[0].value;
}

// Worked by hand.
TEST(JudgeScores, GiveTheWorkedExample) {
  const Row first = {mode("11332"), mode("33222"), mode("33311")};
  const Row second = {mode("33333")};
  const Row aux = {3, 3, 3};
  const std::vector<std::vector<Contribution>> records = {judge_scores(linked_right(), 3, first, aux),
                                                          judge_scores(linked_right(), 1, second, Row{3})};
  EXPECT_EQ(value(records, MetricId::kSemanticDistance), 0.75);
  EXPECT_EQ(value(records, MetricId::kLeakRate), 0.5);
  EXPECT_EQ(value(records, MetricId::kFullLeakRate), 0.25);
  EXPECT_EQ(value(records, MetricId::kExposedRate), 0.0);
}

TEST(JudgeScores, TakeNothingFoundAsNothingLearned) {
  RecordCase record = linked_right();
  record.linked = record.linked_own = false;
  const auto scores = judge_scores(record, 2, {}, Row{1, 3});
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).state, State::kValue);
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).num, kOne);
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).slice, Outcome::kNotLinked);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).num, 0);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).den, 2);
  EXPECT_EQ(of(scores, MetricId::kAuxOverlap).num, kOne / 2);
  EXPECT_EQ(of(scores, MetricId::kExcessLeakage).num, -kOne / 2);
}

TEST(JudgeScores, LoseAFailedRecordToTheLeakedSide) {
  RecordCase record = linked_right();
  record.failed = true;
  const auto scores = judge_scores(record, 4, {}, Row{3, 3, 3, 3});
  for (const MetricId metric : {MetricId::kSemanticDistance, MetricId::kLeakRate, MetricId::kExposedRate}) {
    EXPECT_EQ(of(scores, metric).state, State::kFailed);
  }
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).num, 0);
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).best, kOne);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).num, 4);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).best, 0);
  EXPECT_EQ(of(scores, MetricId::kExposedRate).num, 1);
  EXPECT_EQ(of(scores, MetricId::kExcessLeakage).num, kOne);  // overlap 1, distance 0
  EXPECT_EQ(of(scores, MetricId::kExcessLeakage).best, 0);    // overlap 1, distance 1
  EXPECT_EQ(of(scores, MetricId::kAuxOverlap).state, State::kValue);
}

TEST(JudgeScores, SayWhetherTheLinkedTextLedItsJudge) {
  const std::optional<std::uint8_t> three[] = {std::uint8_t{3}};
  const auto of_trust = [&](Trust trust, bool failed = false, bool linked = true) {
    RecordCase record = linked_right();
    record.trust = trust;
    record.failed = failed;
    record.linked = linked;
    return of(judge_scores(record, 1, three, three), MetricId::kInjectionSuspect);
  };
  EXPECT_EQ(of_trust(Trust::kFine).num, 0);
  EXPECT_EQ(of_trust(Trust::kFine).state, State::kValue);
  EXPECT_EQ(of_trust(Trust::kSuspect).num, 1);
  EXPECT_EQ(of_trust(Trust::kFailed).state, State::kFailed);
  EXPECT_EQ(of_trust(Trust::kFailed).num, 1);
  EXPECT_EQ(of_trust(Trust::kFailed).best, 0);
  EXPECT_EQ(of_trust(Trust::kUnchecked).state, State::kNotApplicable);
  EXPECT_EQ(of_trust(Trust::kFine, true).state, State::kNotApplicable);
  EXPECT_EQ(of_trust(Trust::kFine, false, false).state, State::kNotApplicable);
}

TEST(JudgeScores, CallARecordWithoutClaimsMissing) {
  RecordCase record;
  record.no_claims = true;
  const auto scores = judge_scores(record, 0, {}, {});
  for (const Contribution& c : scores) {
    const bool judged = c.metric != MetricId::kInjectionSuspect;  // nothing was
    EXPECT_EQ(c.state, judged ? State::kMissing : State::kNotApplicable) << definition(c.metric).name;
  }
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).num, 0);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).den, 0) << "nobody knows how many claims it would have";
}

// Audit A1: under ~SET the paraphrase of a record may lack, but its claims are there.
TEST(JudgeScores, CountTheClaimsOfARecordThatWasNotAttacked) {
  const auto scores = judge_scores(RecordCase{}, 3, {}, {});
  EXPECT_EQ(of(scores, MetricId::kLeakRate).state, State::kMissing);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).num, 3);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).den, 3);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).best, 0);
}

TEST(JudgeScores, AreNotApplicableWhereNothingIsLeftToJudge) {
  const auto scores = judge_scores(linked_right(), 0, {}, {});
  for (const Contribution& c : scores) EXPECT_EQ(c.state, State::kNotApplicable);
  RecordCase empty = linked_right();
  empty.empty_original = true;
  for (const Contribution& c : judge_scores(empty, 3, Row{1, 1, 1}, Row{1, 1, 1})) {
    EXPECT_EQ(c.state, State::kNotApplicable);
  }
}

TEST(JudgeScores, AreMissingWhereOneRatingIs) {
  const auto scores = judge_scores(linked_right(), 2, Row{1, std::nullopt}, Row{3, 3});
  EXPECT_EQ(of(scores, MetricId::kSemanticDistance).state, State::kMissing);
  EXPECT_EQ(of(scores, MetricId::kLeakRate).num, 2);
}

TEST(JudgeScores, PutExactDistancesIntoTheirTenth) {
  // 3/10, 7/10 and 1 are where floating or fixed point would err.
  const Row three = {3, 2, 1, 1, 1}, seven = {3, 3, 3, 2, 1}, all = {3, 3, 3, 3, 3}, aux = {3, 3, 3, 3, 3};
  EXPECT_EQ(of(judge_scores(linked_right(), 5, three, aux), MetricId::kDistanceHistogram).num, 3);
  EXPECT_EQ(of(judge_scores(linked_right(), 5, seven, aux), MetricId::kDistanceHistogram).num, 7);
  EXPECT_EQ(of(judge_scores(linked_right(), 5, all, aux), MetricId::kDistanceHistogram).num, 9);
}

TEST(JudgeScores, RoundDistancesToTheNearestUnit) {
  // 1/6 and 5/6 of 2^32 are 715827882.67 and 3579139413.33.
  const Row aux = {3, 3, 3};
  EXPECT_EQ(of(judge_scores(linked_right(), 3, Row{2, 1, 1}, aux), MetricId::kSemanticDistance).num, 715827883);
  EXPECT_EQ(of(judge_scores(linked_right(), 3, Row{3, 3, 2}, aux), MetricId::kSemanticDistance).num, 3579139413);
}

TEST(LinkScores, CountTheOwnRecordAsAHit) {
  const LinkedOverlap overlap{{6, 8, 8}, text::Overlap{1, 4, 8}, {}};
  const auto scores = link_scores(linked_right(), overlap);
  EXPECT_EQ(of(scores, MetricId::kLinkageRate).num, 1);
  EXPECT_EQ(of(scores, MetricId::kMrr).num, kOne);
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinked).num, kOne / 4);
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinkedRecall).num, kOne / 4);
}

// Precision 1/2, recall 3/4: F 3/5. Of what is not known 1/12 and 1/4: F 1/8.
TEST(LinkScores, TellTheVariantsOfTheLexicalDistanceApart) {
  const LinkedOverlap overlap{{6, 8, 12}, text::Overlap{1, 4, 12}, {}};
  const auto scores = link_scores(linked_right(), overlap, true);
  EXPECT_EQ(of(scores, MetricId::kLexicalDistance).num, fixed(2, 5));
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinked).num, fixed(2, 5));
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinkedRecall).num, kOne / 4);
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinkedExclAux).num, kOne / 8 * 7);
}

TEST(LinkScores, RankTheTruthBelowTheTop) {
  RecordCase record = linked_right();
  record.linked_own = false;
  record.rank = 4;
  const auto scores = link_scores(record, {});
  EXPECT_EQ(of(scores, MetricId::kLinkageRate).num, 0);
  EXPECT_EQ(of(scores, MetricId::kMrr).num, kOne / 4);
  EXPECT_EQ(of(scores, MetricId::kHitAt10).num, 1);
  record.rank.reset();
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kMrr).num, 0);
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kHitAt10).num, 0);
}

TEST(LinkScores, HaveTheRiskOfADrawAmongTheBest) {
  RecordCase record = linked_right();
  record.risk = fixed(1, 3);
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kMeanRisk).num, fixed(1, 3));
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kMeanRisk).state, State::kValue);
  record.attacked = record.linked = record.linked_own = false;
  const Contribution missing = of(link_scores(record, {}), MetricId::kMeanRisk);
  EXPECT_EQ(missing.state, State::kMissing);
  EXPECT_EQ(missing.num, kOne);
  EXPECT_EQ(missing.best, 0);
  record.aligned = false;
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kMeanRisk).state, State::kNotApplicable);
}

TEST(LinkScores, TakeAFailedRecordAsLinked) {
  RecordCase record = linked_right();
  record.failed = true;
  const auto scores = link_scores(record, {});
  EXPECT_EQ(of(scores, MetricId::kMeanRisk).num, kOne);
  EXPECT_EQ(of(scores, MetricId::kLinkageRate).state, State::kFailed);
  EXPECT_EQ(of(scores, MetricId::kLinkageRate).num, 1);
  EXPECT_EQ(of(scores, MetricId::kLexicalDistanceLinked).num, 0);
}

TEST(LinkScores, MissRecordsWithoutAuxiliaryClaims) {
  RecordCase record;
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kLinkageRate).state, State::kMissing);
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kLinkageRate).num, 1);
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kLexicalDistanceLinked).state, State::kMissing);
}

// Worked by hand.
TEST(LinkScores, SayHowMuchOfTheQueryIsTheRecordsOwnWords) {
  text::RougeTokenizer tokenizer(true);
  const auto precision = [&](const char* query) {
    const LinkedOverlap overlap = compare(tokenizer, {"he drinks one glass of wine daily", query, {}, {}, {}});
    return of(link_scores(linked_right(), overlap), MetricId::kAuxBigramPrecision);
  };
  EXPECT_EQ(precision("the patient drinks one glass of wine").num, fixed(4, 6));
  EXPECT_EQ(precision("one glass of wine is had by the patient").num, fixed(3, 8));
  // What is said twice occurs twice, though the record says it once.
  EXPECT_EQ(precision("one glass and one glass").num, fixed(2, 4));
  EXPECT_EQ(precision("wine").state, State::kNotApplicable);  // It has no bigram.
  RecordCase nothing_known = linked_right();
  nothing_known.attacked = false;
  EXPECT_EQ(of(link_scores(nothing_known, {}), MetricId::kAuxBigramPrecision).state, State::kNotApplicable);
}

// Worked by hand: of {Alice, Paris} none is absent, {Bob} is; the mean is 0.5.
TEST(LinkScores, CountIdentifiersThatTheLinkedTextLacks) {
  const auto existence = [](const RecordCase& record, Share share) {
    LinkedOverlap overlap;
    overlap.identifiers = share;
    return of(link_scores(record, overlap), MetricId::kPiiExistence);
  };
  EXPECT_EQ(existence(linked_right(), {0, 2}).num + existence(linked_right(), {1, 1}).num, kOne);
  EXPECT_EQ(existence(linked_right(), {0, 0}).state, State::kNotApplicable);
  RecordCase record = linked_right();
  record.linked = record.linked_own = false;
  EXPECT_EQ(existence(record, {0, 2}).num, kOne);
  record.failed = true;
  const Contribution failed = existence(record, {0, 2});
  EXPECT_EQ(failed.state, State::kFailed);
  EXPECT_EQ(failed.num, 0);
  EXPECT_EQ(failed.best, kOne);
  EXPECT_EQ(existence(record, {0, 0}).state, State::kNotApplicable) << "as in every other run";
  record.attacked = false;  // nobody looked for identifiers
  EXPECT_EQ(existence(record, {0, 0}).state, State::kFailed);
  record.failed = false;
  EXPECT_EQ(existence(record, {0, 0}).state, State::kMissing);
}

TEST(LinkScores, TakeTheReferencesIdentifiersFromTheLinkedRecord) {
  LinkedOverlap overlap;
  overlap.identifiers = {1, 1};
  overlap.linked_identifiers = Share{1, 4};
  EXPECT_EQ(of(link_scores(linked_right(), overlap), MetricId::kPiiExistenceReference).num, kOne / 4);
  RecordCase record = linked_right();
  record.aligned = false;
  EXPECT_EQ(of(link_scores(record, overlap), MetricId::kPiiExistenceReference).state, State::kNotApplicable);
  record.failed = true;
  EXPECT_EQ(of(link_scores(record, {}), MetricId::kPiiExistenceReference).state, State::kFailed);
}

// An original in another script has no word that ROUGE sees.
TEST(LinkScores, SayNothingOfOriginalsWithoutWords) {
  EXPECT_EQ(of(text_scores(linked_right(), {{}, {}, {}, true}), MetricId::kRougeLF).state, State::kNotApplicable);
  EXPECT_EQ(of(text_scores(linked_right(), {{}, {}, {}, false}), MetricId::kRougeLF).state, State::kValue);
  RecordCase failed = linked_right();
  failed.failed = true;
  EXPECT_EQ(of(text_scores(failed, {{}, {}, {}, true}), MetricId::kRougeLF).state, State::kNotApplicable);
  EXPECT_EQ(of(text_scores(failed, {{}, {}, {}, true}), MetricId::kBleu4).state, State::kFailed);
}

// Whatever became of the record's text and of the attack on it.
TEST(LinkScores, AreApplicableByTheOriginalAlone) {
  std::vector<RecordCase> cases(5, linked_right());
  cases[1].failed = true;
  cases[2].linked = cases[2].linked_own = false;
  cases[3].has_claims = false;
  cases[4].aligned = cases[4].linked_own = false;
  for (const RecordCase& record : cases) {
    const auto applicable = [&](const LinkedOverlap& overlap, MetricId metric) {
      return of(link_scores(record, overlap, true), metric).state != State::kNotApplicable;
    };
    LinkedOverlap overlap{{6, 8, 8}, text::Overlap{1, 4, 8}, {}};
    for (const MetricId metric : {MetricId::kLexicalDistance, MetricId::kLexicalDistanceLinked,
                                  MetricId::kLexicalDistanceLinkedRecall, MetricId::kLexicalDistanceLinkedExclAux}) {
      overlap.no_words = overlap.no_rest = false;
      EXPECT_TRUE(applicable(overlap, metric));
      overlap.no_rest = true;
      EXPECT_EQ(applicable(overlap, metric), metric != MetricId::kLexicalDistanceLinkedExclAux);
      overlap.no_words = true;
      EXPECT_FALSE(applicable(overlap, metric));
    }
  }
}

TEST(LinkScores, SayNothingOfThemWhereNothingIsLinkedEither) {
  RecordCase record = linked_right();
  record.linked = record.linked_own = false;
  LinkedOverlap nothing;
  EXPECT_EQ(of(link_scores(record, nothing), MetricId::kLexicalDistanceLinked).num, kOne);
  nothing.no_words = true;
  EXPECT_EQ(of(link_scores(record, nothing), MetricId::kLexicalDistanceLinked).state, State::kNotApplicable);
}

TEST(TextScores, OfFailedTextsHaveAnotherSentimentAtWorst) {
  RecordCase record;
  record.failed = true;
  AlignedOverlap overlap;
  overlap.sentiment = true;
  EXPECT_EQ(of(text_scores(record, overlap), MetricId::kSentimentAccuracy).state, State::kFailed);
}

TEST(LinkScores, AreNotApplicableToSyntheticRuns) {
  RecordCase record = linked_right();
  record.aligned = false;
  record.linked_own = false;
  EXPECT_EQ(of(link_scores(record, {{6, 8, 8}, std::nullopt, {}}), MetricId::kLinkageRate).state,
            State::kNotApplicable);
  EXPECT_EQ(of(link_scores(record, {{6, 8, 8}, std::nullopt, {}}), MetricId::kLexicalDistanceLinked).num, kOne / 4);
  EXPECT_EQ(outcome(record), Outcome::kNone);
}

TEST(TextScores, TakeTheWorstUtilityForFailedRecords) {
  RecordCase record;
  record.failed = true;
  const auto scores = text_scores(record, {});
  EXPECT_EQ(of(scores, MetricId::kRouge1F).state, State::kFailed);
  EXPECT_EQ(of(scores, MetricId::kRouge1F).num, 0);
  record.failed = false;
  const auto kept = text_scores(record, {{2, 4, 4}, {0, 3, 3}, {1, 4, 4}});
  EXPECT_EQ(of(kept, MetricId::kRouge1F).num, kOne / 2);
  EXPECT_EQ(of(kept, MetricId::kRouge2F).num, 0);
  EXPECT_EQ(of(kept, MetricId::kRougeLF).num, kOne / 4);
}

TEST(TextScores, TakeBleuAndSentiment) {
  AlignedOverlap overlap;
  // Half the words, a third of the pairs, all texts of one length.
  overlap.bleu = {{2, 1, 0, 0}, {4, 3, 2, 1}, 4, 4};
  auto scores = text_scores({}, overlap);
  EXPECT_EQ(of(scores, MetricId::kBleu1).num, kOne / 2);
  EXPECT_EQ(of(scores, MetricId::kBleu2).num, fixed(std::sqrt(1.0 / 6)));
  EXPECT_EQ(of(scores, MetricId::kSentimentAccuracy).state, State::kNotApplicable);  // nobody named a lexicon
  // Three of four words, two of three pairs, one of two triples, the only four: 3/4, 1/2, 1/4, 1/4 as products.
  overlap.bleu = {{3, 2, 1, 1}, {4, 3, 2, 1}, 4, 4};
  scores = text_scores({}, overlap);
  EXPECT_EQ(of(scores, MetricId::kBleu3).num, fixed(std::cbrt(1.0 / 4)));
  EXPECT_EQ(of(scores, MetricId::kBleu4).num, fixed(std::sqrt(1.0 / 2)));
  overlap.sacre_bleu = 37.5;
  EXPECT_EQ(of(text_scores({}, overlap), MetricId::kSacreBleu13a).num, kOne / 8 * 3);
  overlap.sacre_bleu = 100.00000000000004;  // of equal texts, as sacrebleu's own
  EXPECT_EQ(of(text_scores({}, overlap), MetricId::kSacreBleu13a).num, kOne);
  overlap.sentiment = true;
  EXPECT_EQ(of(text_scores({}, overlap), MetricId::kSentimentAccuracy),
            (Contribution{MetricId::kSentimentAccuracy, Outcome::kNone, State::kValue, 0, 1, 0}));
  overlap.same_sentiment = true;
  EXPECT_EQ(of(text_scores({}, overlap), MetricId::kSentimentAccuracy).num, 1);
  RecordCase failed;
  failed.failed = true;
  scores = text_scores(failed, overlap);
  EXPECT_EQ(of(scores, MetricId::kBleu4), (Contribution{MetricId::kBleu4, Outcome::kNone, State::kFailed, 0, 1, kOne}));
  EXPECT_EQ(of(scores, MetricId::kSentimentAccuracy),
            (Contribution{MetricId::kSentimentAccuracy, Outcome::kNone, State::kFailed, 0, 1, 1}));
  RecordCase empty;
  empty.empty_original = true;
  for (const Contribution& c : text_scores(empty, overlap)) EXPECT_EQ(c.state, State::kNotApplicable);
}

}  // namespace
}  // namespace residue::query
