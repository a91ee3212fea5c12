// A language model as a judge: each pair is asked `votes` times, the mode of the votes is its rating (METRICS section
// 2).
//
//   pairs ─> votes whose answers are saved ─┐
//        └─> votes to ask ─> model/asker.h ─┴─> answers read again ─> ratings ─> mode
//
// Ratings come from saved answers alone: what is asked now is read back like what was asked long ago.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "model/chat.h"
#include "query/asking_judge.h"
#include "storage/store.h"

namespace residue::query {

class ModelJudge final : public AskingJudge {
 public:
  // Asks `endpoint` about texts of `dataset`.
  ModelJudge(storage::Store& store, model::Endpoint endpoint, std::string dataset, std::shared_ptr<AskSession> session);

  // Knows what was answered to a judge of this name and spec(), asks nothing. Nothing if it is no spec of a ModelJudge
  // of this version.
  static std::unique_ptr<ModelJudge> from_answers(storage::Store& store, std::string name, std::string_view spec);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }

  // As Judge says. Nothing for a claim whose answers could not be used, or were never given to a judge that asks
  // nothing. Throws as model::ask().
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;

  // From saved answers.
  [[nodiscard]] Trust trust(const Request& request) const override;

  // From saved answers; without any, rating 3 and a sentence that says so.
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

  [[nodiscard]] NotAsked not_asked(std::span<const Request> requests) const override;
  [[nodiscard]] std::uint32_t votes() const override { return votes_; }
  [[nodiscard]] std::optional<Destination> destination() const override;

 private:
  ModelJudge(storage::Store& store, std::string name, const std::string& answer_spec, std::uint32_t votes,
             bool canaries);

  struct Vote;  // one sample of one pair, or the canaries of a passage
  struct Known;
  // Those of a passage's canaries after those of its claims.
  [[nodiscard]] std::vector<Vote> votes_of(std::span<const Request> requests) const;
  [[nodiscard]] Vote canary_vote(std::string_view passage) const;
  [[nodiscard]] Known look_up(const storage::Facts::Reader& answers, const Vote& vote) const;
  [[nodiscard]] model::Prompt prompt(std::string_view passage, const Vote& vote) const;
  void ask(std::span<const Request> requests, const std::vector<Vote>& votes) const;

  storage::Store& store_;
  std::string name_;
  std::string spec_;
  std::string answer_spec_;  // what votes depend on
  std::string digest_;       // of answer_spec_
  std::string instructions_;
  std::array<std::optional<model::ChatBodies>, 2> bodies_;  // of requests about one and two claims
  model::Asking asking_;
  std::uint32_t votes_ = 1;
  bool canaries_ = true;
  std::optional<model::Endpoint> endpoint_;
  std::string dataset_;
  std::shared_ptr<AskSession> session_;
};

}  // namespace residue::query
