#include "model/tasks/task_asker.h"

#include <utility>

#include "model/asking/vote_key.h"

namespace residue::model {
namespace {

TaskSetting checked(TaskSetting setting) {
  check_setting(setting);
  return setting;
}

Endpoint chatting(Endpoint endpoint, TaskKind kind) {
  require_chat(endpoint);
  if (kind == TaskKind::kRespond) endpoint.asking.form = AnswerForm::kText;  // Nothing asks for a form.
  return endpoint;
}

}  // namespace

TaskAsker::TaskAsker(storage::Store& store, TaskSetting setting, Endpoint endpoint, std::string dataset,
                     AskSession& session)
    : store_(store),
      setting_(checked(std::move(setting))),
      endpoint_(chatting(std::move(endpoint), setting_.kind)),
      dataset_(std::move(dataset)),
      session_(session),
      spec_(task_spec(setting_, endpoint_.asking)),
      digest_(spec_digest(spec_)) {}

std::string TaskAsker::problem(const Texts& question, std::string_view content) const {
  return parse_task(setting_, endpoint_.asking.form, question, content).problem;
}

std::string TaskAsker::body(const Texts& question, std::uint32_t unusable) const {
  const Messages messages = task_messages(setting_, endpoint_.asking.form, digest_, question);
  return chat_body(endpoint_.asking, sample_after(0, unusable), messages.system, messages.user, task_schema(setting_));
}

bool TaskAsker::settled(const storage::Facts::Reader& reader, const Texts& question) const {
  const auto why = [&](std::size_t, std::string_view content) { return problem(question, content); };
  return look_up(reader, vote(question), 0, why).settled(session_.options.retry);
}

TaskAnswer TaskAsker::answer_of(const Texts& question, const KnownAnswer& known) const {
  if (known.content) return parse_task(setting_, endpoint_.asking.form, question, *known.content);
  return {{}, known.problem.empty() ? "no reply" : known.problem};
}

std::optional<TaskAnswer> TaskAsker::known(const storage::Facts::Reader& reader, const Texts& question) const {
  const auto why = [&](std::size_t, std::string_view content) { return problem(question, content); };
  const KnownAnswer found = look_up(reader, vote(question), 0, why);
  if (!found.settled(session_.options.retry)) return std::nullopt;
  return answer_of(question, found);
}

std::vector<TaskAnswer> TaskAsker::answers(std::span<const Texts> questions) {
  std::vector<VoteKey> votes;
  votes.reserve(questions.size());
  for (const Texts& question : questions) votes.push_back(vote(question));
  Task task;
  task.digest = digest_;
  task.body = [&](std::size_t i, std::uint32_t unusable) { return body(questions[i], unusable); };
  task.problem = [&](std::size_t i, std::string_view content) { return problem(questions[i], content); };
  task.texts = [&](std::size_t i) { return questions[i]; };
  std::vector<TaskAnswer> answers;
  answers.reserve(questions.size());
  for (const auto& known : ask_all(store_, endpoint_, dataset_, task, votes, session_)) {
    answers.push_back(answer_of(questions[answers.size()], known));
    if (!known.content) failures_.add(known);
  }
  return answers;
}

std::vector<std::optional<std::string>> TaskAsker::ask(std::span<const Texts> questions) {
  std::vector<std::optional<std::string>> result;
  result.reserve(questions.size());
  for (TaskAnswer& answer : answers(questions)) {
    result.push_back(answer.problem.empty() ? std::optional(std::move(answer.answer)) : std::nullopt);
  }
  return result;
}

}  // namespace residue::model
