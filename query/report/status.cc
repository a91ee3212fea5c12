#include "query/report/status.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "query/inputs/outdated.h"
#include "query/inputs/protocol.h"
#include "query/metric/metrics.h"
#include "query/report/report_rows.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/ingest_progress.h"
#include "storage/catalog/sources/run.h"
#include "storage/disk/lock.h"
#include "storage/run_lock.h"

namespace residue::query {
namespace {

constexpr std::string_view kSuperseded = " (superseded ";  // storage/catalog/answers/judge.h names judges so

constexpr std::string_view kEvaluations = storage::sql::kEvaluationsJudgedOfRunByName;

// What reports say of runs, read once for each attacker and judge.
class Reports {
 public:
  explicit Reports(storage::Db& db) : db_(db) {}

  const ReportRun& of(DatasetId dataset, const std::string& run, ProtocolId protocol, JudgeId judge) {
    auto& runs = runs_[{protocol, judge}];
    if (runs.empty()) runs = RunReader(db_, dataset, MissingPolicy::kLeaked).read(protocol, judge, std::nullopt);
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const ReportRun& one) { return one.run == run; });
    if (found == runs.end()) throw Error(Code::kTryAgain, "runs came or went meanwhile", "repeat the command");
    return *found;
  }

 private:
  storage::Db& db_;
  std::map<std::pair<ProtocolId, JudgeId>, std::vector<ReportRun>> runs_;
};

// Asks whether the lock could be had, and does not take it: an evaluation would wait for it, and another look at the
// same moment would take that for an evaluation.
bool is_running(const storage::Store& store, RunId run) {
  return storage::is_locked(storage::run_lock_file(store.dir(), run));
}

}  // namespace

Status read_status(storage::Store& store, const std::optional<std::string>& dataset,
                   const ProgressFunction& progress) {
  storage::Db& db = store.db();
  Status status;
  if (dataset) storage::find_dataset(db, *dataset);
  const storage::Lock held = store.hold_texts();
  const storage::ReadTransaction snapshot(db);
  const auto texts = store.facts().read();  // behind the snapshot: it has all that this one names
  Reports reports(db);
  storage::Statement runs = db.prepare(storage::sql::kRunsWithCountsOfOneOrAllDatasets);
  runs.bind(dataset.value_or(""));
  storage::Statement evaluations = db.prepare(kEvaluations);
  if (progress) progress(0, std::nullopt);
  while (runs.step()) {
    const auto id = runs.id<RunId>(0);
    if (progress) progress(status.runs.size(), std::nullopt);
    RunStatus run;
    run.dataset = std::string(runs.text(1));
    run.run = std::string(runs.text(2));
    run.control = runs.text(3) == "none" || runs.text(3) == "remove-all";
    run.variants = static_cast<std::uint64_t>(runs.integer(4));
    if (!run.control) run.one_for_many = suspected_texts(db, *texts, id).size();
    run.failed = static_cast<std::uint64_t>(runs.integer(5)) + run.one_for_many;
    run.running = is_running(store, id);
    evaluations.bind(id);
    while (evaluations.step()) {
      if (parse_protocol(evaluations.text(0)).linker->control()) continue;
      const ReportRun& seen =
          reports.of(runs.id<DatasetId>(6), run.run, evaluations.id<ProtocolId>(3), evaluations.id<JudgeId>(4));
      const std::string judge(evaluations.text(1));
      run.evaluations.push_back({std::string(evaluations.text(0)), judge,
                                 static_cast<std::uint64_t>(evaluations.integer(2)),
                                 judge.find(kSuperseded) != std::string::npos, !seen.stale, seen.old});
    }
    status.runs.push_back(std::move(run));
  }
  storage::Statement controls = db.prepare(storage::sql::kDatasetControlPairs);
  while (controls.step()) {
    ControlPair one{std::string(controls.text(0)), std::string(controls.text(1))};
    if (!dataset || one.dataset == *dataset || one.of == *dataset) status.controls.push_back(std::move(one));
  }
  storage::Statement inputs = db.prepare(storage::sql::kIngestProgressLinesInTargetOrder);
  while (inputs.step()) {
    status.incomplete.push_back({std::string(inputs.text(0)), static_cast<std::uint64_t>(inputs.integer(1))});
  }
  storage::Statement datasets = db.prepare(storage::sql::kDatasetNamesOfOneOrAll);
  datasets.bind(dataset.value_or(""));
  while (datasets.step()) {
    const std::string name(datasets.text(0));
    for (std::string& note : outdated_notes(db, name)) status.outdated.push_back(std::move(note));
    for (std::string& note : label_notes(db, name)) status.outdated.push_back(std::move(note));
  }
  return status;
}

}  // namespace residue::query
