#include "model/saved_answers.h"

#include <unordered_set>

#include "base/error.h"
#include "model/answer.h"
#include "model/digest.h"
#include "model/egress.h"
#include "storage/files.h"

namespace residue::model {
namespace {

constexpr int kLockWaitMs = 30'000;

std::vector<Question> open_questions(const storage::Store& store, const Task& task, std::span<const std::string> votes,
                                     const RetryPolicy& policy) {
  std::vector<Question> questions;
  std::unordered_set<std::string_view> seen;
  const auto reader = store.facts().read();
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (!seen.insert(votes[i]).second) continue;
    const KnownAnswer known = look_up(*reader, votes[i], i, task.problem);
    if (!known.settled(policy)) questions.push_back({i, votes[i], known.answers, known.last});
  }
  return questions;
}

}  // namespace

AskCounts& AskCounts::operator+=(const AskCounts& other) {
  requests += other.requests;
  saved += other.saved;
  invalid += other.invalid;
  refused += other.refused;
  unknown += other.unknown;
  tokens_in += other.tokens_in;
  tokens_out += other.tokens_out;
  cost_usd += other.cost_usd;
  return *this;
}

storage::Lock lock_asking(const storage::Store& store, std::string_view spec_digest) {
  const std::string name = fmt::format("asking-{}.lock", storage::to_hex(spec_digest.substr(0, 8)));
  auto lock = storage::Lock::take(store.dir() / name, storage::LockMode::kExclusive, kLockWaitMs);
  if (!lock) {
    throw Error(Code::kBusy, "another process is asking this model", "repeat the command when it is done");
  }
  return std::move(*lock);
}

KnownAnswer look_up(const storage::Facts::Reader& answers, const std::string& vote, std::size_t index,
                    const ContentProblem& problem) {
  KnownAnswer known;
  for (const storage::SavedAnswer& answer : answers.answers(vote)) {
    const Envelope envelope = decode(answer.envelope);
    ++known.answers;
    known.last = answer.attempt;
    known.gave_up = known.gave_up || envelope.gave_up;
    if (known.content) continue;
    ChatReply reply = read_chat(envelope.status, envelope.body);
    const std::string why = reply.problem.empty() ? problem(index, reply.content) : reply.problem;
    if (why.empty()) {
      known.content = std::move(reply.content);
    } else {
      known.problem = why;
    }
  }
  return known;
}

void keep_spec(storage::Db& db, std::string_view spec) {
  db.prepare("INSERT OR IGNORE INTO asked_with (digest, spec) VALUES (?1, ?2)")
      .run(storage::Statement::Blob{spec_digest(spec)}, spec);
}

void ask_open(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Task& task,
              std::span<const std::string> votes, AskSession& session) {
  const RetryPolicy& policy = session.options.retry;
  if (open_questions(store, task, votes, policy).empty()) return;
  const storage::Lock lock = lock_asking(store, task.digest);
  session.counts.unknown += settle(store, endpoint.name);
  Questions questions;
  questions.list = open_questions(store, task, votes, policy);  // another process may have asked meanwhile
  questions.prompt = task.prompt;
  questions.problem = [&](std::size_t index, const ChatReply& reply) { return task.problem(index, reply.content); };
  session.counts += ask(store, endpoint, dataset, questions, session.budget, session.options);
}

}  // namespace residue::model
