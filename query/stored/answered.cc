#include "query/stored/answered.h"

#include <unordered_set>

#include "base/hash.h"
#include "query/inputs/repeats.h"
#include "storage/catalog/answers/answer_content.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/task_about.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::string_view kRecords = storage::sql::kRecordsWithAnswerAboutRun;

}  // namespace

std::vector<AnswerSetHead> answer_sets(storage::Db& db, DatasetId dataset, std::optional<RunId> run) {
  std::vector<AnswerSetHead> sets;
  Statement rows = db.prepare(storage::sql::kAnswerSetsOfDataset);
  rows.bind(dataset, run.value_or(RunId{}));
  while (rows.step()) {
    sets.push_back({rows.id<AnswerSetId>(0), rows.id<RunId>(1), std::string(rows.text(2)), std::string(rows.text(3)),
                    std::string(rows.text(4)), std::string(rows.text(5))});
  }
  return sets;
}

bool has_metrics(std::string_view task) {
  return task == "choice" || task == "coherence" || task == "utility" || task == "attributes" ||
         compares_originals(task);
}

bool compares_originals(std::string_view task) { return task == "category" || task == "response" || task == "qa"; }

std::optional<Contents> answer_contents(storage::Db& db, const AnswerSetHead& set) {
  Statement find = db.prepare(storage::sql::kAnswerSetPresentContents);
  if (!find.bind(set.run, set.id).step()) return std::nullopt;
  return Contents{std::string(find.text(0)), std::string(find.text(1)), std::string(find.text(2))};
}

std::vector<AnsweredMetric> answered_metrics(storage::Db& db, RunId run, MetricId metric) {
  std::vector<AnsweredMetric> all;
  Statement rows = db.prepare(storage::sql::kAnswerSetsWithMetric);
  rows.bind(run, static_cast<std::int64_t>(metric));
  while (rows.step()) all.push_back({std::string(rows.text(0)), rows.id<AnswerSetId>(1)});
  return all;
}

std::vector<std::string> unevaluated_answers(storage::Db& db, RunId run, MetricId metric) {
  std::vector<std::string> names;
  Statement rows = db.prepare(storage::sql::kAnswerSetModelsWithoutEvaluation);
  rows.bind(run, static_cast<std::int64_t>(metric));
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

std::uint64_t AnsweredRecord::input() const {
  std::uint64_t hash = mix(numbers::kBootstrapSeed ^ unit);
  const std::int64_t state = (empty ? 1 : 0) + (failed ? 2 : 0) + (asked ? 4 : 0) + (answer ? 8 : 0);
  for (const std::int64_t part : {state, original.value, variant.value, question.value, answer ? answer->value : 0}) {
    hash = mix(hash ^ static_cast<std::uint64_t>(part));
  }
  return hash;
}

TaskCase AnsweredRecord::facts(const storage::Facts::Reader& texts) const {
  TaskCase record;
  record.applicable = !empty;
  record.failed = failed;
  record.asked = asked;
  if (asked && answer) record.answer = texts.text(*answer);
  return record;
}

AnswerSetHead originals_of(storage::Db& db, DatasetId dataset, const AnswerSetHead& set) {
  AnswerSetHead originals = set;
  originals.id = {};
  originals.digest.clear();
  Statement find = db.prepare(storage::sql::kAnswerSetOfOriginals);
  if (!find.bind(dataset, set.model, set.task).step()) return originals;
  originals.run = find.id<RunId>(0);
  originals.id = find.id<AnswerSetId>(1);
  originals.digest = std::string(find.text(2));
  originals.run_name = std::string(find.text(3));
  return originals;
}

Answered load_answered(storage::Store& store, DatasetId dataset, const AnswerSetHead& set) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Answered all;
  all.contents = answer_contents(db, set).value_or(Contents{});
  const std::optional<TextId> nothing = store.facts().read()->find("");
  const ResamplingUnits resampling(db, dataset, nothing);
  std::unordered_set<std::uint64_t> units;
  Statement kind = db.prepare(storage::sql::kRunKind);
  all.synthetic = kind.bind(set.run).step() && kind.text(0) == "synthetic";
  Statement rows = db.prepare(all.synthetic ? std::string_view(storage::sql::kTextsWithAnswerAboutRun) : kRecords);
  rows.bind(dataset, set.run, set.model, set.task);
  while (rows.step()) {
    AnsweredRecord record;
    record.id = rows.id<RecordId>(0);
    record.original = rows.id<TextId>(3);
    record.unit = resampling.of(rows.text(1), rows.text_or_null(2), record.original);  // of a text its own
    all.independent = units.insert(record.unit).second && all.independent;
    record.question = rows.id<TextId>(4);
    record.variant = rows.id<TextId>(5);
    record.empty = nothing && (all.synthetic ? record.variant : record.original) == *nothing;
    record.failed = rows.integer(6) != 0;
    // It was no failure while there was nothing to keep: that follows from the original as it is now (load_run).
    const bool emptied = nothing && record.variant == *nothing && rows.integer(10) != 0 && !record.empty;
    if (emptied) {
      record.failed = true;
      record.variant = TextId{};
    }
    record.substitutions = rows.id<TextId>(9);
    const TextId restored = set.digest.empty() ? TextId{} : record.substitutions;
    const auto about = storage::task_about(set.task, {record.variant, record.original, record.question, restored});
    record.asked = !rows.is_null(7) && rows.integer(7) == about;
    if (record.asked && !rows.is_null(8)) record.answer = rows.id<TextId>(8);
    all.records.push_back(record);
  }
  return all;
}

}  // namespace residue::query
