#include "verbs/runs/facts.h"

#include <utility>

#include "query/report/report_rows.h"
#include "storage/catalog/answers/attempt.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/run_tag.h"

namespace residue::verbs {
namespace {

RunFacts facts_of(const storage::Statement& row) {
  RunFacts facts;
  facts.id = row.id<RunId>(0);
  facts.dataset = std::string(row.text(1));
  facts.run = std::string(row.text(2));
  facts.kind = std::string(row.text(3));
  facts.control = facts.kind == "none" || facts.kind == "remove-all";
  facts.sanitizer = row.text_or_null(4);
  facts.group = row.text_or_null(5);
  facts.params = query::params_of(row.text(6));
  facts.seed = row.integer_or_null(7);
  facts.created_at = row.integer(8);
  facts.note = row.text_or_null(9);
  if (!row.is_null(10)) {
    facts.made = RunMade{std::string(row.text(10)), row.integer(11), row.integer_or_null(12)};
  }
  facts.sanitized = row.integer(13) != 0;
  return facts;
}

}  // namespace

std::vector<RunFacts> run_facts(storage::Db& db, const std::string& dataset) {
  if (!dataset.empty()) static_cast<void>(storage::find_dataset(db, dataset));
  std::vector<RunFacts> all;
  std::map<std::int64_t, std::size_t> places;
  storage::Statement runs = db.prepare(storage::sql::kRunsWithFacts);
  runs.bind(dataset);
  while (runs.step()) {
    all.push_back(facts_of(runs));
    places[all.back().id.value] = all.size() - 1;
  }
  const auto run_of = [&](const storage::Statement& row) -> RunFacts* {
    const auto found = places.find(row.integer(0));
    return found == places.end() ? nullptr : &all[found->second];
  };
  storage::Statement tags = db.prepare(storage::sql::kRunTagsOfDataset);
  tags.bind(dataset);
  while (tags.step()) {
    if (RunFacts* run = run_of(tags)) run->tags.emplace_back(tags.text(1));
  }
  storage::Statement sums = db.prepare(storage::sql::kAttemptSumsOfRuns);
  sums.bind(dataset);
  while (sums.step()) {
    RunFacts* run = run_of(sums);
    if (run == nullptr) continue;
    run->cost.requests = static_cast<std::uint64_t>(sums.integer(1));
    run->cost.tokens_in = static_cast<std::uint64_t>(sums.integer(2));
    run->cost.tokens_out = static_cast<std::uint64_t>(sums.integer(3));
    run->cost.usd = static_cast<double>(sums.integer(4)) / 1e9;
    run->cost.uncounted_usd = static_cast<double>(sums.integer(5)) / 1e9;
  }
  return all;
}

}  // namespace residue::verbs
