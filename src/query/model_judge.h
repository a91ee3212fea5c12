// A language model as a judge: each pair is asked `votes` times, the mode of the votes is its rating (METRICS section
// 2).
//
//   pairs ─> votes whose answers are saved ─┐
//        └─> votes to ask ─> model/asker.h ─┴─> answers read again ─> ratings ─> mode
//
// Ratings come from saved answers alone: what is asked now is read back like what was asked long ago.
#pragma once

#include <memory>
#include <string>

#include "model/asker.h"
#include "query/judge.h"
#include "query/judging.h"
#include "storage/store.h"

namespace residue::query {

using model::AskSession;

// What rating would ask.
struct NotAsked {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;     // of their bodies
  std::uint64_t passages = 0;  // texts that would be sent
  double cost_usd = 0;

  NotAsked& operator+=(const NotAsked& other) {
    requests += other.requests;
    bytes += other.bytes;
    passages += other.passages;
    cost_usd += other.cost_usd;
    return *this;
  }
};

class ModelJudge final : public Judge {
 public:
  // Asks `endpoint` about texts of `dataset`.
  ModelJudge(storage::Store& store, model::Endpoint endpoint, std::string dataset, std::shared_ptr<AskSession> session);

  // Knows what was answered to a judge of this name and spec(), asks nothing. Nothing if it is no spec of a ModelJudge
  // of this version.
  static std::unique_ptr<ModelJudge> from_answers(storage::Store& store, std::string name, std::string_view spec);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return false; }

  // As Judge says. Nothing for a claim whose answers could not be used, or were never given to a judge that asks
  // nothing. Throws as model::ask().
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;

  // From saved answers; without any, rating 3 and a sentence that says so.
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

  [[nodiscard]] NotAsked not_asked(std::span<const Request> requests) const;

  // Where texts would go; nothing for a judge that asks nothing.
  [[nodiscard]] std::uint32_t votes() const { return votes_; }
  struct Destination {
    std::string host, dataset;
    bool loopback = false, allowed = false;
  };
  [[nodiscard]] std::optional<Destination> destination() const;

 private:
  ModelJudge(storage::Store& store, std::string name, const std::string& answer_spec, std::uint32_t votes);

  struct Vote;  // one sample of one pair
  [[nodiscard]] std::vector<Vote> votes_of(std::span<const Request> requests) const;
  [[nodiscard]] model::Prompt prompt(std::string_view passage, std::string_view claim, std::uint32_t sample) const;
  void ask(std::span<const Request> requests, const std::vector<Vote>& votes) const;

  storage::Store& store_;
  std::string name_;
  std::string spec_;
  std::string answer_spec_;  // what votes depend on
  std::string digest_;       // of answer_spec_
  std::string instructions_;
  model::Asking asking_;
  std::uint32_t votes_ = 1;
  std::optional<model::Endpoint> endpoint_;
  std::string dataset_;
  std::shared_ptr<AskSession> session_;
};

// Of pairs (duplicates allowed) how many judgments are known, and what a model would have to be asked for the others.
struct PairCounts {
  std::uint64_t known = 0, unknown = 0;
  NotAsked not_asked;
};
PairCounts count_pairs(storage::Store& store, const Judge& judge, JudgeId id, std::vector<Pair> pairs);

// The judge of that name: embedded, of an endpoint, or known from its answers alone. `session`: nothing is asked
// without. Throws Error{not found} naming the judges that exist.
std::unique_ptr<Judge> open_judge(storage::Store& store, const std::string& name, const std::string& dataset,
                                  std::shared_ptr<AskSession> session);

}  // namespace residue::query
