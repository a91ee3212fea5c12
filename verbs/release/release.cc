#include "verbs/release/release.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "query/inputs/snapshot.h"
#include "query/inputs/texts.h"
#include "query/report/leaks.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/run.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kWorst = 10;
constexpr std::size_t kLeaksRead = 400;  // of a record there are rarely more than some tens

// The ten records whose leaks come first.
void find_worst(storage::Store& store, const query::Report& report, const ReleaseOptions& options, ReleasedRun& run) {
  query::LeakOptions wanted;
  wanted.dataset = report.dataset;
  wanted.run = run.card.run;
  wanted.protocol = report.spec.name();
  wanted.judge = report.judge;
  wanted.limit = kLeaksRead;
  const query::Leaks leaks = query::load_leaks(store, wanted);
  run.leaks = leaks.total;
  run.exposed = leaks.records;
  run.failed = leaks.failed;
  std::vector<std::string> keys;
  std::vector<TextId> texts;
  for (const query::Leak& leak : leaks.leaks) {
    if (std::ranges::find(keys, leak.record) != keys.end()) continue;
    if (keys.size() == kWorst) break;
    keys.push_back(leak.record);
    run.worst.push_back({options.keys ? leak.record : std::string(),
                         leak.of_record,
                         leak.rating == 1,
                         leak.right.value_or(false),
                         {},
                         {}});
    texts.push_back(leak.claim_text);
    texts.push_back(leak.linked_text);
  }
  if (!options.texts) return;
  const std::vector<std::string> words = query::load_texts(store, texts);
  for (std::size_t i = 0; i < run.worst.size(); ++i) {
    run.worst[i].claim = words[2 * i];
    run.worst[i].text = words[2 * i + 1];
  }
}

// Nobody looked for anybody in these texts: of which an intruder test could be made.
void note_untested(const query::Report& report, const ReleasedRun& run, Criteria& criteria) {
  const auto of = std::ranges::find(criteria.runs, run.card.run, &RunCriteria::run);
  if (of == criteria.runs.end() || run.card.kind != "aligned" || !run.tests.empty()) return;
  const bool several = report.spec.runs().size() > 1;  // people are given one release
  of->not_tested.push_back({"people who look for somebody in the release", "nobody made an intruder test of this run",
                            several ? "" : "residue intruder next " + report.dataset + "/RUN --annotator NAME"});
}

const query::Report& only_report(const ReportResult& result) {
  if (result.reports.size() != 1) {
    throw Error(Code::kUsage, "a page is about one attacker", "name one with --protocol; the others stand below it");
  }
  return result.reports.front();
}

}  // namespace

Release release(storage::Store& store, const ReleaseOptions& options) {
  const storage::Lock texts = store.hold_texts();
  Release page;
  page.result = report(store, {.what = options.what,
                               .one_judge = true,
                               .less_precise_half = options.less_precise_half,
                               .gates = options.gates});
  const query::Report& of = only_report(page.result);
  page.criteria = criteria_of(store, of);
  page.frontier = query::frontier_of(of, {});
  query::ReportOptions all = options.what;
  all.dataset = of.dataset;
  all.protocols = "all";
  all.judge = of.judge;
  all.seeds = std::nullopt;
  page.attacks = query::load_comparison(store, all).reports;
  page.dataset = query::load_dataset_card(store, of.dataset);
  storage::Db& db = store.db();
  const DatasetId dataset = storage::find_dataset(db, of.dataset);
  page.content = to_hex(query::dataset_content(db, dataset));
  std::map<std::string, std::pair<std::string, std::int64_t>> made;  // content, when; by run
  storage::Statement runs = db.prepare(storage::sql::kRunsInNameOrderWithCreation);
  runs.bind(dataset);
  while (runs.step()) made[std::string(runs.text(1))] = {to_hex(runs.text(4)), runs.integer(5)};
  std::map<std::string, std::vector<ReleasedTest>> tests = released_tests(store, of.dataset);
  for (const query::ReportRun& run : of.runs) {
    ReleasedRun& one = page.runs.emplace_back();
    one.card = query::load_run_card(store, of.dataset, run.run);
    std::tie(one.content, one.created_ms) = made[run.run];
    one.tests = std::move(tests[run.run]);
    note_untested(of, one, page.criteria);
    const bool together = of.spec.runs().size() > 1;
    if (!run.control && run.evaluated && !run.stale && !together) find_worst(store, of, options, one);
  }
  if (options.proof) page.proof = proof_of(store, of);
  page.corrected = corrected_rates(store, of);
  return page;
}

}  // namespace residue::verbs
