// Whether texts of one person find each other, by hand and by definition.
#include "query/corpus/same_person.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "index/bm25.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/gates/gates.h"
#include "tests/query/store_fixture.h"
#include "text/words/analyzer.h"

namespace residue::query::testing {
namespace {

RecordRow of_person(const std::string& key, const std::string& text, const std::string& person) {
  RecordRow row = record(key, text);
  row.person = person;
  return row;
}

VariantRow lost(const std::string& key) {
  VariantRow row = variant(key, "");
  row.text.reset();
  row.error = "timeout";
  return row;
}

class SamePerson : public QueryStore {
 protected:
  CorpusCounts compute(const std::optional<std::string>& run = std::nullopt) {
    CorpusOptions options;
    options.metrics = {MetricId::kSamePersonLinkage, MetricId::kSamePersonLinkageNet};
    return evaluate_corpus(store(), {{"d", run}}, options);
  }
  ReportMetric metric(MetricId id, const std::string& run, MissingPolicy missing = MissingPolicy::kLeaked) {
    ReportOptions options;
    options.missing = missing;
    const ReportRun one = report_run(run, options);
    const auto found = one.metrics.find(id);
    return found == one.metrics.end() ? ReportMetric{} : found->second;
  }
  double value(const std::string& run) { return *metric(MetricId::kSamePersonLinkage, run).all.value; }
  double net(const std::string& run) { return *metric(MetricId::kSamePersonLinkageNet, run).all.value; }

  // p has two records, q three, s one.
  void add_six() {
    add_records({of_person("a", "Bees of Oslo.", "p"), of_person("b", "Bees of Rome.", "p"),
                 of_person("c", "Loans and banks.", "q"), of_person("d", "Banks and debts.", "q"),
                 of_person("e", "Goats on hills.", "q"), of_person("f", "Somebody else.", "s")});
    std::vector<ClaimsRow> facts;
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) facts.push_back(claims(key, {"One.", "Two."}));
    add_claims(facts);
  }
};

TEST_F(SamePerson, IsWhatTheBestOtherTextIsOf) {
  add_six();
  add_run("r", {variant("a", "bees"), variant("b", "bees honey"), variant("c", "bank loan"), variant("d", "bank debt"),
                variant("e", "goat"), variant("f", "bees loan")});
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(compute("r").computed, 2U);
  // a: b and f, of two words both, tie: 1/2. b: a, which is shorter. c: both d and f share one word, the rarer is
  // "bank" or "loan": each in two, so they tie: 1/2. d: c. e: nothing, so a guess: 2 of 5. f is of nobody else.
  const double expected = (0.5 + 1 + 0.5 + 1 + 0.4) / 5;
  EXPECT_NEAR(value("r"), expected, 1e-9);
  EXPECT_EQ(metric(MetricId::kSamePersonLinkage, "r").all.n, 5);
  EXPECT_EQ(metric(MetricId::kSamePersonLinkage, "r").all.not_applicable, 1);
  EXPECT_EQ(metric(MetricId::kSamePersonLinkage, "r").all.coverage, 1);
  const double guess = (2 * 0.2 + 3 * 0.4) / 5;
  EXPECT_NEAR(net("r"), (expected - guess) / (1 - guess), 1e-6);
  EXPECT_NEAR(*metric(MetricId::kSamePersonLinkageNet, "r").all.units, 5 * (1 - guess), 1e-6);
  EXPECT_LT(*metric(MetricId::kSamePersonLinkage, "r").all.low, expected);
  expect_proven();
}

TEST_F(SamePerson, IsAGuessWhereNothingIsLeft) {
  add_six();
  evaluate_all({"bm25/first:1"});
  compute();
  EXPECT_NEAR(value("remove-all"), (2 * 0.2 + 3 * 0.4) / 5, 1e-9);
  EXPECT_EQ(net("remove-all"), 0) << "exactly";
  EXPECT_LE(*metric(MetricId::kSamePersonLinkageNet, "remove-all").all.low, 0);
  EXPECT_GT(net("none"), 0.3);
  expect_proven();
}

TEST_F(SamePerson, CountsFailuresAsLinked) {
  add_six();
  add_run("r", {lost("a"), variant("b", "bees"), variant("c", "bank loan"), variant("d", "bank debt"),
                variant("e", "goat"), variant("f", "bees")});
  evaluate_all({"bm25/first:1"});
  compute("r");
  // a failed, and b has no other text of p left; c and d find each other, e guesses 2 of 4.
  const ReportMetric found = metric(MetricId::kSamePersonLinkage, "r");
  EXPECT_EQ(found.all.failed, 2);
  EXPECT_NEAR(*found.all.value, (1 + 1 + 1 + 1 + 0.5) / 5, 1e-9);
  EXPECT_NEAR(*found.all.if_private, (0 + 0 + 1 + 1 + 0.5) / 5, 1e-9);
  EXPECT_NEAR(*metric(MetricId::kSamePersonLinkage, "r", MissingPolicy::kDrop).all.value, 2.5 / 3, 1e-9);
  // Of the net: linked where no guess is.
  EXPECT_NEAR(net("r"), (2 + 0.5 + 0.5 + 0) / (2 + 3 * 0.5), 1e-6);
  EXPECT_NEAR(*metric(MetricId::kSamePersonLinkageNet, "r").all.if_private, (-2 + 0.5 + 0.5 + 0) / (3 * 0.5), 1e-6);
  expect_proven();
}

TEST_F(SamePerson, SaysWhyThereIsNone) {
  add_records({record("a", "Bees."), record("b", "Bees.")});
  add_claims({claims("a", {"One.", "Two."}), claims("b", {"One.", "Two."})});
  add_run("s", {variant("x", "Bees.")}, true);
  evaluate_all({"bm25/first:1"});
  compute();
  EXPECT_EQ(metric(MetricId::kSamePersonLinkage, "none").reason, "no person has two records");
  EXPECT_EQ(metric(MetricId::kSamePersonLinkageNet, "s").reason, "a synthetic text is of no person");
  add_records({of_person("a", "Bees.", "p"), of_person("b", "Bees.", "p")});
  compute("none");
  EXPECT_EQ(value("none"), 1);
  EXPECT_EQ(metric(MetricId::kSamePersonLinkageNet, "none").all.value, std::nullopt);
  EXPECT_EQ(metric(MetricId::kSamePersonLinkageNet, "none").reason, "all texts are of one person");
}

// Many texts alike, some of which only read alike, and long ones.
TEST_F(SamePerson, IsThatOfTheDefinition) {
  std::uint64_t state = 9;
  const auto draw = [&](std::uint64_t n) { return mix(++state) % n; };
  constexpr std::size_t kCount = 400;  // so many queries go through the kernel
  std::vector<RecordRow> rows;
  std::vector<ClaimsRow> facts;
  std::vector<VariantRow> variants;
  std::vector<std::string> texts, persons;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string key = fmt::format("r{:03}", kCount - i);
    std::string text;
    if (i % 3 == 0) {
      text = std::vector<std::string>{"bees", "bees!", "Bees; honey", "honey bees", fmt::format("goats q{}", i)}[draw(5)];
    } else {
      const std::size_t words = i % 40 == 1 ? 3000 : 1 + draw(20);
      for (std::size_t n = 0; n < words; ++n) text += fmt::format("w{} ", draw(i % 40 == 1 ? 5000 : 60));
    }
    persons.push_back(fmt::format("p{}", draw(120)));
    texts.push_back(text);
    rows.push_back(of_person(key, fmt::format("Original {} of somebody.", i), persons.back()));
    facts.push_back(claims(key, {"One.", "Two."}));
    variants.push_back(variant(key, text));
  }
  add_records(rows);
  add_claims(facts);
  add_run("r", variants);

  // BM25 as index/bm25.h defines it.
  std::vector<std::map<std::string, std::uint32_t>> counts(kCount);
  std::map<std::string, std::uint64_t> containing;
  std::vector<std::uint64_t> lengths(kCount);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    std::vector<std::string> terms;
    text::Analyzer::fsp().terms(texts[i], terms);
    for (const std::string& term : terms) ++counts[i][term];
    for (const auto& [term, times] : counts[i]) ++containing[term];
    lengths[i] = terms.size();
    total += terms.size();
  }
  const double average = static_cast<double>(total) / kCount;
  double sum = 0, guesses = 0;
  std::size_t applicable = 0, several = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto of_person = std::count(persons.begin(), persons.end(), persons[i]);
    if (of_person < 2) continue;
    std::vector<double> scores(kCount, 0);
    for (std::size_t j = 0; j < kCount; ++j) {
      for (const auto& [term, wqf] : counts[i]) {
        const auto found = counts[j].find(term);
        if (found == counts[j].end()) continue;
        scores[j] += index::bm25_part(index::bm25_idf(kCount, containing[term]) * wqf, found->second,
                                      index::bm25_norm({}, lengths[j], average));
      }
    }
    scores[i] = -1;
    const double best = *std::max_element(scores.begin(), scores.end());
    double tied = 0, same = 0;
    for (std::size_t j = 0; j < kCount; ++j) {
      if (j == i || scores[j] != best) continue;
      ++tied;
      same += persons[j] == persons[i] ? 1 : 0;
    }
    several += tied > 5 && texts[i].starts_with("goats") ? 1 : 0;  // that read otherwise
    ++applicable;
    sum += same / tied;
    guesses += static_cast<double>(of_person - 1) / (kCount - 1);
  }
  ASSERT_GT(several, 4U) << "ties beyond the first depth";
  evaluate_all({"bm25/first:1"});
  compute("r");
  EXPECT_NEAR(value("r"), sum / static_cast<double>(applicable), 1e-8);
  EXPECT_NEAR(net("r"), (sum - guesses) / (static_cast<double>(applicable) - guesses), 1e-6);
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
