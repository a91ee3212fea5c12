// Asking one task (model/task.h) about many texts: what was answered is never asked again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/asker.h"
#include "model/asking/saved_answers.h"
#include "model/tasks/task.h"

namespace residue::model {

class TaskAsker {
 public:
  using Texts = std::vector<std::string_view>;  // one per part of the task, in their order

  // About texts of `dataset`. Error{usage} for an endpoint that cannot chat, and as check_setting().
  TaskAsker(storage::Store& store, TaskSetting setting, Endpoint endpoint, std::string dataset, AskSession& session);

  // The canonical answers, by question; nothing where none can be used. Throws as model::ask().
  std::vector<std::optional<std::string>> ask(std::span<const Texts> questions);

  // The same with the reasons: `problem` says why an answer is missing ("no reply": nobody gave one), never empty then.
  std::vector<TaskAnswer> answers(std::span<const Texts> questions);

  // What is known of one question, without asking; nothing while more would be asked.
  [[nodiscard]] std::optional<TaskAnswer> known(const storage::Facts::Reader& reader, const Texts& question) const;

  // Of one question, without asking: the vote key, whether nothing more would be asked, and the body of its request.
  [[nodiscard]] VoteKey vote(const Texts& question) const { return task_vote(digest_, question); }
  [[nodiscard]] bool settled(const storage::Facts::Reader& reader, const Texts& question) const;
  [[nodiscard]] std::string body(const Texts& question, std::uint32_t unusable = 0) const;

  [[nodiscard]] const std::string& spec() const { return spec_; }
  [[nodiscard]] const SpecDigest& digest() const { return digest_; }
  [[nodiscard]] const TaskSetting& setting() const { return setting_; }
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

  // "refused (1), truncated (2)", of all that was asked since the last forget_failures().
  [[nodiscard]] std::string failures() const { return failures_.words(); }
  void forget_failures() { failures_ = Failures(); }

 private:
  [[nodiscard]] std::string problem(const Texts& question, std::string_view content) const;
  [[nodiscard]] TaskAnswer answer_of(const Texts& question, const KnownAnswer& known) const;

  storage::Store& store_;
  const TaskSetting setting_;
  const Endpoint endpoint_;
  const std::string dataset_;
  AskSession& session_;
  const std::string spec_;
  const SpecDigest digest_;
  Failures failures_;
};

}  // namespace residue::model
