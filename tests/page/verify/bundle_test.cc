// What a page says can be checked without its store: every byte, and every number from the records behind it.
#include "page/verify/bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "page/release/page_request.h"
#include "page/release/release_page.h"
#include "page/verify/gate_rows.h"
#include "page/verify/remade.h"
#include "page/verify/verify_page.h"
#include "query/gates/gates.h"
#include "tests/verbs/small_store.h"
#include "verbs/release/release.h"

namespace residue::page {
namespace {

class BundleTest : public verbs::SmallStore {
 protected:
  void SetUp() override { evaluate("bm25/first:1"); }

  std::string page(const verbs::ReleaseOptions& wanted) {
    PageOptions options;
    options.version = "residue test";
    options.made_ms = 1'700'000'000'000;
    return release_page(verbs::release(*store_, wanted), wanted, options);
  }
  static verbs::ReleaseOptions wanted() {
    verbs::ReleaseOptions options;
    options.what.dataset = "d";
    options.what.protocols = "bm25/first:1";
    options.gates.gates.push_back(query::parse_gate("leak_rate > 0.5"));
    return options;
  }
};

TEST_F(BundleTest, IsWholeAsItWasPackedAndEveryNumberIsComputedAgain) {
  for (const auto missing : {query::MissingPolicy::kLeaked, query::MissingPolicy::kDrop}) {
    verbs::ReleaseOptions options = wanted();
    options.what.missing = missing;
    const BundleCheck check = verify_bundle(bundle_of(page(options)));
    EXPECT_TRUE(check.sound());
    EXPECT_EQ(check.dataset, "d");
    EXPECT_GT(check.page.numbers, 300U);
    ASSERT_EQ(check.runs.size(), 4U);
    EXPECT_EQ(check.runs[0].first, "failing");
  }
}

TEST_F(BundleTest, WhatPeopleSaidIsWrittenAgainAndRatesBesideItAreThoseOfTheRecords) {
  verbs::Release release = verbs::release(*store_, wanted());
  query::Validation& validation = release.result.reports.front().validation;
  validation.worth = query::Worth::kPoor;
  query::PeopleAgreement& people = validation.people;
  people.labels = people.everyone.pairs = people.blind = 60;
  people.everyone.kappa = 0.25;
  people.everyone.kappa_interval = {0.125, 0.5};
  verbs::ReleasedTest& test = release.runs.front().tests.emplace_back();
  test.protocol = release.report().spec.name();
  query::IntruderReport& report = test.report.emplace();
  report.machine_all_person.value =
      release.report().runs.front().metrics.at(query::MetricId::kLinkageRatePerson).all.value;
  report.targets = report.attempts = report.present = 12;
  report.attempted = 7;
  report.annotators.resize(2);
  report.person = {.hits = 4.5, .n = 12, .value = 0.375, .low = 0.125, .high = 0.75};
  report.difference = -0.25;
  report.sure = {{.sure = 50, .claims = 11, .precision = report.person, .recall = {}}};
  report.machine_sure = report.sure;
  query::CorrectedRate& rate = release.corrected.emplace().runs.emplace_back();
  rate.run = release.report().runs.front().run;
  rate.observed = release.report().runs.front().metrics.at(query::MetricId::kLeakRate).all.value;
  rate.corrected = 0.75;
  PageOptions options;
  options.version = "residue test";
  const Remade whole = remade(release_page(release, wanted(), options));
  EXPECT_TRUE(whole.fits()) << ::testing::PrintToString(whole.parts) << ::testing::PrintToString(whole.contradictions);
  rate.observed = 0.5;
  const Remade other = remade(release_page(release, wanted(), options));
  EXPECT_EQ(other.contradictions,
            std::vector<std::string>{"leak_rate of failing (judge): its records give another number"});
  rate.observed = release.report().runs.front().metrics.at(query::MetricId::kLeakRate).all.value;
  report.machine_all_person.value = 0.125;
  EXPECT_EQ(remade(release_page(release, wanted(), options)).contradictions,
            std::vector<std::string>{
                "linkage_rate_person of failing (intruder test): its records give another number"});
}

TEST_F(BundleTest, NoChangedByteGoesUnnoticed) {
  const std::string bundle = bundle_of(page(wanted()));
  std::size_t named = 0;
  for (std::size_t at = 0; at < bundle.size(); at += at < 6000 ? 13 : 3001) {
    std::string other = bundle;
    other[at] = static_cast<char>(other[at] ^ 1);
    try {
      const BundleCheck check = verify_bundle(other);
      EXPECT_FALSE(check.sound()) << at;
      EXPECT_FALSE(check.changed.empty()) << at;
      ++named;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
    }
  }
  EXPECT_GT(named, 300U);
  EXPECT_FALSE(verify_bundle(bundle + std::string(512, '\0')).sound());
  EXPECT_THROW(verify_bundle("a text"), Error);
}

// Whoever packs again what he changed has digests that fit: the arithmetic tells.
TEST_F(BundleTest, ANumberThatItsRecordsDoNotGiveIsNamed) {
  std::string html = page(wanted());
  const std::string row = "<tr data-run=\"half\" data-metric=\"leak_rate\">";
  const std::size_t at = html.find("data-value=\"", html.find(row)) + 12;
  html[at] = html[at] == '0' ? '1' : '0';
  const BundleCheck check = verify_bundle(bundle_of(html));
  EXPECT_TRUE(check.changed.empty());
  ASSERT_EQ(check.page.differences.size(), 1U);
  EXPECT_EQ(check.page.differences[0].run, "half");
  EXPECT_EQ(check.page.differences[0].metric, "leak_rate");
  EXPECT_EQ(check.page.differences[0].field, "value");
  EXPECT_FALSE(check.sound());
}

// Whoever packs again what he changed has digests that fit: the page is written again from its own data.
TEST_F(BundleTest, NoWordDigitRowOrScriptOfThePageMayBeChanged) {
  const std::string html = page(wanted());
  ASSERT_TRUE(remade(html).fits());
  const auto of = [](const std::string& text, const std::string& part) { return text.find("<section id=\"" + part); };
  struct Forged {
    const char* what;
    std::string part, before, after, named;
  };
  const std::vector<Forged> all = {
      {"a digit of a criterion", "criteria", "<td class=\"number\" data-value=\"1\">1.000</td>",
       "<td class=\"number\" data-value=\"1\">0.100</td>", "criteria"},
      {"a failed gate passed", "gates", "<td>FAILED", "<td>passed", "gates"},
      {"a heading in front", "", "<main>", "<main><h2>Verdict: may be released</h2>", "what stands above all parts"},
      {"a heading between", "trade", "<h2>", "<h2>Verdict: may be released</h2><h2>", "trade"},
      {"a warning that is gone", "not-tested", "No number on this page", "Every number on this page", "not-tested"},
      {"a script that the policy blocks", "proof", "<script type=\"module\">", "<script type=\"module\">/**/",
       "scripts"},
      {"a style that hides", "", "<style>", "<style>#gates{display:none}", "style"},
      {"another policy", "", "default-src 'none'", "default-src *", "the head and its policy"},
      {"a coverage", "coverage", " %</td>", "0 %</td>", "coverage"},
      {"a section more", "verdict", "</main>", "<section id=\"approval\"><h2>Approved</h2></section></main>",
       "verdict"},
      {"contributions said otherwise", "proof", "\"higherIsPrivate\":true", "\"higherIsPrivate\":false", "data"}};
  for (const Forged& one : all) {
    SCOPED_TRACE(one.what);
    std::string other = html;
    const std::size_t at = other.find(one.before, one.part.empty() ? 0 : of(other, one.part));
    ASSERT_NE(at, std::string::npos);
    other.replace(at, one.before.size(), one.after);
    const BundleCheck check = verify_bundle(bundle_of(other));
    EXPECT_TRUE(check.changed.empty());
    EXPECT_FALSE(check.sound());
    ASSERT_FALSE(check.page.parts.empty());
    EXPECT_EQ(check.page.parts.front(), one.named);
  }
  // A whole section, and all rows of failed gates.
  std::string other = html;
  other.erase(of(other, "gates"), of(other, "criteria") - of(other, "gates"));
  EXPECT_FALSE(verify_bundle(bundle_of(other)).sound());
  other = html;
  for (std::size_t at = other.find("<tr class=\"failed\">"); at != std::string::npos;
       at = other.find("<tr class=\"failed\">")) {
    other.erase(at, other.find("</tr>", at) + 5 - at);
  }
  EXPECT_EQ(verify_bundle(bundle_of(other)).page.parts, std::vector<std::string>{"gates"});
  // A part twice.
  other = html;
  other.insert(of(other, "criteria"), other.substr(of(other, "gates"), of(other, "criteria") - of(other, "gates")));
  EXPECT_EQ(verify_bundle(bundle_of(other)).page.parts.size(), 1U);
}

// Page and data changed alike: gates are held against what the contributions give, and against what was asked for.
TEST_F(BundleTest, GatesOfItsDataAreHeldAgain) {
  verbs::ReleaseOptions options = wanted();
  options.gates.gates.push_back(query::parse_gate("max_risk > 0.5"));
  options.gates.gates.push_back(query::parse_gate("delta(leak_rate, half) > 0.9"));
  const verbs::Release release = verbs::release(*store_, options);
  const ProvenValues values = values_of(release.proof, false);
  std::size_t believed = 0;
  ASSERT_EQ(contradictions(release, options, values, believed), std::vector<std::string>());
  EXPECT_EQ(believed, 3U) << "of max_risk two, of the difference one";
  const std::vector<std::pair<std::string, std::function<void(std::vector<query::GateResult>&)>>> changes = {
      {"gate leak_rate > 0.5, run failing: its number and its limit say FAILED",
       [](auto& rows) {
         rows[0].failed = false;
         rows[0].uncovered = false;
         rows[0].reason.clear();
       }},
      {"gate leak_rate > 0.5, run failing: its records give another number", [](auto& rows) { rows[0].value = 0.1; }},
      {"gate leak_rate > 0.5, run failing: its records give another coverage",
       [](auto& rows) { rows[0].coverage = 0.5; }},
      {"gate max_risk > 0.5, run failing: its number and its limit say FAILED",
       [](auto& rows) {
         rows[2].failed = false;
         rows[2].reason.clear();
         rows[2].uncovered = false;
       }},
      {"gate leak_rate > 0.5 was not held against the run half", [](auto& rows) { rows.erase(rows.begin() + 1); }},
      {"gate delta(leak_rate, half) > 0.9 was not held against the run failing", [](auto& rows) { rows.pop_back(); }},
      {"gate leak_rate > 0.9, run half: nobody asked for it", [](auto& rows) {
         rows.push_back(rows[1]);
         rows.back().gate = "leak_rate > 0.9";
       }}};
  for (const auto& [said, change] : changes) {
    verbs::Release other = release;
    change(other.result.gates);
    EXPECT_EQ(contradictions(other, options, values, believed), std::vector<std::string>{said});
  }
}

// The order of the records would tell whose rows they are.
TEST_F(BundleTest, RowsStandInTheOrderOfTheirUnits) {
  const verbs::Release release = verbs::release(*store_, wanted());
  std::size_t tiers = 0;
  for (const verbs::RunProof& run : release.proof.runs) {
    for (const verbs::ProvenTier& tier : run.tiers) {
      EXPECT_TRUE(std::ranges::is_sorted(tier.units));
      ++tiers;
    }
  }
  EXPECT_GE(tiers, 10U);
}

TEST_F(BundleTest, HoldsNoTextsAndNoIds) {
  verbs::ReleaseOptions options = wanted();
  options.texts = true;
  EXPECT_THROW(bundle_of(page(options)), Error);
  options = wanted();
  options.proof = false;
  EXPECT_THROW(bundle_of(page(options)), Error);
}

TEST_F(BundleTest, TheStoreMakesTheSamePageAndNamesWhatChanged) {
  const std::string html = page(wanted());
  const PageCheck same = verify_page(*store_, html, "residue test");
  EXPECT_TRUE(same.same);
  EXPECT_TRUE(same.changed.empty());
  EXPECT_TRUE(same.differences.empty());
  EXPECT_EQ(verify_page(*store_, html, "residue other").changed.size(), 1U);
  evaluate("bm25/last:1");
  const PageCheck since = verify_page(*store_, html, "residue test");
  EXPECT_FALSE(since.same);
  EXPECT_TRUE(since.differences.empty());
  ASSERT_EQ(since.changed.size(), 1U);
  EXPECT_EQ(since.changed.front(), "the attacker bm25/last:1/sentences was evaluated since");
  EXPECT_THROW(verify_page(*store_, "<p>", "residue test"), Error);
  EXPECT_THROW(verify_page(*store_, html.substr(0, html.find("id=\"data\"")), "residue test"), Error);
  EXPECT_FALSE(verify_page(*store_, html.substr(0, html.size() - 1), "residue test").same);
}

}  // namespace
}  // namespace residue::page
