#include "query/score/label_scores.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/metric/aggregate.h"

namespace residue::query {
namespace {

using M = MetricId;

const Contribution* find(const std::vector<Contribution>& scores, M metric, const std::string& cut = "") {
  for (const Contribution& c : scores) {
    if (c.metric == metric && c.cut == cut) return &c;
  }
  return nullptr;
}

void expect(const std::vector<Contribution>& scores, M metric, std::int64_t num, std::int64_t den,
            const std::string& cut = "") {
  SCOPED_TRACE(std::string(definition(metric).name) + " " + cut);
  const Contribution* c = find(scores, metric, cut);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(*c, (Contribution{metric, Outcome::kNone, State::kValue, num, den, num, cut}));
}

void expect_state(const std::vector<Contribution>& scores, M metric, State state, std::int64_t worst = 0,
                  std::int64_t best = 0, std::int64_t den = 0) {
  SCOPED_TRACE(definition(metric).name);
  const Contribution* c = find(scores, metric);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(*c, (Contribution{metric, Outcome::kNone, state, worst, den, best, {}}));
}

const std::string kOslo = "John Smith met Mary in Oslo.";

RecordLabels oslo() {
  RecordLabels labels;
  for (
      const char* payload :
      {R"({"record":"r","start":0,"end":10,"unit":"byte","type":"PERSON","identifier":"DIRECT","entity":"e1","annotator":"a1"})",
       R"({"record":"r","start":0,"end":10,"unit":"byte","type":"PERSON","identifier":"DIRECT","entity":"e1","annotator":"a2"})",
       R"({"record":"r","start":23,"end":27,"unit":"byte","text":"Oslo","identifier":"quasi","entity":"e2","annotator":"a2"})"}) {
    add_label("span", payload, kOslo, labels);
  }
  return labels;
}

TEST(LabelScores, AreTheWorkedExampleOfSpans) {
  const auto scores = label_scores({}, oslo(), kOslo, "John ### met Mary in [CITY].");
  expect(scores, M::kTokenRecall, 3, 5);
  expect(scores, M::kMentionRecall, 1, 3);
  expect(scores, M::kEntityRecallDirect, 0, 2);
  expect(scores, M::kEntityRecallQuasi, 1, 1);
  expect(scores, M::kTokenPrecision, 3, 4);
  expect(scores, M::kTokenRecall, 2, 4, "PERSON");
  expect(scores, M::kTokenRecall, 1, 1, "no type");
  EXPECT_EQ(find(scores, M::kEntityRecallQuasi, "PERSON"), nullptr);
  expect_state(scores, M::kRedactionRecall, State::kNotApplicable);
  expect_state(scores, M::kPrivacyError, State::kNotApplicable);
}

// By hand: Smith 4 and Oslo 2.5 + 1.5 inside a mention of somebody, twice each: 2 * 4 + 4 of 2 * 8.
// Of "Smith John" for "John Smith" a comparison of texts finds one word kept; the sanitizer knows better.
TEST(LabelScores, TakeARunsOwnSpansWhereTheyAreExact) {
  const std::string sanitized = "Smith John met Mary in Oslo.";
  const auto by_difference = [&](const std::string& json) {
    return find(label_scores({}, oslo(), kOslo, sanitized, replaced_spans(json)), M::kTokenRecall)->num;
  };
  EXPECT_LT(by_difference("[]"), 4);
  const auto own = replaced_spans(R"([[0,10,"PERSON","Smith John"]])");
  expect(label_scores({}, oslo(), kOslo, sanitized, own), M::kTokenRecall, 4, 5);
  // What reads the same is not masked; spans of another text say nothing.
  const auto same = replaced_spans(R"([[0,4,"PERSON","JOHN"],[5,10,"PERSON","Smythe"]])");
  expect(label_scores({}, oslo(), kOslo, "JOHN Smythe met Mary in Oslo.", same), M::kTokenRecall, 2, 5);
  for (const char* wrong : {R"([[0,10,"PERSON","Smith Jon"]])", R"([[0,10,"PERSON","Smith John"],[5,7,"A",""]])",
                            R"([[0,99,"PERSON","Smith John"]])", R"([])", R"(x)", R"([[0,10,"PERSON"]])"}) {
    EXPECT_EQ(by_difference(wrong), by_difference("[]")) << wrong;
  }
}

TEST(LabelScores, WeighMaskedWordsByWhatTheyTell) {
  RecordLabels labels = oslo();
  expect_state(label_scores({}, labels, kOslo, "John ### met Mary in [CITY]."), M::kTokenPrecisionWeighted,
               State::kNotApplicable);
  add_label("span", R"({"record":"r","start":5,"end":10,"weight":4})", kOslo, labels);
  // Oslo, twice, tells as much as Smith: 2 * 4 of 4 * 4, or all of it.
  expect_state(label_scores({}, labels, kOslo, "John ### met Mary in [CITY]."), M::kTokenPrecisionWeighted,
               State::kMissing, 8 * 65'536, 16 * 65'536, 16 * 65'536);
  add_label("span", R"({"record":"r","start":23,"end":25,"weight":2.5})", kOslo, labels);
  add_label("span", R"({"record":"r","start":25,"end":27,"weight":1.5})", kOslo, labels);
  const auto scores = label_scores({}, labels, kOslo, "John ### met Mary in [CITY].");
  expect(scores, M::kTokenPrecisionWeighted, 12 * 65'536, 16 * 65'536);
  expect(scores, M::kTokenPrecision, 3, 4);
  expect(scores, M::kMentionRecall, 1, 3);
  RecordCase failed;
  failed.failed = true;
  expect_state(label_scores(failed, labels, kOslo, ""), M::kTokenPrecisionWeighted, State::kFailed);
}

// Masked words are there, what to hold them against is not: all in vain, or none.
TEST(LabelScores, BoundThePrecisionOfOutdatedLabels) {
  RecordLabels labels = oslo();
  add_label("span", R"({"record":"r","start":0,"end":4,"unit":"byte","text":"Paul"})", kOslo, labels);
  const std::string sanitized = "John ### met Mary in [CITY].";
  expect_state(label_scores({}, labels, kOslo, sanitized), M::kTokenPrecision, State::kMissing, 0, 4, 4);
  add_label("span", R"({"record":"r","start":5,"end":10,"weight":0})", kOslo, labels);
  expect_state(label_scores({}, labels, kOslo, sanitized), M::kTokenPrecisionWeighted, State::kMissing, 0, 2 * 65'536,
               2 * 65'536);
}

TEST(LabelScores, AreTheWorkedExampleOfTerms) {
  const std::string text = "my name is John Smith zip 12345";
  RecordLabels labels;
  for (const char* name : {"John", "Smith", "12345"}) labels.entities.push_back({name, "slot", false});
  const auto scores = label_scores({}, labels, text, "my *** *** *** Smith zip 99999");
  expect(scores, M::kRedactionRecall, 2, 3);
  expect(scores, M::kRedactionPrecision, 2, 4);
  expect(scores, M::kRedactionF1, 4, 7);
  expect(scores, M::kPrivacyError, 1, 3);
  expect(scores, M::kPrivacyError, 1, 3, "slot");
  expect_state(scores, M::kUtilityError, State::kNotApplicable);
  expect_state(scores, M::kTokenRecall, State::kNotApplicable);
}

// Audit A11: an entity that is encoded or has lost its accents is there.
TEST(LabelScores, FindEntitiesThatReadTheSame) {
  RecordLabels labels;
  for (const char* name : {"Élodie", "Zurich", "Łódź"}) labels.entities.push_back({name, "slot", false});
  expect(label_scores({}, labels, "Élodie of Zurich, Łódź", "E_l_o_d_i_e or Elodie; Zürich"), M::kPrivacyError, 2, 3);
  expect(label_scores({}, labels, "Élodie of Zurich, Łódź", "&#201;lodie, Lodz"), M::kPrivacyError, 2, 3);
}

TEST(LabelScores, CountEntitiesOfThePromptOnce) {
  constexpr std::string_view kTrip = "Ann went to Oslo and Rome. Ann!";
  RecordLabels labels;
  add_label("entity", R"({"record":"r","entity":"Ann","type":"PERSON","relevant":false})", kTrip, labels);
  add_label("entity", R"({"record":"r","entity":"Ann","type":"NAME","relevant":false})", kTrip, labels);
  add_label("entity", R"({"record":"r","entity":"Oslo","type":"LOC","relevant":true})", kTrip, labels);
  add_label("entity", R"({"record":"r","entity":"Rome","type":"LOC","relevant":true})", kTrip, labels);
  const auto scores = label_scores({}, labels, kTrip, "A. went to Oslo and X. ANN!");
  expect(scores, M::kPrivacyError, 1, 1);
  expect(scores, M::kPrivacyError, 1, 1, "PERSON");
  expect(scores, M::kPrivacyError, 1, 1, "NAME");
  EXPECT_EQ(find(scores, M::kPrivacyError, "LOC"), nullptr);
  expect(scores, M::kUtilityError, 1, 2);
  expect(scores, M::kUtilityError, 1, 2, "LOC");
}

// The text was edited: whether the release still says what the label named, nobody knows.
TEST(LabelScores, MissWhatEntitiesThatDoNotOccurSay) {
  constexpr std::string_view kTrip = "Ann went to Oslo.";
  RecordLabels labels;
  add_label("entity", R"({"record":"r","entity":"Ann","type":"PERSON","relevant":false})", kTrip, labels);
  add_label("entity", R"({"record":"r","entity":"Oslo","type":"LOC","relevant":true})", kTrip, labels);
  add_label("entity", R"({"record":"r","entity":"Paris","type":"LOC","relevant":false})", kTrip, labels);
  const auto scores = label_scores({}, labels, kTrip, "X. went to Oslo.");
  expect_state(scores, M::kPrivacyError, State::kMissing, 2, 0, 2);
  expect_state(scores, M::kRedactionRecall, State::kMissing, 0, 1, 1);
  expect_state(scores, M::kRedactionF1, State::kMissing, 0, 2, 2);
  expect(scores, M::kUtilityError, 0, 1);

  RecordLabels lost;
  add_label("entity", R"({"record":"r","entity":"Paris","type":"LOC","relevant":false})", kTrip, lost);
  const auto none = label_scores({}, lost, kTrip, "X. went to Oslo.");
  expect_state(none, M::kPrivacyError, State::kMissing, 1, 0, 1);
  expect_state(none, M::kRedactionRecall, State::kMissing, 0, 0, 0);
  expect_state(none, M::kRedactionF1, State::kMissing, 0, 0, 0);
  expect_state(none, M::kRedactionPrecision, State::kMissing, 0, 1, 1);
  expect_state(none, M::kUtilityError, State::kNotApplicable);
}

TEST(LabelScores, LeakAllOfAFailedText) {
  RecordCase failed;
  failed.failed = true;
  RecordLabels labels = oslo();
  labels.entities.push_back({"John Smith", "PERSON", false});
  labels.entities.push_back({"Oslo", "LOC", true});
  const auto scores = label_scores(failed, labels, kOslo, "");
  expect_state(scores, M::kTokenRecall, State::kFailed, 0, 5, 5);
  expect_state(scores, M::kEntityRecallDirect, State::kFailed, 0, 2, 2);
  expect_state(scores, M::kTokenPrecision, State::kFailed);
  expect_state(scores, M::kRedactionRecall, State::kFailed, 0, 2, 2);
  expect_state(scores, M::kRedactionPrecision, State::kFailed);
  expect_state(scores, M::kRedactionF1, State::kFailed, 0, 4, 4);
  expect_state(scores, M::kPrivacyError, State::kFailed, 1, 0, 1);
  expect_state(scores, M::kUtilityError, State::kFailed, 1, 0, 1);
}

TEST(LabelScores, MissWhatLabelsOfAnotherTextSay) {
  RecordLabels labels;
  add_label("span", R"({"record":"r","start":0,"end":4,"unit":"byte","text":"Paul","type":"P"})", kOslo, labels);
  add_label("span", R"({"record":"r","start":20,"end":400,"unit":"byte","type":"P"})", kOslo, labels);
  add_label("span", R"({"record":"r","start":0,"end":10,"unit":"byte","type":"P"})", kOslo, labels);
  EXPECT_TRUE(labels.outdated);
  const auto scores = label_scores({}, labels, kOslo, "*** met Mary in Oslo.");
  expect_state(scores, M::kTokenRecall, State::kMissing, 0, 2, 2);
  expect_state(scores, M::kEntityRecallDirect, State::kNotApplicable);  // nobody said how it identifies
}

// All that is left of its labels: the record is missing from every metric that it had a part in.
TEST(LabelScores, MissRecordsWhoseLabelsAreAllOfAnotherText) {
  RecordLabels labels;
  add_label("span", R"({"start":0,"end":4,"unit":"byte","text":"Paul","identifier":"DIRECT"})", kOslo, labels);
  const auto scores = label_scores({}, labels, kOslo, "*** met Mary in Oslo.");
  for (const M metric : {M::kTokenRecall, M::kMentionRecall, M::kEntityRecallDirect}) {
    expect_state(scores, metric, State::kMissing, 0, 0, 0);  // of units that nobody knows
  }
  expect_state(scores, M::kEntityRecallQuasi, State::kNotApplicable);
}

TEST(LabelScores, AreNotApplicableWithoutLabelsOrTheirOwnText) {
  RecordCase synthetic;
  synthetic.aligned = false;
  RecordCase empty;
  empty.empty_original = true;
  for (const auto& scores : {label_scores({}, {}, kOslo, ""), label_scores(synthetic, oslo(), "", ""),
                             label_scores(empty, oslo(), "", "")}) {
    std::size_t metrics = 0;
    for (const Contribution& c : scores) {
      EXPECT_EQ(c.state, State::kNotApplicable);
      EXPECT_EQ(c.cut, "");
      ++metrics;
    }
    EXPECT_EQ(metrics, 11U);  // all of the tier but the harmonic mean
  }
}

TEST(Aggregate, TakesTheHarmonicMeanOfTwoRates) {
  Aggregate recall(definition(M::kTokenRecall));
  Aggregate precision(definition(M::kTokenPrecision));
  numbers::Weights weights;
  for (std::uint64_t unit = 1; unit <= 4; ++unit) {
    numbers::draw_weights(unit, weights);
    recall.add({M::kTokenRecall, Outcome::kNone, State::kValue, 1, 2, 1, {}}, weights);
    precision.add({M::kTokenPrecision, Outcome::kNone, State::kValue, 3, 4, 3, {}}, weights);
  }
  MetricRow row = recall.harmonic(precision, M::kTokenF1);
  EXPECT_DOUBLE_EQ(*row.value, 0.6);  // 2 x 0.5 x 0.75 / 1.25
  EXPECT_LT(*row.low, 0.45);          // all records are alike, yet four say little
  EXPECT_GT(*row.high, 0.75);
  EXPECT_EQ(row.n, 4);
  // A record is lost, of whose two tokens none or both were masked: 4/10 and 6/10.
  recall.add({M::kTokenRecall, Outcome::kNone, State::kFailed, 0, 2, 2, {}}, weights);
  precision.add({M::kTokenPrecision, Outcome::kNone, State::kFailed, 0, 0, 0, {}}, weights);
  row = recall.harmonic(precision, M::kTokenF1);
  // Of what was masked in it nobody knows anything: as much as elsewhere, in vain or not. 12/20 and 16/20.
  EXPECT_DOUBLE_EQ(*row.value, 2 * 0.4 * 0.6 / 1.0);
  EXPECT_DOUBLE_EQ(*row.if_private, 2 * 0.6 * 0.8 / 1.4);
  EXPECT_DOUBLE_EQ(*row.drop_value, 0.6);
  EXPECT_EQ(row.failed, 1);
  const Aggregate nothing(definition(M::kTokenPrecision));
  EXPECT_EQ(recall.harmonic(nothing, M::kTokenF1).value, std::nullopt);
}

}  // namespace
}  // namespace residue::query
