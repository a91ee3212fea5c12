#include "model/asking/fresh.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/asking/answer.h"
#include "model/server/chat.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {

std::string words(const Fresh& fresh) {
  return fresh.reply.delivery == Delivery::kAnswered ? fmt::format("HTTP {}", fresh.reply.status) : fresh.reply.reason;
}

Outgoing outgoing_of(const Fresh& fresh) {
  Outgoing outgoing;
  outgoing.vote = fresh.flight.pending.question->vote;
  outgoing.attempt = fresh.flight.attempt;
  outgoing.status = fresh.reply.status;
  outgoing.ms = fresh.reply.ms;
  outgoing.left = was_sent(fresh.reply.delivery) && !fresh.reply.untouched;
  return outgoing;
}

Error refusal(const Fresh& fresh, const std::string& model) {
  std::string reason = words(fresh);
  const std::string said = safe_reason(fresh.reply.body);
  if (!said.empty()) reason += ": " + said;
  if (fresh.reply.delivery == Delivery::kRefusedByProxy) {
    return {Code::kIo, fmt::format("model {} cannot be reached: {}", model, reason),
            fmt::format("nothing was sent; whoever runs the proxy has to let CONNECT through to the server without a "
                        "password, or name another with residue model add {} ... --proxy",
                        model)};
  }
  if (fresh.reply.delivery == Delivery::kUntrusted) {
    return {Code::kIo, fmt::format("model {} cannot be reached: {}", model, reason),
            "nothing was sent; if you trust the certificate, let SSL_CERT_FILE name a file (PEM) that has it or the "
            "authority that signed it"};
  }
  return {Code::kIo, fmt::format("model {} refuses to answer: {}", model, reason),
          fmt::format("residue model show {} has its settings; residue model test {} tries them", model, model)};
}

Error nonsense(const Usability& usability, const std::string& model) {
  return {
      Code::kTryAgain, fmt::format("model {}: {}", model, usability.words()),
      fmt::format("residue egress --ledger lists what was sent and what became of it; residue model test {} tries the "
                  "model; repeat the command to go on",
                  model)};
}

Error no_answer(const std::string& reason, const std::string& model) {
  return {Code::kIo, fmt::format("model {} gives no usable answer: {}", model, reason),
          fmt::format("residue model test {} tries it; residue egress --ledger lists what was sent; repeat the command "
                      "to ask again",
                      model)};
}

Error broken_limit(const Reading& reading, std::int64_t expected, double spent, const Others& others,
                   const std::string& model) {
  const std::string flying = others.requests == 0
                                 ? ""
                                 : fmt::format(
                                       "; requests in flight: {}, for which {:.4f} USD are set aside, and which may "
                                       "cost more as well",
                                       others.requests, others.set_aside);
  return {Code::kTryAgain,
          fmt::format("--max-cost cannot be kept: model {} counted {} tokens in and {} out where at most {} out were "
                      "expected (spent: {:.4f} USD{})",
                      model, reading.tokens_in.value_or(0), reading.tokens_out.value_or(0), expected, spent, flying),
          "its limit does not hold: residue model add with a higher --output-limit, or limit --max-calls"};
}

void record_too_long(storage::Db& db, const Sender& sender, const std::vector<TooLong>& too_long, std::int64_t now) {
  storage::Statement known = db.prepare(storage::sql::kAttemptExistsNotSentForReason);
  for (const TooLong& one : too_long) {
    const Question& question = *one.pending.question;
    const bool there = known.bind(storage::Statement::Blob{question.vote.bytes()}, kTooLong).step();
    known.reset();
    if (there) continue;
    Outgoing fate;
    fate.vote = question.vote;
    fate.attempt = record_sending(db, sender, Sending{question.vote, question.last, one.body}, now);
    fate.fate = Fate::kRefused;
    fate.left = false;
    fate.reason = kTooLong;
    record_fate(db, fate);
  }
}

std::vector<PromptGrowth::Seen> longest_counted(storage::Store& store, const Sender& sender) {
  std::vector<PromptGrowth::Seen> seen;
  std::set<std::pair<VoteKey, std::uint32_t>> taken;
  const auto answers = store.facts().read();
  for (const char* query : {storage::sql::kAttemptsCountedMost, storage::sql::kAttemptsLongest}) {
    storage::Statement row = store.db().prepare(query);
    row.bind(sender.model, receiver_name(sender.url), kMostTokens);
    while (row.step()) {
      PromptGrowth::Seen one;
      one.vote = VoteKey(row.text(0));
      one.attempt = static_cast<std::uint32_t>(row.integer(1));
      one.usable = row.integer(2) != 0;
      one.bytes = static_cast<std::uint64_t>(row.integer(3));
      one.earlier = true;
      if (!taken.emplace(one.vote, one.attempt).second) continue;
      for (const storage::SavedAnswer& answer : answers->answers(one.vote)) {
        if (answer.attempt != one.attempt) continue;
        const Envelope envelope = decode(answer.envelope);
        one.least = envelope.least_tokens;
        one.counted = read_chat(envelope.status, envelope.body).tokens_read.value_or(0);
      }
      if (one.least > 0) seen.push_back(std::move(one));
    }
  }
  return seen;
}

bool ever_answered(storage::Db& db, const Sender& sender) {
  storage::Statement row = db.prepare(storage::sql::kAttemptExistsSavedOfModel);
  return row.bind(sender.model, receiver_name(sender.url)).step();
}

void keep_cut_from(storage::Db& db, std::string_view model, std::uint64_t least) {
  std::optional<Endpoint> endpoint = endpoint_named(db, model);
  if (!endpoint) return;
  std::optional<std::int64_t>& known = endpoint->transport.cut_from;
  if (known && static_cast<std::uint64_t>(*known) <= least) return;
  known = static_cast<std::int64_t>(least);
  save_endpoint(db, *endpoint);
}

// The mark stands behind all that is saved of the vote: another answer may have been brought in.
void take_back(storage::Store& store, storage::WriteBatch& batch, const std::string& url,
               const std::vector<PromptGrowth::Seen>& answers, std::int64_t now) {
  Envelope mark;
  mark.url = url;
  mark.at = now;
  mark.withdraws = true;
  const auto saved = store.facts().read();
  for (const PromptGrowth::Seen& one : answers) {
    std::uint32_t last = one.attempt;
    for (const storage::SavedAnswer& answer : saved->answers(one.vote)) last = std::max(last, answer.attempt);
    batch.facts().put_answer(one.vote, last + 1, encode(mark));
    batch.db()
        .prepare(storage::sql::kUpdateAttemptInvalid)
        .run(storage::Statement::Blob{one.vote.bytes()}, one.attempt, kUnread);
  }
}

}  // namespace residue::model
