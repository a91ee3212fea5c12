#include "model/asking/egress.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "model/asking/answer.h"
#include "model/asking/answered_as.h"
#include "model/asking/lost_answers.h"
#include "model/asking/vote_key.h"
#include "model/limits/spending.h"
#include "model/server/chat.h"
#include "model/server/endpoint.h"
#include "storage/catalog/answers/attempt.h"
#include "storage/catalog/answers/egress_rule.h"
#include "storage/catalog/answers/vote_text.h"
#include "storage/catalog/lookup.h"
#include "storage/facts/address.h"

namespace residue::model {
namespace {

using storage::Statement;

constexpr int kLockWaitMs = 30'000;

std::filesystem::path in_flight_lock(const storage::Store& store, std::string_view model) {
  return store.dir() / fmt::format("asking-model-{}.lock", model);
}

std::string_view state_of(Fate fate) {
  switch (fate) {
    case Fate::kSaved:
      return "saved";
    case Fate::kInvalid:
      return "invalid";
    case Fate::kRefused:
      return "refused";
    case Fate::kUnknown:
      break;
  }
  return "unknown";
}

ServerUrl url_of(std::string_view words) {
  constexpr std::string_view kHost = "host";
  if (words.find("://") != std::string_view::npos) return parse_server_url(words, kHost);
  if (words.find('*') != std::string_view::npos) {
    throw Error(Code::kUsage, "host: a pattern", "each host is allowed by its name, for example models.example.org");
  }
  const bool v6 = words.find(':') != words.rfind(':') && !words.starts_with('[');
  return parse_server_url("https://" + (v6 ? "[" + std::string(words) + "]" : std::string(words)), kHost);
}

// The server, or the proxy on the way to it; empty: both may have the texts.
std::string forbidden_host(storage::Db& db, std::string_view dataset, const ServerUrl& url) {
  Statement find = db.prepare(storage::sql::kEgressRuleExists);
  const auto allowed = [&](const std::string& host) {
    const bool there = find.bind(dataset, host).step();
    find.reset();
    return there;
  };
  if (!url.loopback && !allowed(url.host)) return url.host;
  if (!url.proxy.empty() && !url.proxy_loopback && !allowed(url.proxy)) return url.proxy;
  return {};
}

std::vector<Outgoing> in_flight_of(storage::Db& db, std::string_view model) {
  std::vector<Outgoing> left;
  Statement rows = db.prepare(storage::sql::kAttemptsInFlightOfModel);
  rows.bind(model);
  while (rows.step()) {
    Outgoing one;
    one.vote = VoteKey(rows.text(0));
    one.attempt = static_cast<std::uint32_t>(rows.integer(1));
    one.reason = "the process ended before the reply";
    left.push_back(std::move(one));
  }
  return left;
}

// False where only another task can say whether the reply is an answer.
bool settle_answered(Outgoing& one, const Envelope& reply, const SavedProblem& problem,
                     const std::optional<Endpoint>& endpoint) {
  if (reply.gave_up) return true;  // unknown, as when it was given up
  auto why = problem ? problem(one.vote, reply) : std::nullopt;
  // What is none of a model's at all is an answer to nothing, and vectors are kept as answers where they are unusable.
  if (!why && no_completion(reply.body)) why = read_chat(reply.status, reply.body).problem;
  if (!why) return false;
  one.fate = why->empty() ? Fate::kSaved : Fate::kInvalid;
  one.reason = *std::move(why);
  count_answer(one, reply, endpoint);
  return true;
}

std::uint64_t unsigned_of(const Statement& row, int column) { return static_cast<std::uint64_t>(row.integer(column)); }

}  // namespace

bool allow_egress(storage::Store& store, std::string_view dataset, std::string_view host) {
  const std::string name = url_of(host).host;
  const auto batch = store.write();
  batch->db().prepare(storage::sql::kInsertEgressRule).run(storage::find_dataset(batch->db(), dataset), name);
  const bool fresh = batch->db().changes() > 0;
  batch->commit();
  return fresh;
}

bool revoke_egress(storage::Store& store, std::string_view dataset, std::string_view host) {
  const std::string name = url_of(host).host;
  const auto batch = store.write();
  batch->db().prepare(storage::sql::kDeleteEgressRule).run(storage::find_dataset(batch->db(), dataset), name);
  const bool gone = batch->db().changes() > 0;
  batch->commit();
  return gone;
}

bool is_this_machine(std::string_view host) { return url_of(host).loopback; }

bool egress_allowed(storage::Db& db, std::string_view dataset, const ServerUrl& url) {
  return forbidden_host(db, dataset, url).empty();
}

void require_egress(storage::Db& db, std::string_view dataset, const ServerUrl& url) {
  const std::string host = forbidden_host(db, dataset, url);
  if (host.empty()) return;
  throw Error(
      Code::kUsage,
      fmt::format("texts of dataset {} may not be sent {} {}", dataset, host == url.host ? "to" : "through", host),
      fmt::format("residue egress allow {} {} allows it; residue plan shows what would be sent", dataset, host));
}

std::vector<EgressRule> egress_rules(storage::Db& db) {
  std::vector<EgressRule> rules;
  Statement row = db.prepare(storage::sql::kEgressRulesByName);
  while (row.step()) rules.push_back({std::string(row.text(0)), std::string(row.text(1))});
  return rules;
}

storage::Lock hold_in_flight(const storage::Store& store, std::string_view model) {
  auto lock = storage::Lock::take(in_flight_lock(store, model), storage::LockMode::kShared, kLockWaitMs);
  if (!lock) throw Error(Code::kBusy, "another process looks through the ledger", "repeat the command when it is done");
  return std::move(*lock);
}

std::uint32_t record_sending(storage::Db& db, const Sender& sender, const Sending& sending, std::int64_t now_ms) {
  Statement last = db.prepare(storage::sql::kAttemptLastNumberOfVote);
  last.bind(Statement::Blob{sending.vote.bytes()});
  last.step();
  const std::uint32_t n = std::max(static_cast<std::uint32_t>(last.integer(0)), sending.after) + 1;
  last.reset();
  db.prepare(storage::sql::kInsertAttempt)
      .run(Statement::Blob{sending.vote.bytes()}, n, sender.model, sender.dataset, receiver_name(sender.url),
           sender.url.loopback, now_ms, static_cast<std::int64_t>(sending.body.size()),
           Statement::Blob{text_digest(sending.body).bytes()}, static_cast<std::int64_t>(sending.claims),
           sending.most_nano_usd);
  return n;
}

void record_texts(const storage::Store& store, storage::WriteBatch& batch, const VoteKey& vote,
                  std::span<const std::string_view> texts) {
  const storage::AddressKey key(store.key());
  Statement put = batch.db().prepare(storage::sql::kInsertVoteText);
  for (const std::string_view text : texts) {
    const storage::Address address = key.of(text);
    put.run(Statement::Blob{vote.bytes()}, Statement::Blob{{address.data(), address.size()}});
  }
}

void record_fate(storage::Db& db, const Outgoing& outgoing) {
  std::optional<std::string> reason;
  if (!outgoing.reason.empty()) reason = outgoing.reason;
  std::optional<std::int64_t> status;
  if (outgoing.status != 0) status = outgoing.status;
  db.prepare(storage::sql::kUpdateAttemptOutcome)
      .run(Statement::Blob{outgoing.vote.bytes()}, outgoing.attempt, state_of(outgoing.fate), reason, status,
           outgoing.tokens_in, outgoing.tokens_out, outgoing.cost_nano_usd, outgoing.ms, outgoing.left);
}

void count_answer(Outgoing& outgoing, const Envelope& envelope, const std::optional<Endpoint>& endpoint) {
  const ChatReply reply = read_chat(envelope.status, envelope.body);
  outgoing.status = envelope.status;
  outgoing.ms = envelope.ms;
  outgoing.tokens_in = reply.tokens_in;
  outgoing.tokens_out = reply.tokens_out;
  if (!endpoint) return;
  if (endpoint->embedding && reply.tokens_in) outgoing.tokens_out = 0;
  if (!outgoing.tokens_in || !outgoing.tokens_out) return;
  outgoing.cost_nano_usd =
      nano_usd(price(*endpoint, static_cast<double>(*outgoing.tokens_in), static_cast<double>(*outgoing.tokens_out)));
}

std::int64_t nano_usd(double usd) { return static_cast<std::int64_t>(std::clamp(usd * 1e9 + 0.5, 0.0, 1e18)); }

std::uint64_t settle(storage::Store& store, std::string_view model, const SavedProblem& problem) {
  std::vector<Outgoing> left = in_flight_of(store.db(), model);
  if (left.empty()) return 0;
  const auto alone = storage::Lock::take(in_flight_lock(store, model), storage::LockMode::kExclusive, 0);
  if (!alone) return 0;
  left = in_flight_of(store.db(), model);  // those of who ended meanwhile have their fate
  std::uint64_t unknown = 0;
  const std::optional<Endpoint> endpoint = endpoint_named(store.db(), model);
  const auto reader = store.facts().read();
  const auto batch = store.write();
  for (Outgoing& one : left) {
    bool decided = true;
    for (const storage::SavedAnswer& answer : reader->answers(one.vote)) {
      if (answer.attempt == one.attempt) decided = settle_answered(one, decode(answer.envelope), problem, endpoint);
    }
    if (!decided) continue;
    unknown += one.fate == Fate::kUnknown ? 1 : 0;
    record_fate(batch->db(), one);
  }
  batch->commit();
  return unknown;
}

bool unknown_outcome(storage::Db& db, const VoteKey& vote) {
  Statement find = db.prepare(storage::sql::kAttemptExistsUnknown);
  find.bind(Statement::Blob{vote.bytes()});
  return find.step();
}

std::vector<EgressSum> egress_sums(storage::Db& db) {
  std::vector<EgressSum> sums;
  Statement row = db.prepare(storage::sql::kAttemptSumsByReceiver);
  row.bind(kMostTokens);
  while (row.step()) {
    EgressSum sum;
    sum.host = std::string(row.text(0));
    sum.model = std::string(row.text(1));
    sum.dataset = std::string(row.text(2));
    sum.loopback = row.integer(3) != 0;
    sum.requests = unsigned_of(row, 4);
    sum.bytes = unsigned_of(row, 5);
    sum.saved = unsigned_of(row, 6);
    sum.invalid = unsigned_of(row, 7);
    sum.refused = unsigned_of(row, 8);
    sum.unknown = unsigned_of(row, 9);
    sum.tokens_in = unsigned_of(row, 10);
    sum.tokens_out = unsigned_of(row, 11);
    sum.cost_usd = row.real(12) / 1e9;
    sum.last_ms = row.integer(13);
    sum.not_sent = unsigned_of(row, 14);
    sum.uncounted_usd = row.real(15) / 1e9;
    sums.push_back(std::move(sum));
  }
  return sums;
}

std::vector<EgressRow> egress_ledger(storage::Store& store, std::uint64_t limit) {
  std::vector<EgressRow> ledger;
  std::map<AnswerPlace, std::size_t> unread;  // rows of answers that are not found
  const auto answers = store.facts().read();
  Statement row = store.db().prepare(storage::sql::kAttemptsNewest);
  row.bind(limit == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(limit));
  while (row.step()) {
    ledger.push_back({row.integer(0), std::string(row.text(1)), std::string(row.text(2)), std::string(row.text(3)),
                      to_hex(row.text(4)), to_hex(row.text(5)), static_cast<std::uint32_t>(row.integer(6)),
                      unsigned_of(row, 7), std::string(row.text(8)), std::string(row.text(9)), std::nullopt, "", ""});
    EgressRow& one = ledger.back();
    if (!row.is_null(10)) one.ms = row.integer(10);
    if (row.integer(11) == 0) continue;
    const AnswerPlace place{VoteKey(row.text(4)), one.attempt};
    try {
      ServerName name = name_in(*answers, place.vote, place.attempt);
      one.answered_as = std::move(name.model);
      one.fingerprint = std::move(name.fingerprint);
      if (one.answered_as.empty() && one.fingerprint.empty()) unread.emplace(place, ledger.size() - 1);
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      one.state = kDamaged;
    }
  }
  std::vector<AnswerPlace> places;
  for (const auto& [place, at] : unread) places.push_back(place);
  for (const AnswerPlace& lost : storage::AnswerCheck::lost(store.facts(), places))
    ledger[unread.at(lost)].state = kDamaged;
  return ledger;
}

}  // namespace residue::model
