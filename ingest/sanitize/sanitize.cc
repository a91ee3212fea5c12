#include "ingest/sanitize/sanitize.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "ingest/ask/ask.h"
#include "ingest/batches/record_pages.h"
#include "ingest/batches/run_writer.h"
#include "ingest/batches/same_texts.h"
#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/sanitizer.h"
#include "ingest/rows/names.h"
#include "ingest/sanitize/making.h"
#include "ingest/sanitize/synthesize.h"
#include "model/limits/spending.h"
#include "model/server/request.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

void check_run(storage::Db& db, DatasetId dataset, std::string_view run, bool synthetic) {
  storage::Statement find = db.prepare(storage::sql::kRunIsSyntheticByName);
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

SanitizerSetting setting_of(storage::Store& store, std::string_view dataset, DatasetId id, const SanitizePlan& plan,
                            const std::function<bool()>& interrupted) {
  return {.params = plan.params,
          .seed = plan.seed.value_or(0),
          .store = &store,
          .dataset = id,
          .interrupted = interrupted,
          .seeded = plan.seed.has_value(),
          .dataset_name = std::string(dataset),
          .asking = plan.asking};
}

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
    Json params = Json::parse(*spec.params).value();
    params["params"]["round"] = round;
    spec.params = params.sorted().dump();
  }
  if (plan.seed) spec.seed = static_cast<std::int64_t>(*plan.seed);
  spec.group = plan.group || round == 0 ? plan.group : std::optional(std::string(name));
  spec.removes_everything = sanitizer.removes_everything();
  spec.texts_are_meant = sanitizer.texts_are_meant();
  return spec;
}

// Runs of further rounds that an earlier command left, with other settings or of other records.
void note_left_rounds(storage::Store& store, std::string_view dataset, DatasetId id, const Sanitizer& sanitizer,
                      const SanitizePlan& plan, std::string_view name, IngestResult& result) {
  storage::Statement find = store.db().prepare(storage::sql::kRunIsMadeOfDatasetWithParams);
  for (std::uint32_t round = sanitizer.rounds() + 1;; ++round) {
    const std::string run = fmt::format("{}@{}", name, round);
    if (!find.bind(id, run, spec_of(sanitizer, plan, name, round).params).step()) return;
    if (find.integer(0) == 0) {
      result.notes.push_back(fmt::format(
          "{0} was made with other settings or from other records; residue rm {1}/{0} removes it", run, dataset));
    }
    find.reset();
  }
}

// Throws where inferences would replace answers that came from a file, or of the originals any that were asked for in
// another way: other runs are measured against these.
void check_feedback(storage::Store& store, DatasetId dataset, const std::string& run,
                    const AskingSanitizer::Feedback& feedback) {
  storage::Statement find = store.db().prepare(storage::sql::kAnswerSetAttributeGuessesOfRun);
  if (!find.bind(dataset, run, feedback.as).step()) return;
  const char* remedy = "--param as=NAME gives the inferences another name, and keeps both";
  if (find.is_null(0)) {
    throw Error(Code::kUsage, fmt::format("guesses of {} about the texts of {} came from a file", feedback.as, run),
                remedy);
  }
  if (!is_control(run) || find.text(0) == feedback.task.asker().digest().bytes()) return;
  throw Error(
      Code::kUsage,
      fmt::format("{} has guessed about the texts of {} already, with other attributes, instructions or settings",
                  feedback.as, run),
      remedy);
}

void check_control(std::string_view run, std::string_view method) {
  if (!is_control(run) || method == run) return;
  throw Error(Code::kUsage, fmt::format("\"{}\" is an automatic control of every dataset", run),
              "name another run with --run");
}

// The runs that the sanitizer makes under that name. Throws where one of them cannot become its.
std::vector<RunOfRound> checked_runs(storage::Store& store, DatasetId dataset, std::string_view name,
                                     const Sanitizer& sanitizer) {
  const bool synthetic = dynamic_cast<const Synthesizer*>(&sanitizer) != nullptr;
  std::vector<RunOfRound> runs = runs_of(name, sanitizer.rounds());
  for (const RunOfRound& one : runs) {
    check_name("run", one.name);
    check_run(store.db(), dataset, one.name, synthetic);
  }
  return runs;
}

// Makes or updates the run, and adds to `result`.
void make_run(storage::Store& store, std::string_view dataset, const RunOfRound& run, const RunSpec& spec,
              Sanitizer& sanitizer, unsigned jobs, std::chrono::milliseconds keep_every, const IngestOptions& options,
              IngestResult& result) {
  Making making(store, dataset, run, spec, sanitizer, keep_every, options);
  if (sanitizer.asked().empty()) {
    making.make(jobs);
  } else {
    making.ask();
  }
  result.counts += making.counts();
  const std::string whose = run.round == 0 ? std::string() : run.name + ": ";
  for (const std::string& note : run_notes(store.db(), dataset, run.name)) result.notes.push_back(whose + note);
  // Who asks, a model or a program, may be told the same by it whatever the text.
  if (sanitizer.asking() != nullptr || !sanitizer.asked().empty()) {
    // Only the method command has this parameter; the texts of a model are always checked.
    const std::string_view if_meant = spec.sanitizer == "command" ? "--param texts-are-meant=yes" : "";
    if (const auto note = same_texts_note(store, dataset, run.name, if_meant)) result.notes.push_back(whose + *note);
  }
  if (spec.sanitizer != "none" && making.unchanged() > 0) {
    result.notes.push_back(fmt::format("{}{} of {} texts are as they were", whose, making.unchanged(), making.total()));
  }
}

}  // namespace

SanitizeResult sanitize_dataset(storage::Store& store, std::string_view dataset, std::string_view run,
                                const SanitizePlan& plan, unsigned jobs, const IngestOptions& options) {
  check_name("run", run);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const RecordPages pages(store, dataset);
  const auto sanitizer =
      make_sanitizer(plan.method, setting_of(store, dataset, pages.dataset(), plan, options.interrupted));
  SanitizeResult result;
  check_control(run, plan.method);
  if (is_control(run)) {
    result.runs.emplace_back(run);
    result.counts.same = pages.total();
    result.notes.push_back(fmt::format("every dataset has the control \"{}\" already", run));
    return result;
  }
  if (const auto* release = dynamic_cast<const Synthesizer*>(sanitizer.get())) {
    checked_runs(store, pages.dataset(), run, *sanitizer);
    const SynthesisTarget target{std::string(dataset), pages.dataset(), std::string(run), plan.announce};
    return {synthesize(store, target, spec_of(*sanitizer, plan, run, 0), *release, jobs, options), {target.run}};
  }
  const std::vector<RunOfRound> runs = checked_runs(store, pages.dataset(), run, *sanitizer);
  if (sanitizer->asking() != nullptr) {
    for (const auto& [endpoint, what] : sanitizer->asking()->planned()) {
      model::check_budget(*endpoint, plan.asking.session->budget);
      plan.asking.session->options.also.push_back(model::receiver_of(endpoint->transport));
    }
  }
  const auto feedback = sanitizer->asking() != nullptr ? sanitizer->asking()->feedback() : std::nullopt;
  for (const RunOfRound& one : runs) {
    if (feedback) {
      check_feedback(store, pages.dataset(), one.before.value_or("none"), *feedback);
      ask_run(store, dataset, one.before.value_or("none"), feedback->task.asker(), feedback->as, options);
    }
    make_run(store, dataset, one, spec_of(*sanitizer, plan, run, one.round), *sanitizer, jobs, plan.keep_every, options,
             result);
    result.runs.push_back(one.name);
  }
  for (std::string& note : sanitizer->notes()) result.notes.push_back(std::move(note));
  if (sanitizer->rounds() > 0) note_left_rounds(store, dataset, pages.dataset(), *sanitizer, plan, run, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void check_sanitize(storage::Store& store, std::string_view dataset, std::string_view run, const SanitizePlan& plan) {
  check_name("run", run);
  const RecordPages pages(store, dataset);
  SanitizerSetting setting = setting_of(store, dataset, pages.dataset(), plan, {});
  setting.checking = true;
  const auto sanitizer = make_sanitizer(plan.method, std::move(setting));
  check_control(run, plan.method);
  if (is_control(run)) return;
  const auto feedback = sanitizer->asking() != nullptr ? sanitizer->asking()->feedback() : std::nullopt;
  for (const RunOfRound& one : checked_runs(store, pages.dataset(), run, *sanitizer)) {
    if (feedback) check_feedback(store, pages.dataset(), one.before.value_or("none"), *feedback);
  }
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
