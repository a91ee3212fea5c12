#include "verbs/release/by_people.h"

#include <utility>

#include "base/error.h"
#include "query/agree/agreement_report.h"
#include "storage/catalog/sources/intruder.h"
#include "verbs/people/intruder.h"

namespace residue::verbs {
namespace {

std::optional<query::IntruderReport> report_of(storage::Store& store, const std::string& dataset,
                                               const std::string& run, const ReleasedTest& test) {
  try {
    query::IntruderReport report = intruder_report(store, {.dataset = dataset,
                                                           .run = run,
                                                           .protocol = test.protocol,
                                                           .annotator = std::nullopt,
                                                           .once_read = true,
                                                           .sample = test.sample});
    if (report.sample == test.sample) return report;
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound && error.code() != Code::kUsage) throw;
  }
  return std::nullopt;
}

}  // namespace

std::map<std::string, std::vector<ReleasedTest>> released_tests(storage::Store& store, const std::string& dataset) {
  std::map<std::string, std::vector<ReleasedTest>> tests;
  storage::Statement find = store.db().prepare(storage::sql::kIntruderTests);
  while (find.step()) {
    if (find.text(0) != dataset) continue;
    tests[std::string(find.text(1))].push_back(
        {std::string(find.text(2)), static_cast<std::uint64_t>(find.integer(3)), std::nullopt});
  }
  find.reset();
  for (auto& [run, all] : tests) {
    for (ReleasedTest& test : all) test.report = report_of(store, dataset, run, test);
  }
  return tests;
}

std::optional<query::CorrectedRates> corrected_rates(storage::Store& store, const query::Report& report) {
  if (query::rated_labels(store, report.dataset, report.judge).size() < query::kFewestCorrecting) return std::nullopt;
  return query::load_corrected(store, report.dataset, report.spec.name(), report.judge, report.missing);
}

}  // namespace residue::verbs
