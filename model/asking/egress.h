// What may leave this machine, and what has left: rules per dataset, and a ledger with a row for every request, written
// before it is sent.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/answer.h"
#include "model/server/endpoint.h"
#include "model/server/server_url.h"
#include "storage/store.h"

namespace residue::model {

// Allows `dataset` to be sent to `host` (a host, or an address that has one). False if it was allowed already.
// Error{not found|usage}.
bool allow_egress(storage::Store& store, std::string_view dataset, std::string_view host);

// Takes that back for what is not sent yet. False if it was not allowed. Error{not found|usage}.
bool revoke_egress(storage::Store& store, std::string_view dataset, std::string_view host);

// Whether the words name this machine, to which texts may always go. Error{usage}.
bool is_this_machine(std::string_view host);

bool egress_allowed(storage::Db& db, std::string_view dataset, const ServerUrl& url);

// Error{usage} naming the command that allows it, unless `url` is this machine or allowed, and the proxy on the way
// (receiver_of in model/server/request.h), too.
void require_egress(storage::Db& db, std::string_view dataset, const ServerUrl& url);

struct EgressRule {
  std::string dataset, host;
};
std::vector<EgressRule> egress_rules(storage::Db& db);

// A request about to be sent.
struct Sending {
  VoteKey vote;
  std::uint32_t after = 0;  // attempts that facts/ knows of this vote
  std::string_view body;
  std::uint32_t claims = 0;  // that the request is about; 0: nobody says
  // The most that it can cost; nothing: not known. It stays in the ledger where nobody says what it did cost.
  std::optional<std::int64_t> most_nano_usd = std::nullopt;
};

// Who asks whom about what; the same for many requests.
struct Sender {
  std::string model;                   // the endpoint's name
  std::optional<std::string> dataset;  // nothing: no user's texts
  ServerUrl url;
};

// The number of this attempt; inside a write batch.
std::uint32_t record_sending(storage::Db& db, const Sender& sender, const Sending& sending, std::int64_t now_ms);

// The texts that a vote is about: a purge of one of them takes its answers.
void record_texts(const storage::Store& store, storage::WriteBatch& batch, const VoteKey& vote,
                  std::span<const std::string_view> texts);

// Held while requests to `model` are in flight: they look like those of a process that died, so settle() does nothing
// meanwhile and returns 0, whatever the task.
storage::Lock hold_in_flight(const storage::Store& store, std::string_view model);

enum class Fate : std::uint8_t { kSaved, kInvalid, kRefused, kUnknown };

struct Outgoing {
  VoteKey vote;
  std::uint32_t attempt = 0;
  Fate fate = Fate::kUnknown;
  bool left = true;  // false: no connection came about, so nothing was sent
  std::string reason;
  int status = 0;
  std::optional<std::int64_t> tokens_in, tokens_out;
  std::optional<std::int64_t> cost_nano_usd;  // nothing: what was set aside for it
  std::int64_t ms = 0;
};

// As the ledger keeps it: units of 1e-9 USD, from 0 to what 10^9 USD are.
std::int64_t nano_usd(double usd);

void record_fate(storage::Db& db, const Outgoing& outgoing);

// Status, time and tokens of a saved answer, and, where its server counted, what it costs at the endpoint's prices.
void count_answer(Outgoing& outgoing, const Envelope& envelope, const std::optional<Endpoint>& endpoint);

// Why a saved reply to `vote` cannot be used; empty: it can; nothing: it is no question of who asks.
using SavedProblem = std::function<std::optional<std::string>(const VoteKey& vote, const Envelope& reply)>;

// What a process that died left in flight: saved or invalid if its answer is in facts/, as `problem` says, else
// unknown. An answer to another task that may be one stays in flight: only that task can read it, and settles it when
// it is asked again. Only while nobody else asks `model`. Returns how many are unknown.
std::uint64_t settle(storage::Store& store, std::string_view model, const SavedProblem& problem = {});

// Has a request of this vote an outcome that nobody knows?
bool unknown_outcome(storage::Db& db, const VoteKey& vote);

// The ledger, summed by host, model and dataset. Tokens that no request can have used, and costs below 0, add nothing.
struct EgressSum {
  std::string host, model, dataset;  // dataset empty: probes
  bool loopback = false;
  std::uint64_t requests = 0, bytes = 0, saved = 0, invalid = 0, refused = 0, unknown = 0;
  std::uint64_t not_sent = 0;  // no connection came about; in none of the others
  std::uint64_t tokens_in = 0, tokens_out = 0;
  double cost_usd = 0;
  double uncounted_usd = 0;  // of it what nobody counted: the most that it may have been
  std::int64_t last_ms = 0;
};
std::vector<EgressSum> egress_sums(storage::Db& db);

struct EgressRow {
  std::int64_t sent_ms = 0;
  std::string host, model, dataset, vote, body_sha256;  // the last two in hexadecimal
  std::uint32_t attempt = 0;
  std::uint64_t bytes = 0;               // that were sent
  std::string state, reason;             // state: as in the catalog, or "not sent"
  std::optional<std::int64_t> ms;        // how long it took
  std::string answered_as, fingerprint;  // as the server calls itself in its answer (answered_as.h)
};
// Oldest first; `limit` of the newest, 0: all. Reads their answers.
std::vector<EgressRow> egress_ledger(storage::Store& store, std::uint64_t limit);

}  // namespace residue::model
