// Asking: many questions to one endpoint, every answer durable before anybody looks into it.
//
//   questions ─> ledger row (commit) ─> request ─> raw reply into facts/ (commit) ─> usable? ─> ledger row's fate
//
// A crash between the first commit and the second leaves a request of which nobody knows whether it was paid for; it is
// counted. After the second commit it is never sent again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/progress.h"
#include "model/limits/spending.h"
#include "model/limits/withdrawn.h"
#include "model/server/chat.h"
#include "model/server/endpoint.h"
#include "model/server/retry.h"
#include "model/server/server_url.h"
#include "storage/store.h"

namespace residue::model {

// A server that gives no reply at all.
struct Silence {
  std::string model, host, reason;
  std::int64_t until_ms = 0;  // unix milliseconds: asking ends then at the latest, unless it answers
};

struct AskOptions {
  RetryPolicy retry;
  // A request of which nobody knows whether the server worked on it is not sent again: it may have to be paid twice.
  bool no_repeat = false;
  // Servers that the same command may send texts to later: nothing is paid for before all are allowed.
  std::vector<ServerUrl> also;
  std::function<bool()> interrupted;
  ProgressFunction progress;
  // Called at the first request of a silence that is going to be repeated, and with nothing when the server answers
  // again.
  std::function<void(const std::optional<Silence>& silence)> silence;
  // Called where answers that something may have been made of are taken back. Who leaves it out lets that stand.
  Withdraw withdraw;
};

struct AskCounts {
  std::uint64_t requests = 0;    // sent
  std::uint64_t saved = 0;       // answers that can be used
  std::uint64_t invalid = 0;     // answers that cannot
  std::uint64_t refused = 0;     // not worked on
  std::uint64_t unknown = 0;     // nobody knows
  std::uint64_t too_long = 0;    // questions without an answer: longer than what the model reads, not sent
  std::uint64_t left = 0;        // questions without an answer, because nobody knows whether one was paid for
  std::uint64_t taken_back = 0;  // answers of earlier commands, of which it turned out that their prompts were cut
  Withdrawn withdrawn;           // what had been made of answers that were taken back
  std::uint64_t tokens_in = 0, tokens_out = 0;
  double cost_usd = 0;
  double uncounted_usd = 0;  // of it what no server counted: the most that it may have been

  AskCounts& operator+=(const AskCounts& other);
};

// What asking has done and may still do, shared by all that one command asks.
struct AskSession {
  Budget budget;
  AskOptions options;
  AskCounts counts;
};

struct Question {
  std::size_t index = 0;  // the caller's
  VoteKey vote;
  std::uint32_t unusable = 0;  // answers that there are, and cannot be used
  std::uint32_t last = 0;      // number of the last saved attempt
};

// What asking itself has to know of a reply.
struct Reading {
  std::string problem;  // why it cannot be used, in words of ours; empty if it can
  std::optional<std::int64_t> tokens_in, tokens_out;
  std::optional<std::int64_t> tokens_read = std::nullopt;  // of the prompt (chat.h), where the count is held against it
};

// The texts that question `index` is about; they live until the next call.
using AskedTexts = std::function<std::vector<std::string_view>(std::size_t index)>;

// Of the request about question `index` that `unusable` answers have been given to, JSON; called when it is its turn.
using RequestBody = std::function<std::string(std::size_t index, std::uint32_t unusable)>;

struct Questions {
  std::vector<Question> list;
  RequestBody body;
  AskedTexts texts;  // empty: nobody knows; then a purge of any text of the dataset takes the answers
  // Why an answer cannot be used; empty if it can.
  std::function<std::string(std::size_t index, const ChatReply& reply)> problem;

  // Of other interfaces than chat completions:
  std::string call = "/chat/completions";
  std::size_t reply_bytes = HttpLimits{}.reply_bytes;
  // Instead of `problem`: reads a reply as it came, which is saved like any other.
  std::function<Reading(std::size_t index, int status, std::string_view body)> read;
  // Instead of both. Keeps what a usable reply says in this batch, which commits the reply's fate as well; the
  // reply itself is then not saved. An unusable one is, and nothing of it may have been kept.
  std::function<Reading(storage::WriteBatch& batch, std::size_t index, int status, std::string_view body)> keep;
  // Of an answer, at most, where the requests say so themselves; nothing: most_answer_tokens() of the endpoint.
  std::optional<std::int64_t> answer_tokens;
  // One question without a usable answer stops the run with Error{io}: the others are worth nothing without it.
  bool all_or_nothing = false;
};

// Asks until every question has a usable answer or as many unusable ones as the policy allows. Each vote once in the
// list. The caller holds lock_asking(). Throws Error{interrupted} (what was in flight is saved), Error{try again} where
// the budget is spent or the server does not answer, Error{io} where it refuses: all with what was answered saved.
AskCounts ask(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
              Budget& budget, const AskOptions& options);

// One process at a time asks for the answers of a spec, so that none is paid for twice; Error{busy}.
storage::Lock lock_asking(const storage::Store& store, const SpecDigest& spec);

}  // namespace residue::model
