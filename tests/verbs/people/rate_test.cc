// Pairs for people to rate: which comes when, what is kept of it, how far people and judge agree.
#include "verbs/people/rate.h"

#include <cmath>
#include <limits>
#include <set>

#include "query/judge/lexical_judge.h"
#include "tests/verbs/people/people_store.h"
#include "verbs/keep/remove.h"
#include "verbs/look/calibrate.h"
#include "verbs/look/label.h"

namespace residue::verbs {
namespace {

using query::RatingOrder;

class Rating : public PeopleStore {
 protected:
  Rating() { evaluate(); }

  query::RatingQueue open(std::size_t sample = 30) {
    RatingOptions options;
    options.draw.dataset = "d";
    options.draw.run = "r";
    options.draw.sample = sample;
    options.level = query::ReadLevel::kClaims;
    return open_ratings(*store_, options);
  }
  std::optional<PairToRate> next(const query::RatingQueue& queue, const std::string& who,
                                 RatingOrder order = RatingOrder::kSample) {
    return next_pair(*store_, queue, {.order = order, .annotator = who});
  }
  Kept keep(const query::RatingQueue& queue, const std::string& pair, int rating, const std::string& who,
            bool blind = true, std::optional<double> seconds = std::nullopt) {
    return keep_rating(*store_, queue,
                       {.pair = pair, .rating = rating, .annotator = who, .blind = blind, .seconds = seconds});
  }
};

TEST_F(Rating, AsksAboutTheSampleThatLabelDrawsAndAboutNoPairTwice) {
  query::LabelOptions drawn;
  drawn.dataset = "d";
  drawn.run = "r";
  drawn.sample = 30;
  const LabelResult sample = label(*store_, drawn);
  ASSERT_EQ(sample.sample.items.size(), 30U);
  for (const std::string who : {"ann", "bo"}) {
    std::vector<std::string> asked;
    for (std::size_t i = 0;; ++i) {
      const query::RatingQueue queue = open();  // as another process would
      const auto pair = next(queue, who);
      if (!pair) break;
      ASSERT_LT(i, sample.sample.items.size());
      EXPECT_EQ(pair->claim_text, sample.claims[i]);
      EXPECT_EQ(pair->passage, sample.passages[i]);
      EXPECT_EQ(pair->done, i);
      EXPECT_EQ(pair->left, 30 - i);
      EXPECT_TRUE(pair->blind);
      EXPECT_FALSE(pair->judge);
      EXPECT_EQ(next(queue, who)->pair, pair->pair) << "nothing was said meanwhile";
      asked.push_back(pair->pair);
      EXPECT_EQ(keep(queue, pair->pair, 1 + static_cast<int>(i % 3), who), Kept::kNew);
    }
    EXPECT_EQ(asked.size(), 30U);
    EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()).size(), 30U);
  }
}

TEST_F(Rating, PassesOverWhatSomebodyWouldRatherNotRate) {
  const query::RatingQueue queue = open();
  const auto first = next(queue, "ann");
  const auto second = next_pair(*store_, queue, {.annotator = "ann", .passed_over = {first->pair}});
  EXPECT_NE(second->pair, first->pair);
  EXPECT_EQ(second->left, 30U);
}

TEST_F(Rating, KeepsWhatIngestLabelsKeepsOfAFile) {
  const query::RatingQueue queue = open();
  const auto pair = next(queue, "ann");
  keep(queue, pair->pair, 2, "ann", true, 12.5);
  const char* const labels =
      "SELECT l.kind, r.key, u.name, l.annotator FROM label l JOIN record r ON r.id = l.record_id JOIN run u ON u.id = "
      "l.run_id";
  const auto payloads = [&] {
    std::string all;
    storage::Statement find = store_->db().prepare("SELECT subject_id, payload_id FROM label ORDER BY id");
    while (find.step()) {
      all += store_->facts().read()->text(find.id<TextId>(0)) + store_->facts().read()->text(find.id<TextId>(1)) + "\n";
    }
    return all;
  };
  const std::string rows = ask(labels), texts = payloads();
  EXPECT_EQ(ask("SELECT blind, ms, chosen FROM label_asked"), "1|12500|sample\n");
  reopen(true);
  evaluate();
  ingest::LabelRow row;
  row.record = pair->claim.substr(0, pair->claim.find('#'));
  row.claim = static_cast<std::uint32_t>(std::stoul(pair->claim.substr(pair->claim.find('#') + 1)));
  row.run = "r";
  row.annotator = "ann";
  const Json payload = {
      {"claim", pair->claim}, {"claim_text", pair->claim_text}, {"passage", pair->passage}, {"run", "r"}, {"rating", 2},
      {"annotator", "ann"}};
  row.payload = payload.sorted().dump();
  LabelsOptions file;
  file.dataset = "d";
  file.source.kind = "support";
  const std::vector<ingest::LabelRow> all = {row};
  file.rows = all;
  ingest_labels(*store_, file);
  EXPECT_EQ(ask(labels), rows);
  EXPECT_EQ(payloads(), texts);
  const query::RatingQueue again = open();
  EXPECT_NE(next(again, "ann")->pair, pair->pair) << "it was rated in a file";
  EXPECT_EQ(keep(again, pair->pair, 2, "ann"), Kept::kSame) << "the same label, whoever brought it";
}

TEST_F(Rating, ReplacesAChangedMindAndForgetsNoSight) {
  const query::RatingQueue queue = open();
  const std::string pair = next(queue, "ann")->pair;
  EXPECT_EQ(keep(queue, pair, 1, "ann"), Kept::kNew);
  EXPECT_EQ(keep(queue, pair, 1, "ann"), Kept::kSame);
  EXPECT_EQ(keep(queue, pair, 3, "ann"), Kept::kChanged);
  EXPECT_EQ(ask("SELECT count(*), sum(k.blind) FROM label l JOIN label_asked k ON k.label_id = l.id"), "1|1\n");
  EXPECT_EQ(keep(queue, pair, 3, "ann", false), Kept::kSame);
  EXPECT_EQ(ask("SELECT blind FROM label_asked"), "0\n");
  EXPECT_EQ(keep(queue, pair, 2, "ann", true), Kept::kChanged);
  EXPECT_EQ(ask("SELECT blind FROM label_asked"), "0\n") << "what was seen stays seen";
  EXPECT_EQ(keep(queue, pair, 2, "bo", true), Kept::kNew);
  EXPECT_EQ(ask("SELECT blind FROM label_asked ORDER BY label_id"), "0\n1\n");
}

TEST_F(Rating, ShowsWhatOthersSaidOnlyWhereItIsAskedFor) {
  const query::RatingQueue queue = open();
  const std::string pair = next(queue, "ann")->pair;
  keep(queue, pair, 2, "ann");
  const auto shown = next_pair(*store_, queue, {.annotator = "bo", .show = true});
  EXPECT_EQ(shown->pair, pair);
  EXPECT_FALSE(shown->blind);
  ASSERT_TRUE(shown->judge);
  EXPECT_EQ(std::to_string(*shown->judge) + "\n",
            ask("SELECT m.rating FROM judgment m JOIN claim c ON c.text_id = m.claim_id JOIN record r ON r.id = "
                "c.record_id JOIN judge j ON j.id = m.judge_id WHERE j.name = 'lexical' AND m.passage_id = " +
                pair.substr(pair.find('@') + 1) + " AND r.key || '#' || c.n = '" + shown->claim + "'"));
  EXPECT_EQ(shown->by_others, (std::vector<std::pair<std::string, std::uint8_t>>{{"ann", 2}}));
}

TEST_F(Rating, FindsDisagreements) {
  const query::RatingQueue queue = open();
  EXPECT_FALSE(next(queue, "bo", RatingOrder::kDisagreements)) << "nobody has said anything";
  std::vector<std::string> near, far;
  for (int i = 0; i < 20; ++i) {
    const auto pair = next_pair(*store_, queue, {.annotator = "ann", .show = true});
    const int judge = *pair->judge;
    const int said = i % 2 == 0 ? judge : judge == 3 ? 1 : judge + 1;
    if (std::abs(said - judge) == 1) near.push_back(pair->pair);
    if (std::abs(said - judge) == 2) far.push_back(pair->pair);
    keep(queue, pair->pair, said, "ann", false);
  }
  ASSERT_EQ(near.size() + far.size(), 10U);
  std::vector<std::string> asked;
  while (const auto pair = next(queue, "bo", RatingOrder::kDisagreements)) {
    EXPECT_EQ(pair->left, 10 - asked.size());
    asked.push_back(pair->pair);
    keep_rating(*store_, queue,
                {.pair = pair->pair, .rating = 2, .annotator = "bo", .order = RatingOrder::kDisagreements});
  }
  ASSERT_EQ(asked.size(), 10U);
  const std::set<std::string> first(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(far.size()));
  EXPECT_EQ(first, std::set<std::string>(far.begin(), far.end())) << "the furthest apart come first";
  EXPECT_EQ(ask("SELECT count(*) FROM label_asked WHERE chosen = 'disagreements'"), "10\n");
}

TEST_F(Rating, AsksFirstAboutWhatIsNearestToAThreshold) {
  const query::RatingQueue queue = open();
  const query::LexicalJudge judge;
  const auto thresholds = judge.thresholds();
  EXPECT_LT(thresholds[0], thresholds[1]);
  double before = -1;
  int asked = 0;
  for (; asked < 40; ++asked) {
    const auto pair = next(queue, "ann", RatingOrder::kUnsure);
    if (!pair) break;
    const query::Request request{pair->passage, {pair->claim_text}};
    const double score = judge.rate({&request, 1})[0][0]->score;
    const double away = std::min(std::abs(score - thresholds[0]), std::abs(score - thresholds[1]));
    EXPECT_GE(away, before - 1e-12);
    before = away;
    keep(queue, pair->pair, 2, "ann");
  }
  EXPECT_EQ(asked, 40);
}

TEST_F(Rating, RefusesWhatIsNoRating) {
  const query::RatingQueue queue = open();
  const std::string pair = next(queue, "ann")->pair;
  for (const int rating : {0, 4, -1, 1000000})
    EXPECT_EQ(refused([&] { keep(queue, pair, rating, "ann"); }).substr(0, 2), "6 ");
  for (const std::string who : {"", " ann", "ann ", "a\nb", "a\x7f"}) {
    EXPECT_EQ(refused([&] { keep(queue, pair, 1, who); }).substr(0, 2), "2 ");
    EXPECT_EQ(refused([&] { next(queue, who); }).substr(0, 2), "2 ");
  }
  EXPECT_EQ(refused([&] { keep(queue, pair, 1, std::string(101, 'a')); }).substr(0, 2), "2 ");
  for (const std::string none : {"", "n00#1", "n00#99@1", "@", "zz"}) {
    EXPECT_EQ(refused([&] { keep(queue, none, 1, "ann"); }).substr(0, 2), "6 ") << none;
  }
  for (const double seconds :
       {-1.0, 86401.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(refused([&] { keep(queue, pair, 1, "ann", true, seconds); }).substr(0, 2), "6 ");
  }
  EXPECT_EQ(ask("SELECT count(*) FROM label"), "0\n");
  RatingOptions options;
  options.draw.dataset = "d";
  options.draw.run = "r";
  EXPECT_EQ(refused([&] { open_ratings(*store_, options); }).substr(0, 2), "2 ");
  options.level = query::ReadLevel::kClaims;
  options.draw.run = "none";
  EXPECT_EQ(refused([&] { open_ratings(*store_, options); }).substr(0, 2), "3 ");
  options.level = query::ReadLevel::kOriginals;
  EXPECT_GT(open_ratings(*store_, options).all.size(), 0U);
}

TEST_F(Rating, IsOfTheTextsAsTheyWere) {
  const query::RatingQueue queue = open();
  const std::string pair = next(queue, "ann")->pair;
  add_run("r", {2, 3}, 4);
  EXPECT_EQ(refused([&] { next(queue, "ann"); }).substr(0, 3), "75 ");
  EXPECT_EQ(refused([&] { keep(queue, pair, 1, "ann"); }).substr(0, 3), "75 ");
  EXPECT_EQ(ask("SELECT count(*) FROM label"), "0\n");
}

TEST_F(Rating, AgreesAsCalibrateDoesOnTheSameLabels) {
  const query::RatingQueue queue = open(75);
  Labels labels;
  const auto said = [](std::size_t i) { return 1 + static_cast<int>((i * i + i / 3) % 3); };
  for (std::size_t i = 0; i < 60; ++i) {
    const auto pair = next(queue, "ann");
    ASSERT_TRUE(pair);
    const std::string record = pair->claim.substr(0, pair->claim.find('#'));
    // Files do not say whose a record is; n00 and n01 are of one person.
    if (record == "n00" || record == "n01") {
      keep(queue, pair->pair, 1, "gone");
      keep(queue, pair->pair, 1, "ann");
      continue;
    }
    labels.push_back({pair->passage, pair->claim_text, record, static_cast<std::uint8_t>(said(i)),
                      "p-" + std::to_string(std::stoi(record.substr(1)))});
    keep(queue, pair->pair, said(i), "ann", i % 2 == 0, static_cast<double>(i));
  }
  ASSERT_GE(labels.size(), query::kFewestLabels);
  RemoveOptions gone;
  gone.target = {"d", "n00"};
  gone.record = true;
  remove(*store_, gone, Removal::What::kRecord);
  gone.target = {"d", "n01"};
  remove(*store_, gone, Removal::What::kRecord);
  EXPECT_EQ(ask("SELECT count(*) FROM label_asked"), std::to_string(labels.size()) + "\n") << "with their records";
  const query::PeopleAgreement found = people_agreement(*store_, {"d", "r", std::nullopt, false});
  const query::Agreement expected = calibrate(query::LexicalJudge(), labels).as_is;
  EXPECT_EQ(found.judge, "lexical");
  EXPECT_EQ(found.labels, labels.size());
  EXPECT_FALSE(found.too_few);
  const query::Agreement& all = found.everyone;
  EXPECT_EQ(all.confusion, expected.confusion);
  EXPECT_EQ(all.records, expected.records);
  EXPECT_EQ(all.spearman, expected.spearman);
  EXPECT_EQ(all.rating_spearman, expected.rating_spearman);
  EXPECT_EQ(all.kappa, expected.kappa);
  ASSERT_TRUE(all.spearman_interval && all.kappa_interval);
  EXPECT_EQ(all.spearman_interval->low, expected.spearman_interval->low);
  EXPECT_EQ(all.kappa_interval->high, expected.kappa_interval->high);
  ASSERT_EQ(found.annotators.size(), 1U);
  EXPECT_EQ(found.annotators[0].blind + found.annotators[0].shown, labels.size());
  EXPECT_TRUE(found.annotators[0].median_seconds);
}

TEST_F(Rating, SaysOfFewLabelsOnlyHowMany) {
  const query::RatingQueue queue = open();
  for (int i = 0; i < 5; ++i) keep(queue, next(queue, "ann")->pair, 1, "ann");
  keep_rating(*store_, queue,
              {.pair = next(queue, "bo", RatingOrder::kUnsure)->pair,
               .rating = 3,
               .annotator = "bo",
               .order = RatingOrder::kUnsure});
  const query::PeopleAgreement found = people_agreement(*store_, {"d", std::nullopt, "lexical", false});
  EXPECT_TRUE(found.too_few);
  EXPECT_EQ(found.labels, 6U);
  EXPECT_EQ(found.blind, 6U);
  EXPECT_EQ(found.not_samples, 1U);
  EXPECT_EQ(found.everyone.pairs, 6U);
  EXPECT_FALSE(found.everyone.spearman);
  EXPECT_FALSE(found.everyone.kappa_interval);
  ASSERT_EQ(found.annotators.size(), 2U);
  EXPECT_EQ(people_agreement(*store_, {"d", std::nullopt, "lexical", true}).labels, 5U);
  EXPECT_EQ(refused([&] { people_agreement(*store_, {"d", std::nullopt, "nobody", false}); }).substr(0, 2), "3 ");
  EXPECT_EQ(refused([&] { people_agreement(*store_, {"e", std::nullopt, "lexical", false}); }).substr(0, 2), "3 ");
}

}  // namespace
}  // namespace residue::verbs
