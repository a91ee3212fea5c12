#include "ingest/method/asking_sanitizer.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/error.h"
#include "ingest/rows/names.h"
#include "storage/catalog/sources/run_vote.h"

namespace residue::ingest {
namespace {

using model::TaskAnswer;
using storage::Statement;

model::TaskSetting task_setting(const SanitizerSetting& setting, const std::string& name, model::TaskKind kind,
                                std::vector<std::string> items) {
  model::TaskSetting task{kind, std::move(items), std::nullopt};
  if (const auto own = setting.asking.templates.find(name); own != setting.asking.templates.end()) {
    task.instructions = own->second;
  }
  return task;
}

storage::Store& store_of(const SanitizerSetting& setting) {
  if (setting.store != nullptr && setting.asking.session != nullptr) return *setting.store;
  throw Error(Code::kUsage, "there is no store whose models could be asked", "run it on a dataset");
}

}  // namespace

SanitizerTask::SanitizerTask(const SanitizerSetting& setting, std::string name, model::TaskKind kind,
                             const std::string& model, std::vector<std::string> items)
    : store_(store_of(setting)),
      name_(std::move(name)),
      asker_(store_, task_setting(setting, name_, kind, std::move(items)), model::find_endpoint(store_.db(), model),
             setting.dataset_name, *setting.asking.session) {}

std::vector<TaskAnswer> SanitizerTask::ask(std::span<const Texts> questions) {
  for (const Texts& question : questions) votes_.insert(asker_.vote(question));
  if (!planning_) return asker_.answers(questions);
  std::vector<TaskAnswer> answers;
  const auto reader = store_.facts().read();
  for (const Texts& question : questions) {
    plan_.add(*reader, asker_, question);
    answers.push_back(asker_.known(*reader, question).value_or(TaskAnswer{{}, std::string(kNotAsked)}));
  }
  return answers;
}

Json SanitizerTask::facts() const {
  return {{"label", asker_.endpoint().asking.model},
          {"model", asker_.endpoint().name},
          {"parser", model::task_parser(asker_.setting().kind)},
          {"spec", to_hex(asker_.digest().bytes().substr(0, AskingSanitizer::kShownDigestBytes))}};
}

std::string SanitizerTask::error(const TaskAnswer& answer) const {
  if (answer.problem == kNotAsked) return std::string(kNotAsked);
  return fmt::format("{}: model {} gave no usable answer: {}", name_, asker_.endpoint().name, answer.problem);
}

AskingSanitizer::AskingSanitizer(std::string_view method, int version, Json params)
    : method_(method), version_(version), params_(std::move(params)) {}

SanitizerTask& AskingSanitizer::add(std::unique_ptr<SanitizerTask> task) {
  return *tasks_.emplace_back(std::move(task));
}

std::string AskingSanitizer::spec() const {
  Json spec = {{"method", method_}, {"params", params_}, {"version", fmt::format("{}/{}", method_, version_)}};
  for (const auto& task : tasks_) spec["asked"][task->name()] = task->facts();
  return spec.sorted().dump();
}

SanitizeOutput AskingSanitizer::sanitize(const SanitizeInput& input) const {
  SanitizeOutput output;
  sanitize_all({&input, 1}, {&output, 1}, 1);
  return output;
}

AskingSanitizer::OpenTexts AskingSanitizer::open_texts(std::span<const SanitizeInput> inputs,
                                                       std::span<SanitizeOutput> outputs) {
  OpenTexts open;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_blank(inputs[i].text)) {
      outputs[i].text = std::string(inputs[i].text);
    } else {
      open.places.push_back(i);
      open.questions.push_back({inputs[i].text});
    }
  }
  return open;
}

void AskingSanitizer::plan_only() {
  for (const auto& task : tasks_) task->plan_only();
}

bool AskingSanitizer::is_planned(const SanitizeOutput& output) { return output.error == SanitizerTask::kNotAsked; }

std::vector<AskingSanitizer::Planned> AskingSanitizer::planned() const {
  std::vector<Planned> all;
  for (const auto& task : tasks_) all.push_back({&task->asker().endpoint(), &task->plan()});
  return all;
}

void AskingSanitizer::keep_votes(storage::Db& db, RunId run, const std::set<VoteKey>& votes) {
  Statement put = db.prepare(storage::sql::kInsertRunVoteIfNew);
  for (const VoteKey& vote : votes) put.run(run, Statement::Blob{vote.bytes()});
}

void AskingSanitizer::keep(storage::Db& db, RunId run) {
  for (const auto& task : tasks_) {
    model::keep_spec(db, task->asker().spec());
    keep_votes(db, run, task->take_votes());
  }
}

}  // namespace residue::ingest
