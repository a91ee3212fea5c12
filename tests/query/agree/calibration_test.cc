#include "query/agree/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "numbers/learn/logistic.h"
#include "numbers/learn/ordinal.h"
#include "query/agree/cascade_bands.h"
#include "query/judge/lexical_judge.h"
#include "text/support/support.h"

namespace residue::query {
namespace {

// WiCE's dev part, as `judge calibrate --preset wice` reads it; empty where it is not there.
std::vector<LabelledPair> wice() {
  std::vector<LabelledPair> pairs;
  std::ifstream in(RESIDUE_SOURCE_DIR "/../shared/data/wice/oracle_claim_dev.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    LabelledPair pair;
    pair.claim = pair.record = row["claim"];
    for (const auto& sentence : row["evidence"]) {
      pair.passage += (pair.passage.empty() ? "" : "\n\n") + sentence.get<std::string>();
    }
    pair.rating = row["label"] == "supported" ? 1 : row["label"] == "partially_supported" ? 2 : 3;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

TEST(Calibration, ReachesPeoplesRankingOutOfFold) {
  const auto pairs = wice();
  if (pairs.empty()) GTEST_SKIP() << "no WiCE in ../shared/data";
  const Agreement tested = cross_validate(pairs);
  EXPECT_EQ(tested.pairs, 1043U);
  EXPECT_EQ(tested.records, 349U);
  EXPECT_GE(*tested.spearman, 0.60);
  EXPECT_LT(tested.spearman_interval->low, *tested.spearman);
  EXPECT_GT(tested.spearman_interval->high, *tested.spearman);
  EXPECT_GE(*tested.kappa, 0.5);
  // What is said of the embedded weights is what this says.
  EXPECT_NEAR(lexical_validation().spearman, *tested.spearman, 2e-3);
  EXPECT_NEAR(lexical_validation().low, tested.spearman_interval->low, 5e-3);
  EXPECT_EQ(lexical_validation().pairs, tested.pairs);
  // Users are told the agreement on labels that the judge was not fitted to. It is lower.
  EXPECT_LT(lexical_validation().least_agreement().spearman, *tested.spearman);
  EXPECT_LT(lexical_wordnet_validation().least_agreement().spearman, *tested.spearman);
}

// The table of doubts was counted on the train part of these labels; this is the dev part, of other articles.
TEST(Calibration, DoubtsTheWordsThatPeopleDoubted) {
  std::ifstream in(RESIDUE_SOURCE_DIR "/../shared/data/wice/non_supported_tokens_dev.jsonl");
  if (!in) GTEST_SKIP() << "no WiCE in ../shared/data";
  std::vector<std::pair<std::int32_t, bool>> words;  // doubt, whether people marked the word
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::string claim_text = row["claim"];
    std::string passage_text;
    for (const auto& sentence : row["evidence"]) passage_text += sentence.get<std::string>() + "\n\n";
    text::SupportPassage passage;
    text::SupportClaim claim;
    passage.assign(passage_text);
    claim.assign(claim_text);
    text::SupportDetail detail;
    text::support_features(passage, claim, &detail);
    std::vector<bool> marked(claim_text.size(), false);
    std::size_t at = 0;
    for (std::size_t i = 0; i < row["claim_tokens"].size(); ++i) {
      const std::string token = row["claim_tokens"][i];
      const std::size_t found = claim_text.find(token, at);
      if (found == std::string::npos) continue;
      at = found + token.size();
      if (row["non_supported_spans"][i])
        std::fill(marked.begin() + static_cast<std::ptrdiff_t>(found), marked.begin() + static_cast<std::ptrdiff_t>(at),
                  true);
    }
    for (const auto& word : detail.doubted) {
      const auto begin = static_cast<std::size_t>(word.word.data() - claim_text.data());
      words.emplace_back(text::doubt_percent(word.kind, word.place), marked[begin]);
    }
  }
  double pairs = 0, right = 0;
  for (const auto& [doubt, marked] : words) {
    for (const auto& [other, other_marked] : words) {
      if (!marked || other_marked) continue;
      ++pairs;
      right += doubt > other ? 1 : doubt == other ? 0.5 : 0;
    }
  }
  EXPECT_GT(words.size(), 800U);
  EXPECT_GT(right / pairs, 0.77);
}

// In thousandths. The weights were fitted when accents still told words apart, and stay what they are, so that texts
// without accents keep their ratings: what the pairs with accents change is 46 at most.
constexpr double kOfAccents = 50;

TEST(Calibration, MadeTheEmbeddedWeights) {
  const auto pairs = wice();
  if (pairs.empty()) GTEST_SKIP() << "no WiCE in ../shared/data";
  const LexicalModel fitted = fit_lexical(pairs, lexical_model().version);
  for (std::size_t i = 0; i < fitted.weights.size(); ++i) {
    EXPECT_NEAR(fitted.weights[i], lexical_model().weights[i], kOfAccents) << kLexicalFeatures[i];
  }
  EXPECT_NEAR(fitted.same, lexical_model().same, kOfAccents);
  EXPECT_NEAR(fitted.similar, lexical_model().similar, kOfAccents);
  EXPECT_EQ(lexical_validation().digest, labels_digest(pairs));
}

TEST(Calibration, ReportsTheWorstOfTheirOwnKind) {
  LexicalValidation v;
  const auto add = [&](const char* labels, bool own, std::uint64_t called, double spearman) {
    LexicalValidation::Unseen set;
    set.labels = labels;
    set.own_kind = own;
    set.supported = 100;
    set.called_unsupported = called;
    set.spearman = spearman;
    v.unseen.push_back(set);
  };
  add("other", false, 90, 0.0);
  add("one", true, 1, 0.4);
  add("two", true, 11, 0.5);
  EXPECT_EQ(v.least_agreement().labels, "one");
  EXPECT_EQ(v.most_flattering().labels, "two");
}

// The judge that uses WordNet: the same, with the package's own files.
TEST(Calibration, MadeTheWeightsForWordNet) {
  const auto pairs = wice();
  if (pairs.empty()) GTEST_SKIP() << "no WiCE in ../shared/data";
  const auto judge = installed_judge(kLexicalWordNet);
  if (!judge) GTEST_SKIP() << "no package wordnet-base";
  const auto& lexical = dynamic_cast<const LexicalJudge&>(*judge);
  if (!lexical.validation()) GTEST_SKIP() << "another WordNet than the weights were fitted with";
  const LexicalModel fitted = fit_lexical(pairs, lexical_wordnet_model().version, lexical.wordnet());
  for (std::size_t i = 0; i < fitted.weights.size(); ++i) {
    EXPECT_NEAR(fitted.weights[i], lexical_wordnet_model().weights[i], kOfAccents) << kLexicalFeatures[i];
  }
  EXPECT_NEAR(fitted.same, lexical_wordnet_model().same, kOfAccents);
  EXPECT_NEAR(fitted.similar, lexical_wordnet_model().similar, kOfAccents);
  EXPECT_NE(lexical_wordnet_model().version, lexical_model().version);
  const Agreement tested = cross_validate(pairs, lexical.wordnet());
  EXPECT_NEAR(lexical.validation()->spearman, *tested.spearman, 1e-3);
  EXPECT_NEAR(lexical.validation()->low, tested.spearman_interval->low, 5e-3);
  EXPECT_EQ(lexical.validation()->digest, labels_digest(pairs));
}

TEST(CascadeBands, CountWhatIsAskedAndHowFarTheRestIsRight) {
  const std::vector<LabelledPair> pairs = {
      {"p", "a", "r1", 1}, {"p", "b", "r1", 3}, {"p", "c", "r2", 2}, {"p", "d", "r2", 1}, {"p", "e", "r3", 3}};
  const std::vector<std::optional<Rating>> ratings = {Rating{1, 0.9}, Rating{1, 0.95}, Rating{2, 0.5}, std::nullopt,
                                                      Rating{2, 0.26}};
  const auto found = band_agreement(pairs, ratings, {0.3, 0.9});
  EXPECT_EQ(found.pairs, 4U) << "one was not rated";
  EXPECT_EQ(found.asked, 2U) << "0.9 and 0.5: both ends belong to the band";
  EXPECT_EQ(found.above[2][0], 1U);
  EXPECT_EQ(found.below[2][1], 1U);
  EXPECT_DOUBLE_EQ(*found.right, 0);
  EXPECT_DOUBLE_EQ(*found.reversed, 0.5);
  const auto all = band_agreement(pairs, ratings, {0, 1});
  EXPECT_EQ(all.asked, 4U);
  EXPECT_FALSE(all.right);
  EXPECT_FALSE(all.right_interval);
  EXPECT_DOUBLE_EQ(*band_agreement(pairs, ratings, {0.96, 0.97}).right, 0.5);
}

// Rules move ratings where scores stay: a score of 0.06 rated 2 was outside every band, and never asked about.
TEST(CascadeBands, AskAboutRatingsThatTheirScoresContradict) {
  const Band band{0.1, 0.95};
  for (const Rating& sure : {Rating{3, 0.06}, Rating{1, 0.96}}) EXPECT_FALSE(is_unsure(sure, band)) << sure.score;
  for (const Rating& unsure : {Rating{2, 0.06}, Rating{1, 0.06}, Rating{2, 0.96}, Rating{3, 0.96}, Rating{3, 0.1}}) {
    EXPECT_TRUE(is_unsure(unsure, band)) << unsure.score;
  }
  // What the middle of the scores means depends on the judge.
  for (const Rating& either : {Rating{3, 0.3}, Rating{2, 0.3}, Rating{2, 0.7}, Rating{1, 0.7}}) {
    EXPECT_FALSE(is_unsure(either, {0.4, 0.6})) << either.score;
  }
  const std::vector<LabelledPair> pairs = {{"p", "a", "r1", 3}, {"p", "b", "r1", 3}};
  EXPECT_EQ(band_agreement(pairs, {Rating{2, 0.06}, Rating{3, 0.06}}, band).asked, 1U);
}

TEST(Calibration, RefusesFewOrOneSidedLabels) {
  std::vector<LabelledPair> pairs(49, {"A dog barked.", "A dog barked.", "r", 1});
  const auto refused = [&] {
    try {
      fit_lexical(pairs, "x");
    } catch (const Error& error) {
      return error.code() == Code::kBadInput;
    }
    return false;
  };
  EXPECT_TRUE(refused());
  pairs.resize(60, pairs[0]);
  EXPECT_TRUE(refused());
  for (std::size_t i = 0; i < 40; ++i) pairs[i].rating = static_cast<std::uint8_t>(2 + i % 2);
  EXPECT_FALSE(refused());
}

TEST(Calibration, NamesLabelsWhateverTheirOrder) {
  const LabelledPair a{"p", "c", "r", 1}, b{"p", "d", "r", 2}, other{"p", "d", "r", 3};
  EXPECT_EQ(labels_digest({a, b}), labels_digest({b, a}));
  EXPECT_NE(labels_digest({a, b}), labels_digest({a, other}));
  EXPECT_NE(labels_digest({a, b}), labels_digest({a}));
}

TEST(Ordinal, FindsTheModelThatMadeTheData) {
  // Grades drawn from slope (2, -1) and thresholds (-1, 1) at a grid of points, by quantiles instead of chance.
  std::vector<double> rows;
  std::vector<std::uint8_t> grades;
  for (int x = -10; x <= 10; ++x) {
    for (int y = -10; y <= 10; ++y) {
      const double score = 2 * (x / 5.0) - y / 5.0;
      for (int draw = 0; draw < 20; ++draw) {
        const double u = (draw + 0.5) / 20;
        rows.insert(rows.end(), {x / 5.0, y / 5.0});
        grades.push_back(u < numbers::logistic(score - 1) ? 2 : u < numbers::logistic(score + 1) ? 1 : 0);
      }
    }
  }
  const numbers::OrdinalFit fit = numbers::fit_ordinal(rows, grades, 1e-6);
  EXPECT_NEAR(fit.slopes[0], 2, 0.05);
  EXPECT_NEAR(fit.slopes[1], -1, 0.05);
  EXPECT_NEAR(fit.thresholds[0], -1, 0.05);
  EXPECT_NEAR(fit.thresholds[1], 1, 0.05);
  // Where all grades are equally frequent already, a rating changes where two are equally likely.
  const auto even = numbers::even_thresholds(fit, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  EXPECT_LT(even[0], even[1]);
  EXPECT_NEAR(even[0] + even[1], fit.thresholds[0] + fit.thresholds[1], 0.02);
  // A rare grade has to be believed sooner.
  EXPECT_LT(numbers::even_thresholds(fit, {0.6, 0.3, 0.1})[1], even[1]);
}

TEST(Ordinal, IsFlatWhereNothingVaries) {
  const std::vector<double> rows(30, 1.0);
  std::vector<std::uint8_t> grades;
  for (std::uint8_t i = 0; i < 30; ++i) grades.push_back(i % 3);
  const numbers::OrdinalFit fit = numbers::fit_ordinal(rows, grades, 1);
  EXPECT_NEAR(fit.slopes[0], 0, 1e-9);
  EXPECT_LT(fit.thresholds[0], fit.thresholds[1]);
}

}  // namespace
}  // namespace residue::query
