#include "ingest/sanitize.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "ingest/ask.h"
#include "ingest/asking_sanitizer.h"
#include "ingest/batch.h"
#include "ingest/record_pages.h"
#include "ingest/run_writer.h"
#include "ingest/sanitizer.h"
#include "ingest/span_masking.h"
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
    if (!records[i].error.empty()) {
      outputs[i].error = records[i].error;
    } else if (records[i].text.empty()) {
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

SanitizerSetting setting_of(storage::Store& store, std::string_view dataset, DatasetId id, const SanitizePlan& plan,
                            const std::function<bool()>& interrupted) {
  return {plan.params,           plan.seed.value_or(0), &store,     id, interrupted,
          plan.seed.has_value(), std::string(dataset),  plan.asking};
}

// One run, of a method of rounds one of them.
struct RunOfRound {
  std::string name;
  std::uint32_t round = 0;            // 0: the method has none
  std::optional<std::string> before;  // the run whose texts these are made of; nothing: the originals
};

std::vector<RunOfRound> runs_of(std::string_view name, std::uint32_t rounds) {
  if (rounds == 0) return {{std::string(name), 0, std::nullopt}};
  std::vector<RunOfRound> runs;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const auto before = runs.empty() ? std::nullopt : std::optional(runs.back().name);
    runs.push_back({fmt::format("{}@{}", name, round), round, before});
  }
  return runs;
}

RunSpec spec_of(const Sanitizer& sanitizer, const SanitizePlan& plan, std::string_view name, std::uint32_t round) {
  RunSpec spec;
  spec.sanitizer = plan.method;
  spec.params = sanitizer.spec();
  if (round > 0) {
    auto params = nlohmann::json::parse(*spec.params);
    params["params"]["round"] = round;
    spec.params = params.dump();
  }
  if (plan.seed) spec.seed = static_cast<std::int64_t>(*plan.seed);
  spec.group = plan.group || round == 0 ? plan.group : std::optional(std::string(name));
  spec.removes_everything = sanitizer.removes_everything();
  return spec;
}

// Runs of further rounds that an earlier command left, with other settings or of other records.
void note_left_rounds(storage::Store& store, std::string_view dataset, DatasetId id, const Sanitizer& sanitizer,
                      const SanitizePlan& plan, std::string_view name, IngestResult& result) {
  storage::Statement find = store.db().prepare(
      "SELECT params = ?3 AND made_from IS (SELECT content FROM dataset WHERE id = ?1) FROM run"
      " WHERE dataset_id = ?1 AND name = ?2");
  for (std::uint32_t round = sanitizer.rounds() + 1;; ++round) {
    const std::string run = fmt::format("{}@{}", name, round);
    if (!find.bind(id, run, spec_of(sanitizer, plan, name, round).params).step()) return;
    if (find.integer(0) == 0) {
      result.notes.push_back(
          fmt::format("{0} was made with other settings or of other records: residue rm {1}/{0}", run, dataset));
    }
    find.reset();
  }
}

// Throws where answers that inferences would replace came from a file.
void check_feedback(storage::Store& store, DatasetId dataset, const std::string& run, const std::string& as) {
  storage::Statement find = store.db().prepare(
      "SELECT 1 FROM answer_set s JOIN run u ON u.id = s.run_id WHERE u.dataset_id = ?1 AND u.name = ?2"
      " AND s.model = ?3 AND s.task = 'attributes' AND s.digest IS NULL");
  if (!find.bind(dataset, run, as).step()) return;
  throw Error(Code::kUsage, fmt::format("guesses of {} about the texts of {} came from a file", as, run),
              "--param as=NAME gives the inferences another name");
}

// What failed in an earlier round says so once.
std::string since_round(const std::string& error, std::uint32_t round) {
  return error.starts_with("in round ") ? error : fmt::format("in round {}: {}", round, error);
}

// The variants of one run.
void make_run(storage::Store& store, std::string_view dataset, const RunOfRound& run, const RunSpec& spec,
              Sanitizer& sanitizer, unsigned jobs, const IngestOptions& options, IngestResult& result) {
  RecordPages pages(store, dataset, run.before);
  RunWriter writer(store.db(), run.name, spec, false);
  // While it is there, the run is incomplete.
  const std::string target = fmt::format("run {}/{}", dataset, run.name);
  const SourceIdentity work{"(sanitize)", 0, 0, 0};
  Progress progress;
  std::uint64_t unchanged = 0;
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    for (RecordText& record : records) {
      if (!record.error.empty()) record.error = since_round(record.error, run.round - 1);
    }
    const std::vector<SanitizeOutput> outputs = sanitized(sanitizer, records, jobs);
    const Progress before = progress;
    const auto batch = store.write();
    writer.begin(pages.dataset());
    for (std::size_t i = 0; i < records.size(); ++i) {
      Outcome outcome = Outcome::kNew;
      const auto table =
          outputs[i].substitutions ? outputs[i].substitutions : substitutions_of(outputs[i], records[i].text);
      // Spans of a later round are of the round before, not of the record.
      const auto spans = run.before ? std::nullopt : span_table(outputs[i]);
      static_cast<void>(writer.put(*batch, records[i].id, records[i].text_id, records[i].key,
                                   {outputs[i].text, outputs[i].error, table, spans}, outcome));
      progress.counts.add(outcome);
      if (!is_blank(records[i].text) && outputs[i].text == records[i].text) ++unchanged;
    }
    writer.end();
    if (AskingSanitizer* asking = sanitizer.asking()) asking->keep(batch->db(), writer.id());
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      // What the texts were made from, round by round, is what the first round was made from.
      batch->db()
          .prepare(
              "UPDATE run SET made_from = CASE WHEN ?3 IS NULL THEN (SELECT content FROM dataset WHERE id = ?1)"
              " ELSE (SELECT made_from FROM run WHERE dataset_id = ?1 AND name = ?3) END"
              " WHERE dataset_id = ?1 AND name = ?2")
          .run(pages.dataset(), run.name, run.before);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  result.counts += progress.counts;
  const std::string whose = run.round == 0 ? std::string() : run.name + ": ";
  for (const std::string& note : run_notes(store.db(), dataset, run.name)) result.notes.push_back(whose + note);
  if ((sanitizer.asking() != nullptr || spec.sanitizer == "command") && unchanged > 0) {
    result.notes.push_back(fmt::format("{}{} of {} texts are as they were", whose, unchanged, pages.total()));
  }
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

SanitizeResult sanitize_dataset(storage::Store& store, std::string_view dataset, std::string_view run,
                                const SanitizePlan& plan, unsigned jobs, const IngestOptions& options) {
  check_name("run", run);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const RecordPages pages(store, dataset);
  const auto sanitizer =
      make_sanitizer(plan.method, setting_of(store, dataset, pages.dataset(), plan, options.interrupted));
  SanitizeResult result;
  if (is_control(run)) {
    if (plan.method != run) {
      throw Error(Code::kUsage, fmt::format("\"{}\" is an automatic control of every dataset", run),
                  "name another run with --run");
    }
    result.runs.emplace_back(run);
    result.counts.same = pages.total();
    result.notes.push_back(fmt::format("every dataset has the control \"{}\" already", run));
    return result;
  }
  if (const auto* release = dynamic_cast<const Synthesizer*>(sanitizer.get())) {
    check_run(store.db(), pages.dataset(), run, true);
    const SynthesisTarget target{std::string(dataset), pages.dataset(), std::string(run)};
    return {synthesize(store, target, spec_of(*sanitizer, plan, run, 0), *release, jobs, options), {target.run}};
  }
  const std::vector<RunOfRound> runs = runs_of(run, sanitizer->rounds());
  for (const RunOfRound& one : runs) {
    check_name("run", one.name);
    check_run(store.db(), pages.dataset(), one.name, false);
  }
  const auto feedback = sanitizer->asking() != nullptr ? sanitizer->asking()->feedback() : std::nullopt;
  for (const RunOfRound& one : runs) {
    if (feedback) {
      check_feedback(store, pages.dataset(), one.before.value_or("none"), feedback->as);
      ask_run(store, dataset, one.before.value_or("none"), feedback->task.asker(), feedback->as, options);
    }
    make_run(store, dataset, one, spec_of(*sanitizer, plan, run, one.round), *sanitizer, jobs, options, result);
    result.runs.push_back(one.name);
  }
  if (sanitizer->rounds() > 0) note_left_rounds(store, dataset, pages.dataset(), *sanitizer, plan, run, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

SanitizeAskPlan plan_sanitize(storage::Store& store, std::string_view dataset, const SanitizePlan& plan) {
  RecordPages pages(store, dataset);
  const auto sanitizer = make_sanitizer(plan.method, setting_of(store, dataset, pages.dataset(), plan, {}));
  AskingSanitizer* asking = sanitizer->asking();
  if (asking == nullptr) {
    throw Error(Code::kUsage, fmt::format("{} asks no model: there is nothing to be sent", plan.method),
                "leave out --dry-run");
  }
  asking->plan_only();
  SanitizeAskPlan sum;
  const bool several = asking->asks_by_answers() || sanitizer->rounds() > 1;
  std::vector<RecordText> records;
  while (pages.next(records)) {
    for (std::uint32_t round = 0; round < std::max(sanitizer->rounds(), 1U); ++round) {
      const std::vector<SanitizeOutput> outputs = sanitized(*sanitizer, records, 1);
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (several && records[i].error.empty() && AskingSanitizer::is_planned(outputs[i])) ++sum.more;
        records[i].error = outputs[i].text ? std::string() : outputs[i].error.value_or("no text");
        records[i].text = outputs[i].text.value_or("");
      }
    }
  }
  for (const auto& [asked, what] : asking->planned()) {
    const model::Endpoint& endpoint = *asked;
    auto at = std::ranges::find(sum.models, endpoint.name, [](const auto& one) { return one.endpoint.name; });
    if (at == sum.models.end()) at = sum.models.insert(at, {endpoint, {}});
    at->plan += *what;
  }
  return sum;
}

}  // namespace residue::ingest
