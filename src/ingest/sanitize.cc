#include "ingest/sanitize.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "ingest/batch.h"
#include "ingest/record_pages.h"
#include "ingest/run_writer.h"
#include "ingest/sanitizer.h"
#include "ingest/synthesize.h"

namespace residue::ingest {
namespace {

void check_run(storage::Db& db, DatasetId dataset, std::string_view run, bool synthetic) {
  storage::Statement find = db.prepare("SELECT kind = 'synthetic' FROM run WHERE dataset_id = ?1 AND name = ?2");
  if (!find.bind(dataset, run).step()) return;
  if (made_by_sanitize(db, dataset, run)) {
    if ((find.integer(0) != 0) == synthetic) return;
    throw Error(Code::kUsage,
                fmt::format("the texts of run \"{}\" {}, and a run never changes its kind", run,
                            synthetic ? "are of records" : "belong to no record"),
                "name another run with --run, or remove this one first");
  }
  throw Error(Code::kUsage, fmt::format("the run \"{}\" was read from files", run),
              "name another run with --run, or remove this one first");
}

// A record without a text has nothing to sanitize: it is not applicable in every metric.
std::vector<SanitizeOutput> sanitized(const Sanitizer& sanitizer, const std::vector<RecordText>& records,
                                      unsigned jobs) {
  std::vector<SanitizeOutput> outputs(records.size());
  std::vector<SanitizeInput> inputs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].text.empty()) {
      outputs[i].text = std::string();
    } else {
      inputs.push_back({records[i].key, records[i].text});
      places.push_back(i);
    }
  }
  std::vector<SanitizeOutput> made(inputs.size());
  sanitizer.sanitize_all(inputs, made, jobs);
  for (std::size_t i = 0; i < made.size(); ++i) outputs[places[i]] = std::move(made[i]);
  return outputs;
}

// What stands for what: the replacements that stand for one wording only. Nothing where there is none.
std::optional<std::string> substitutions_of(const SanitizeOutput& output, std::string_view original) {
  std::map<std::string_view, std::string_view> words;  // by replacement; empty: several
  for (const Replacement& one : output.spans) {
    if (!one.stands || one.with.empty()) continue;
    const std::string_view said = original.substr(one.begin, one.end - one.begin);
    const auto [at, fresh] = words.try_emplace(one.with, said);
    if (!fresh && at->second != said) at->second = {};
  }
  nlohmann::json table = nlohmann::json::array();
  for (const Replacement& one : output.spans) {
    const auto found = one.stands ? words.find(one.with) : words.end();
    if (found == words.end()) continue;
    if (!found->second.empty()) table.push_back({found->second, found->first});
    words.erase(found);
  }
  return table.empty() ? std::nullopt : std::optional(table.dump());
}

}  // namespace

// A spec names its method; what users give with --param are strings under names of their own.
bool made_by_sanitize(storage::Db& db, DatasetId dataset, std::string_view name) {
  storage::Statement run = db.prepare("SELECT kind, sanitizer, params FROM run WHERE dataset_id = ?1 AND name = ?2");
  if (!run.bind(dataset, name).step()) return false;
  const auto spec = nlohmann::json::parse(run.text(2), nullptr, false);
  return (run.text(0) == "aligned" || run.text(0) == "synthetic") && spec.is_object() && spec.contains("method") &&
         spec.contains("version") && spec["method"] == std::string(run.text(1)) && spec.contains("params") &&
         spec["params"].is_object();
}

IngestResult sanitize_dataset(storage::Store& store, std::string_view dataset, std::string_view run,
                              const SanitizePlan& plan, unsigned jobs, const IngestOptions& options) {
  check_name("run", run);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  RecordPages pages(store, dataset);
  const auto sanitizer = make_sanitizer(plan.method, {plan.params, plan.seed.value_or(0), &store, pages.dataset(),
                                                      options.interrupted, plan.seed.has_value()});
  IngestResult result;
  if (is_control(run)) {
    if (plan.method != run) {
      throw Error(Code::kUsage, fmt::format("\"{}\" is an automatic control of every dataset", run),
                  "name another run with --run");
    }
    result.counts.same = pages.total();
    result.notes.push_back(fmt::format("every dataset has the control \"{}\" already", run));
    return result;
  }
  const auto* release = dynamic_cast<const Synthesizer*>(sanitizer.get());
  check_run(store.db(), pages.dataset(), run, release != nullptr);
  RunSpec spec;
  spec.sanitizer = plan.method;
  spec.params = sanitizer->spec();
  if (plan.seed) spec.seed = static_cast<std::int64_t>(*plan.seed);
  spec.group = plan.group;
  spec.removes_everything = sanitizer->removes_everything();
  if (release != nullptr) {
    return synthesize(store, {std::string(dataset), pages.dataset(), std::string(run)}, spec, *release, jobs, options);
  }
  RunWriter writer(store.db(), std::string(run), spec, false);
  // While it is there, the run is incomplete.
  const std::string target = fmt::format("run {}/{}", dataset, run);
  const SourceIdentity work{"(sanitize)", 0, 0, 0};
  Progress progress;
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    const std::vector<SanitizeOutput> outputs = sanitized(*sanitizer, records, jobs);
    const Progress before = progress;
    const auto batch = store.write();
    writer.begin(pages.dataset());
    for (std::size_t i = 0; i < records.size(); ++i) {
      Outcome outcome = Outcome::kNew;
      const auto table = substitutions_of(outputs[i], records[i].text);
      static_cast<void>(writer.put(*batch, records[i].id, records[i].text_id, records[i].key,
                                   {outputs[i].text, outputs[i].error, table}, outcome));
      progress.counts.add(outcome);
    }
    writer.end();
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      batch->db()
          .prepare(
              "UPDATE run SET made_from = (SELECT content FROM dataset WHERE id = ?1) WHERE dataset_id = ?1 AND name = "
              "?2")
          .run(pages.dataset(), run);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  result.counts = progress.counts;
  result.notes = run_notes(store.db(), dataset, run);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
