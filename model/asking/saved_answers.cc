#include "model/asking/saved_answers.h"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/asking/vote_key.h"
#include "model/limits/read_whole.h"
#include "storage/catalog/answers/asked_with.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {
namespace {

constexpr int kLockWaitMs = 30'000;
const std::uint32_t kEnough = RetryPolicy{}.unusable;

// Of `votes` those at `positions` that are not settled, each once. `left`: those that are not asked for, because nobody
// knows whether their answers have to be paid.
std::vector<Question> open_questions(storage::Store& store, const Task& task, std::span<const VoteKey> votes,
                                     std::span<const std::size_t> positions, const AskOptions& options,
                                     std::uint64_t& left) {
  std::vector<Question> questions;
  std::unordered_set<VoteKey> seen;
  const auto reader = store.facts().read();
  left = 0;
  for (const std::size_t i : positions) {
    if (!seen.insert(votes[i]).second) continue;
    const KnownAnswer known = look_up(*reader, votes[i], i, task.problem);
    if (known.settled(options.retry)) continue;
    if (options.no_repeat && unknown_outcome(store.db(), votes[i])) {
      ++left;
    } else {
      questions.push_back({i, votes[i], known.answers, known.last});
    }
  }
  return questions;
}

// What dead processes left, read as this task reads it.
std::uint64_t settle_as(storage::Store& store, const Endpoint& endpoint, const Task& task,
                        std::span<const VoteKey> votes) {
  std::unordered_map<VoteKey, std::size_t> places;  // made when there is something to settle
  return settle(store, endpoint.name, [&](const VoteKey& vote, const Envelope& saved) -> std::optional<std::string> {
    if (places.empty()) {
      for (std::size_t i = 0; i < votes.size(); ++i) places.emplace(votes[i], i);
    }
    const auto place = places.find(vote);
    if (place == places.end()) return std::nullopt;
    const ChatReply reply = read_chat(saved.status, saved.body);
    return reply.problem.empty() ? task.problem(place->second, reply.content) : reply.problem;
  });
}

}  // namespace

AskCounts& AskCounts::operator+=(const AskCounts& other) {
  requests += other.requests;
  saved += other.saved;
  invalid += other.invalid;
  refused += other.refused;
  unknown += other.unknown;
  left += other.left;
  too_long += other.too_long;
  taken_back += other.taken_back;
  withdrawn += other.withdrawn;
  tokens_in += other.tokens_in;
  tokens_out += other.tokens_out;
  cost_usd += other.cost_usd;
  uncounted_usd += other.uncounted_usd;
  return *this;
}

storage::Lock lock_asking(const storage::Store& store, const SpecDigest& spec) {
  const std::string name = fmt::format("asking-{}.lock", to_hex(spec.bytes().substr(0, 8)));
  auto lock = storage::Lock::take(store.dir() / name, storage::LockMode::kExclusive, kLockWaitMs);
  if (!lock) {
    throw Error(Code::kBusy, "another process is asking this model", "repeat the command when it is done");
  }
  return std::move(*lock);
}

namespace {

// The answer before it was to a prompt that was cut: the next command asks again.
void withdraw(KnownAnswer& known, std::uint32_t attempt, std::vector<KeptReply>* replies) {
  known.last = attempt;
  if (known.content) --known.answers;
  known.content.reset();
  known.problem = kUnread;
  if (replies == nullptr) return;
  for (KeptReply& reply : *replies) {
    if (reply.problem.empty()) reply.problem = kUnread;
  }
}

}  // namespace

KnownAnswer look_up(const storage::Facts::Reader& answers, const VoteKey& vote, std::size_t index,
                    const ContentProblem& problem, std::vector<KeptReply>* replies) {
  KnownAnswer known;
  for (const storage::SavedAnswer& answer : answers.answers(vote)) {
    const Envelope envelope = decode(answer.envelope);
    if (envelope.withdraws) {
      withdraw(known, answer.attempt, replies);
      continue;
    }
    // What is brought in after a vote has ended does not change what it has led to.
    const bool ended = known.content || known.gave_up || known.answers >= kEnough;
    ++known.replies;
    known.last = answer.attempt;
    known.gave_up = known.gave_up || envelope.gave_up;
    if (replies != nullptr) {
      replies->push_back({.attempt = answer.attempt,
                          .status = envelope.status,
                          .at = envelope.at,
                          .body = envelope.body,
                          .content = read_chat(envelope.status, envelope.body).content,
                          .problem = "it came when the vote had ended"});
    }
    if (ended) continue;
    ChatReply reply = read_chat(envelope.status, envelope.body);
    const std::string_view part = unread(envelope.least_tokens, reply.tokens_read);
    // Nor is it the model's word on this prompt where it has read a part of it.
    if (part.empty() && (reply.problem.empty() || !no_completion(envelope.body))) ++known.answers;
    const std::string why = !reply.problem.empty() ? reply.problem
                            : !part.empty()        ? std::string(part)
                                                   : problem(index, reply.content);
    if (replies != nullptr) replies->back().problem = why;
    if (why.empty()) {
      known.content = std::move(reply.content);
    } else {
      known.problem = why;
    }
  }
  return known;
}

void keep_spec(storage::Db& db, std::string_view spec) {
  db.prepare(storage::sql::kInsertAskedWith).run(storage::Statement::Blob{spec_digest(spec).bytes()}, spec);
}

void ask_open(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Task& task,
              std::span<const VoteKey> votes, AskSession& session) {
  std::vector<std::size_t> positions(votes.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::uint64_t left = 0;
  const std::vector<Question> open = open_questions(store, task, votes, positions, session.options, left);
  if (open.empty()) {
    session.counts.unknown += settle_as(store, endpoint, task, votes);
    session.counts.left += left;
    return;
  }
  const storage::Lock lock = lock_asking(store, task.digest);
  session.counts.unknown += settle_as(store, endpoint, task, votes);
  positions.clear();
  for (const Question& question : open) positions.push_back(question.index);
  std::uint64_t left_now = 0;
  Questions questions;
  // Another process may have asked meanwhile.
  questions.list = open_questions(store, task, votes, positions, session.options, left_now);
  session.counts.left += left + left_now;
  questions.body = task.body;
  questions.texts = task.texts;
  questions.problem = [&](std::size_t index, const ChatReply& reply) { return task.problem(index, reply.content); };
  session.counts += ask(store, endpoint, dataset, questions, session.budget, session.options);
}

std::vector<KnownAnswer> ask_all(storage::Store& store, const Endpoint& endpoint, const std::string& dataset,
                                 const Task& task, std::span<const VoteKey> votes, AskSession& session) {
  ask_open(store, endpoint, dataset, task, votes, session);
  std::vector<KnownAnswer> known;
  known.reserve(votes.size());
  const auto reader = store.facts().read();
  storage::Statement not_sent = store.db().prepare(storage::sql::kAttemptExistsNotSentForReason);
  storage::Statement refused = store.db().prepare(storage::sql::kAttemptRefusedForReason);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    known.push_back(look_up(*reader, votes[i], i, task.problem));
    if (known.back().content || !known.back().problem.empty()) continue;
    if (not_sent.bind(storage::Statement::Blob{votes[i].bytes()}, kTooLong).step()) known.back().problem = kTooLong;
    not_sent.reset();
    if (!known.back().problem.empty()) continue;
    if (refused.bind(storage::Statement::Blob{votes[i].bytes()}, kTooLongThere, kFiltered).step())
      known.back().problem = refused.text(0);
    refused.reset();
  }
  return known;
}

std::string Failures::words() const {
  std::string words;
  for (const auto& [reason, count] : count_) {
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", reason, count);
  }
  return words;
}

}  // namespace residue::model
