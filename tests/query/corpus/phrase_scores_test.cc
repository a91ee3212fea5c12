// Rare phrases of released texts, by hand.
#include "query/corpus/phrase_scores.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "query/compare/compare.h"
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

class RarePhraseMetrics : public QueryStore {
 protected:
  CorpusCounts compute(const std::optional<std::string>& run = std::nullopt, std::size_t memory = kPhraseMemory) {
    CorpusOptions options;
    options.metrics = {MetricId::kRarePhraseDensity, MetricId::kRarePhraseShare};
    options.phrase_memory_bytes = memory;
    return evaluate_corpus(store(), {{"d", run}}, options);
  }
  ReportMetric metric(MetricId id, const std::string& run, MissingPolicy missing = MissingPolicy::kLeaked) {
    ReportOptions options;
    options.missing = missing;
    const ReportRun one = report_run(run, options);
    const auto found = one.metrics.find(id);
    return found == one.metrics.end() ? ReportMetric{} : found->second;
  }
  double density(const std::string& run) { return *metric(MetricId::kRarePhraseDensity, run).all.value; }
  double share(const std::string& run) { return *metric(MetricId::kRarePhraseShare, run).all.value; }

  void add_three() {
    add_records(
        {record("a", "Ann keeps bees in Oslo."), record("b", "Bob keeps bees in Rome."), record("c", "Cy sings.")});
    add_claims({claims("a", {"Ann keeps bees.", "Ann is in Oslo."}), claims("b", {"Bob keeps bees.", "Rome."}),
                claims("c", {"Cy sings.", "Cy."})});
  }
};

// Of "ann keeps bees", "keeps bees in" and "bees in oslo" the second is Bob's as well; Cy has no three words.
TEST_F(RarePhraseMetrics, CountWhatOnePersonAloneHas) {
  add_three();
  add_run("r", {variant("a", "[NAME] keeps BEES, in Oslo! [NAME] laughs."),
                variant("b", "Eve keeps bees in [CITY] now."), variant("c", "Somebody sings.")});
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(compute().computed, 6U);
  // a: "keeps bees in", "bees in oslo" (rare), and no phrase over a mask; b: "eve keeps bees" (nobody's), "keeps bees
  // in"; c: none, which counts as one.
  const ReportMetric found = metric(MetricId::kRarePhraseDensity, "r");
  EXPECT_DOUBLE_EQ(*found.all.value, 100.0 * 1 / 5);
  EXPECT_EQ(*found.all.units, 5);
  EXPECT_EQ(*found.all.hits, 1);
  EXPECT_EQ(found.all.n, 3);
  EXPECT_LT(*found.all.low, *found.all.value);
  EXPECT_GT(*found.all.high, *found.all.value);
  EXPECT_EQ(*found.cuts.at("originals").value, 3);
  EXPECT_EQ(*found.cuts.at("persons").value, 3);
  EXPECT_DOUBLE_EQ(share("r"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(density("none"), 100.0 * 4 / 7) << "two of three, twice, and nothing of Cy";
  EXPECT_DOUBLE_EQ(share("none"), 2.0 / 3);
  EXPECT_EQ(density("remove-all"), 0);
  EXPECT_EQ(share("remove-all"), 0);
  EXPECT_GT(*metric(MetricId::kRarePhraseDensity, "remove-all").all.high, 0) << "no interval is of width zero";
  expect_proven();
}

TEST_F(RarePhraseMetrics, CountPersonsNotRecords) {
  add_records({of_person("a", "keeps bees in Oslo", "p"), of_person("b", "keeps bees in Oslo", "p"),
               of_person("c", "sings a song in Oslo", "q")});
  add_claims({claims("a", {"Bees.", "Oslo."}), claims("b", {"Bees.", "Oslo."}), claims("c", {"Songs.", "Oslo."})});
  add_run("r", {variant("a", "keeps bees in"), variant("b", "keeps bees"), variant("c", "a song in")});
  evaluate_all({"bm25/first:1"});
  compute();
  EXPECT_DOUBLE_EQ(density("r"), 100.0 * 2 / 3) << "both records are of one person";
  EXPECT_EQ(*metric(MetricId::kRarePhraseDensity, "r").cuts.at("originals").value, 3);
  EXPECT_EQ(*metric(MetricId::kRarePhraseDensity, "r").cuts.at("persons").value, 2);
  add_records({of_person("b", "keeps bees in Oslo", "s")});
  EXPECT_TRUE(metric(MetricId::kRarePhraseDensity, "r").stale);
  evaluate_all({"bm25/first:1"});
  compute();
  EXPECT_DOUBLE_EQ(density("r"), 100.0 * 1 / 3) << "now two persons have the phrase";
  expect_proven();
}

// Else a dataset whose every record stands there twice would look private.
TEST_F(RarePhraseMetrics, TakeEqualOriginalsOfNobodyForOne) {
  add_records({record("a", "keeps bees in Oslo"), record("b", "keeps bees in Oslo")});
  add_claims({claims("a", {"Bees.", "Oslo."}), claims("b", {"Bees.", "Oslo."})});
  evaluate_all({"bm25/first:1"});
  compute("none");
  EXPECT_DOUBLE_EQ(density("none"), 100);
  EXPECT_EQ(*metric(MetricId::kRarePhraseDensity, "none").cuts.at("persons").value, 1);
}

TEST_F(RarePhraseMetrics, TakeOriginalsOfNobodyThatReadTheSameForOne) {
  add_records(
      {record("a", "keeps bees in Oslo"), record("b", "Keeps  BEES in oslo "), record("c", "keeps cats in Rome")});
  add_claims({claims("a", {"Bees.", "Oslo."}), claims("b", {"Bees.", "Oslo."}), claims("c", {"Cats.", "Rome."})});
  evaluate_all({"bm25/first:1"});
  compute("none");
  EXPECT_DOUBLE_EQ(density("none"), 100);
  EXPECT_EQ(*metric(MetricId::kRarePhraseDensity, "none").cuts.at("persons").value, 2);
}

TEST_F(RarePhraseMetrics, CountFailuresAsWorst) {
  add_three();
  add_run("r", {variant("a", "keeps bees in Oslo"), lost("b"), variant("c", "nothing at all of this")});
  evaluate_all({"bm25/first:1"});
  compute("r");
  // a: 1 of 2; c: 0 of 3; b: all of the mean number 2.5, in the bounds of the greatest, 3.
  const ReportMetric found = metric(MetricId::kRarePhraseDensity, "r");
  EXPECT_DOUBLE_EQ(*found.all.value, 100 * (1 + 2.5) / 7.5);
  EXPECT_DOUBLE_EQ(*found.all.if_leaked, 100 * (1 + 3.0) / 8);
  EXPECT_DOUBLE_EQ(*found.all.if_private, 100 * 1.0 / 8);
  EXPECT_EQ(found.all.failed, 1);
  EXPECT_DOUBLE_EQ(*metric(MetricId::kRarePhraseDensity, "r", MissingPolicy::kDrop).all.value, 100.0 * 1 / 5);
  const ReportMetric records = metric(MetricId::kRarePhraseShare, "r");
  EXPECT_DOUBLE_EQ(*records.all.value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*records.all.if_private, 1.0 / 3);
  expect_proven();
}

TEST_F(RarePhraseMetrics, OfSyntheticTextsAreOfEachText) {
  add_three();
  add_run("s", {variant("x", "Eve keeps bees in Oslo"), variant("y", "nothing at all")}, true);
  evaluate_all({"bm25/first:1"});
  compute("s");
  EXPECT_DOUBLE_EQ(density("s"), 100.0 * 1 / 4);
  EXPECT_DOUBLE_EQ(share("s"), 1.0 / 2);
  EXPECT_TRUE(metric(MetricId::kRarePhraseShare, "s").all.low.has_value());
  add_run("s", {lost("y")}, true);
  compute("s");
  EXPECT_DOUBLE_EQ(density("s"), 100.0 * (1 + 3) / 6);
  EXPECT_DOUBLE_EQ(share("s"), 1);
  expect_proven();
}

TEST_F(RarePhraseMetrics, HaveGatesAndDeltas) {
  add_three();
  add_run("r", {variant("a", "keeps bees in Oslo"), variant("b", "x"), variant("c", "y")});
  evaluate_all({"bm25/first:1"});
  compute();
  GateInput input;
  input.dataset = "d";
  input.protocols = {parse_protocol("bm25/first:1/claims@42")};
  input.judge = "lexical";
  input.runs = {"r"};
  const auto failed = [&](const std::string& gate) {
    const auto results = check_gates(store(), {parse_gate(gate)}, input);
    return results.size() == 1 && results[0].failed;
  };
  EXPECT_TRUE(failed("rare_phrase_density > 24"));
  EXPECT_FALSE(failed("rare_phrase_density > 25"));
  EXPECT_TRUE(failed("rare_phrase_share.high > 0.5"));
  EXPECT_TRUE(failed("delta(rare_phrase_density, none) < -30"));
  add_records({record("d", "One more original than before.")});
  EXPECT_TRUE(failed("rare_phrase_density > 99")) << "a number of other originals is none";
}

// By sets of strings; the texts in an order that is not that of the keys.
TEST_F(RarePhraseMetrics, AreThoseOfTheDefinition) {
  std::uint64_t state = 3;
  const auto draw = [&](std::uint64_t n) { return mix(++state) % n; };
  const auto text = [&](std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i) out += (draw(9) == 0 ? "[NAME] " : fmt::format("w{} ", draw(12)));
    return out;
  };
  std::vector<RecordRow> rows;
  std::vector<ClaimsRow> facts;
  std::vector<VariantRow> variants;
  std::vector<std::pair<std::string, std::string>> originals;  // person, text
  for (std::size_t i = 40; i > 0; --i) {
    const std::string key = fmt::format("r{:02}", i), original = text(2 + draw(14));
    const std::string person = i % 3 == 0 ? key : fmt::format("p{}", i % 7);
    originals.emplace_back(person, original);
    rows.push_back(of_person(key, original, person));
    facts.push_back(claims(key, {"One.", "Two."}));
    variants.push_back(variant(key, draw(3) == 0 ? original : text(draw(14))));
  }
  const auto phrases = [&](const std::string& whole) {
    std::vector<std::string> all;
    std::string rest = whole;
    for (std::size_t at = 0; at <= rest.size();) {  // between tags
      const std::size_t end = std::min(rest.find("[NAME]", at), rest.size());
      std::vector<std::string> terms;
      text::Analyzer::plain().terms(rest.substr(at, end - at), terms);
      for (std::size_t i = 0; i + 3 <= terms.size(); ++i)
        all.push_back(terms[i] + " " + terms[i + 1] + " " + terms[i + 2]);
      at = end + 6;
    }
    return all;
  };
  std::map<std::string, std::set<std::string>> persons;
  for (const auto& [person, original] : originals) {
    for (const std::string& phrase : phrases(original)) persons[phrase].insert(person);
  }
  std::int64_t rare = 0, all = 0, with_one = 0;
  for (const VariantRow& one : variants) {
    std::int64_t of_text = 0;
    const auto found = phrases(*one.text);
    for (const std::string& phrase : found)
      of_text += persons.count(phrase) != 0 && persons[phrase].size() == 1 ? 1 : 0;
    rare += of_text;
    all += found.empty() ? 1 : static_cast<std::int64_t>(found.size());
    with_one += of_text > 0 ? 1 : 0;
  }
  ASSERT_GT(rare, 20);
  ASSERT_LT(rare, all - 20);
  for (VariantRow& one : variants) {
    if (one.text->empty()) one.text = "w";
  }
  add_records(rows);
  add_claims(facts);
  add_run("r", variants);
  evaluate_all({"bm25/first:1"});
  compute("r", 1);
  EXPECT_DOUBLE_EQ(density("r"), 100.0 * static_cast<double>(rare) / static_cast<double>(all));
  EXPECT_DOUBLE_EQ(share("r"), static_cast<double>(with_one) / 40);
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
