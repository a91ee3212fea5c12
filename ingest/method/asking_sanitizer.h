// What sanitizers have in common that ask a model: whom they ask, what is kept of it with the run, and what it cost.
//
//   texts ─> SanitizerTask::ask ─> model/task_asker.h ─> answers, saved for ever ─> outputs
//                              └─> votes ─> run_vote: what the run was made of
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/json.h"
#include "ingest/batches/ask_plan.h"
#include "ingest/method/sanitizer.h"
#include "model/tasks/task_asker.h"

namespace residue::ingest {

// One thing that a method asks a model.
class SanitizerTask {
 public:
  using Texts = model::TaskAsker::Texts;

  // The problem of an answer that would have to be asked for, while planning.
  static constexpr std::string_view kNotAsked = "not asked yet";

  // `name`: as in SanitizerMethod::asks; `model`: as given to `model add`. Throws as model::TaskAsker, and as
  // model::find_endpoint().
  SanitizerTask(const SanitizerSetting& setting, std::string name, model::TaskKind kind, const std::string& model,
                std::vector<std::string> items = {});

  // The answers, or why there are none: by question. While planning nothing is asked. Throws as model::ask().
  std::vector<model::TaskAnswer> ask(std::span<const Texts> questions);

  // {"label": the model's name, "model": the endpoint's, "parser", "spec": the beginning of its digest}: nothing of
  // address, price and the like, so that a run stays what it is when its model moves.
  [[nodiscard]] Json facts() const;

  // The error of a record that this task has no usable answer for: "NAME: model local gave no usable answer:
  // truncated".
  [[nodiscard]] std::string error(const model::TaskAnswer& answer) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] model::TaskAsker& asker() { return asker_; }
  [[nodiscard]] const model::TaskAsker& asker() const { return asker_; }

  // From now on nothing is asked, but counted in plan().
  void plan_only() { planning_ = true; }
  [[nodiscard]] const AskPlan& plan() const { return plan_; }

  // The vote keys of all that was asked about since this was last called.
  std::set<VoteKey> take_votes() { return std::exchange(votes_, {}); }

 private:
  storage::Store& store_;
  const std::string name_;
  model::TaskAsker asker_;
  bool planning_ = false;
  AskPlan plan_;
  std::set<VoteKey> votes_;
};

// Its sanitize() is not for several threads: use sanitize_all().
class AskingSanitizer : public Sanitizer {
 public:
  static constexpr std::size_t kShownDigestBytes = 8;  // of a spec's digest, in a run's params

  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] AskingSanitizer* asking() override { return this; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override;
  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned jobs) const override = 0;

  // From now on asks nothing: outputs whose answers are there are made, others have an error, and what would be asked
  // for them is counted in planned().
  virtual void plan_only();
  [[nodiscard]] static bool is_planned(const SanitizeOutput& output);

  // Inside a batch, behind outputs that it stores: keeps what was asked for them with the run, and with which words.
  virtual void keep(storage::Db& db, RunId run);

  // What would be asked whom; models may be there several times.
  struct Planned {
    const model::Endpoint* endpoint;
    const AskPlan* plan;
  };
  [[nodiscard]] virtual std::vector<Planned> planned() const;

  // What is asked about a text depends on answers about the same text.
  [[nodiscard]] virtual bool asks_by_answers() const { return tasks_.size() > 1; }

  // What is asked about the texts of each round before it changes them, and the name under which the answers are kept
  // with the run that they are about. Nothing: the method does not.
  struct Feedback {
    SanitizerTask& task;
    std::string as;
  };
  [[nodiscard]] virtual std::optional<Feedback> feedback() { return std::nullopt; }

  [[nodiscard]] std::span<const std::unique_ptr<SanitizerTask>> tasks() const { return tasks_; }

 protected:
  static void keep_votes(storage::Db& db, RunId run, const std::set<VoteKey>& votes);

  // `version`: of the method, raised when it makes other outputs of the same answers.
  AskingSanitizer(std::string_view method, int version, Json params);

  // The texts that have something to ask about, and where they are among `inputs`. Blank texts are their own outputs.
  struct OpenTexts {
    std::vector<std::size_t> places;
    std::vector<SanitizerTask::Texts> questions;
  };
  static OpenTexts open_texts(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs);

  // Adds a task, which lives as long as the sanitizer.
  SanitizerTask& add(std::unique_ptr<SanitizerTask> task);

 private:
  const std::string method_;
  const int version_;
  const Json params_;
  std::vector<std::unique_ptr<SanitizerTask>> tasks_;
};

}  // namespace residue::ingest
