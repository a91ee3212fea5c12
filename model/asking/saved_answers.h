// Answers that are there, and asking for those that are not: what all tasks do whose answers are text.
//
//   votes ─> look_up: saved answers ─> usable content
//        └─> not settled ─> ask (model/asker.h) ─> saved
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/asker.h"

namespace residue::model {

// Why a whole answer to question `index` cannot be used; empty if it can.
using ContentProblem = std::function<std::string(std::size_t index, std::string_view content)>;

// What was answered under one vote key.
struct KnownAnswer {
  std::optional<std::string> content;  // of the first answer that can be used
  std::string problem;                 // of the last that cannot
  std::uint32_t replies = 0;           // saved
  std::uint32_t answers = 0;           // of these those of the model: no_completion() is no answer
  std::uint32_t last = 0;              // number of the last attempt that was saved
  bool gave_up = false;

  // Nothing more is asked. Of a server that sent no completions, the next command asks again.
  [[nodiscard]] bool settled(const RetryPolicy& policy) const {
    return content.has_value() || gave_up || answers >= policy.unusable;
  }
};

// One reply under a vote key, as it is kept. It holds what the model was told and whatever it says of that.
struct KeptReply {
  std::uint32_t attempt = 0;
  int status = 0;       // HTTP; 0: no reply could be had
  std::int64_t at = 0;  // unix milliseconds
  std::string body;     // as the server sent it
  std::string content;  // the model's words; empty where it is no whole reply
  std::string problem;  // why it is not the answer; empty: it is
};

// `replies`: gets all of them, in the order they came; at most one has no problem. Null: nobody wants them.
KnownAnswer look_up(const storage::Facts::Reader& answers, const VoteKey& vote, std::size_t index,
                    const ContentProblem& problem, std::vector<KeptReply>* replies = nullptr);

struct Task {
  SpecDigest digest;  // one process at a time asks for its answers
  RequestBody body;
  ContentProblem problem;
  AskedTexts texts = {};
};

// Keeps the preimage of a spec's digest; inside a write batch.
void keep_spec(storage::Db& db, std::string_view spec);

// Asks for those of `votes` (by index) that are not settled, each once however often it is there. Throws as ask().
void ask_open(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Task& task,
              std::span<const VoteKey> votes, AskSession& session);

// The same, and then what is known of each vote, by index.
std::vector<KnownAnswer> ask_all(storage::Store& store, const Endpoint& endpoint, const std::string& dataset,
                                 const Task& task, std::span<const VoteKey> votes, AskSession& session);

// Why questions have no usable answer.
class Failures {
 public:
  void add(const KnownAnswer& known) { ++count_[known.problem.empty() ? "no reply" : known.problem]; }
  [[nodiscard]] std::string words() const;  // "refused (1), truncated (2)"; empty: all have one

 private:
  std::map<std::string, std::uint64_t> count_;  // by reason
};

}  // namespace residue::model
