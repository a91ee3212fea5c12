#include "query/explain.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "query/attack_inputs.h"
#include "query/auxiliary.h"
#include "query/score_store.h"
#include "query/show.h"
#include "query/texts.h"
#include "storage/lookup.h"

namespace residue::query {
namespace {

using Side = LinkExplanation::Side;
using Shares = std::map<std::string, DecidingTerm>;

constexpr std::string_view kLast =
    "SELECT p.name FROM dataset d JOIN protocol p ON p.id = d.protocol_id WHERE d.id = ?1";
constexpr std::string_view kClaims =
    "SELECT n, text_id FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 ORDER BY n";
constexpr std::string_view kVariant = "SELECT coalesce(error, '') FROM variant WHERE run_id = ?1 AND record_id = ?2";
// Of several samples the last evaluated one, else the smallest: all records.
constexpr std::string_view kProtocol =
    "SELECT p.id FROM protocol p JOIN dataset d ON d.id = p.dataset_id WHERE p.dataset_id = ?1 AND p.name = ?2"
    " ORDER BY p.id = d.protocol_id DESC, p.sample LIMIT 1";
constexpr std::string_view kLinked =
    "SELECT 1 FROM evaluation WHERE run_id = ?1 AND protocol_id = ?2 AND tier = 'link'";

void describe_variant(storage::Db& db, const OpenRun& run, std::size_t record, LinkExplanation& result) {
  if (!run.run.aligned()) {
    result.state = "synthetic";
  } else if (run.run.kind == RunKind::kRemoveAll) {
    result.state = "removed";
  } else if (run.run.variants[record].ok) {
    result.state = "ok";
  } else {
    storage::Statement find = db.prepare(kVariant);
    const bool failed = find.bind(run.run.id, run.dataset.records[record].id).step();
    result.state = failed ? "failed" : "absent";
    if (failed) result.error = std::string(find.text(0));
  }
}

std::vector<ClaimView> claims_of(storage::Db& db, ClaimSetId set, RecordId record) {
  storage::Statement find = db.prepare(kClaims);
  find.bind(set, record);
  std::vector<ClaimView> claims;
  while (find.step()) claims.push_back({static_cast<std::uint32_t>(find.integer(0)), find.id<TextId>(1)});
  return claims;
}

// What the attacker knows of the record, as sync_auxiliary has it for all records; false: there is no attack.
bool read_query(storage::Store& store, const DatasetView& dataset, const ClaimSetHead& set, RecordId record,
                LinkExplanation& result) {
  storage::Db& db = store.db();
  const Policy& policy = result.protocol.policy;
  const std::string& other_set = policy.given.empty() ? policy.words : policy.given;
  std::vector<ClaimView> other;
  if (!other_set.empty()) {
    other = claims_of(db, find_claim_set(db, dataset.id, dataset.name, other_set).id, record);
  }
  const std::vector<ClaimView> claims = claims_of(db, set.id, record);
  AuxiliaryView::Known known;
  choose_known(policy, result.record, claims, other, known);
  result.claims = claims.size();
  result.known = known.claims;
  result.query = fmt::format("{}", fmt::join(load_texts(store, known.said), " "));
  return !known.said.empty();
}

// Adds the candidate's shares to the table and returns their sum, the score.
double add_shares(const OpenRun& run, const std::string& query, CandidateId candidate, double DecidingTerm::*side,
                  Shares& table) {
  std::map<std::string, double> ascending;
  for (const index::TermScore& share :
       run.linker->explain(query, candidate).value_or(std::vector<index::TermScore>())) {
    DecidingTerm& row = table[share.term];
    row.term = share.term;
    row.documents = share.documents;
    row.*side = share.score;
    ascending[share.term] = share.score;
  }
  double score = 0;
  for (const auto& [term, share] : ascending) score += share;
  return score;
}

void attack(const OpenRun& run, CandidateId own, LinkExplanation& result) {
  const std::vector<index::Query> queries{{result.query, "", {}}};
  const std::vector<index::Hit> hits = run.linker->top(queries, kMaxHits).front();
  Shares shares;
  const auto side = [&](CandidateId candidate, double DecidingTerm::*column) {
    const std::size_t at = run.position(candidate);
    Side one{run.candidates.keys[at], run.candidates.texts[at], 0, std::nullopt, std::nullopt};
    one.score = add_shares(run, result.query, candidate, column, shares);
    const auto hit = std::find_if(hits.begin(), hits.end(), [&](const auto& h) { return h.candidate == candidate; });
    if (hit != hits.end()) {
      one.rank = static_cast<std::size_t>(hit - hits.begin()) + 1;
      one.tied = hit->tied;
    } else {
      one.rank = run.linker->rank_of(result.query, candidate);
    }
    return one;
  };
  if (!hits.empty()) result.winner = side(hits.front().candidate, &DecidingTerm::winner);
  if (own.value != 0) result.truth = side(own, &DecidingTerm::truth);
  for (auto& [term, row] : shares) result.terms.push_back(std::move(row));
  std::stable_sort(result.terms.begin(), result.terms.end(), [](const DecidingTerm& a, const DecidingTerm& b) {
    const auto order = [](const DecidingTerm& term) {
      return std::pair(std::abs(term.winner - term.truth), std::max(term.winner, term.truth));
    };
    return order(a) > order(b);
  });
  if (hits.empty()) {
    result.outcome = LinkExplanation::Outcome::kNotLinked;
  } else if (!run.run.aligned()) {
    result.outcome = LinkExplanation::Outcome::kUnowned;
  } else {
    result.outcome =
        hits.front().candidate == own ? LinkExplanation::Outcome::kRight : LinkExplanation::Outcome::kWrong;
  }
}

LinkExplanation::Stored stored_state(storage::Db& db, const DatasetView& dataset, const RunView& run,
                                     const ClaimSetHead& set, const ProtocolSpec& protocol) {
  storage::Statement find = db.prepare(kProtocol);
  if (!find.bind(dataset.id, protocol.name()).step()) return LinkExplanation::Stored::kNever;
  const auto id = find.id<ProtocolId>(0);
  storage::Statement linked = db.prepare(kLinked);
  if (!linked.bind(run.id, id).step()) return LinkExplanation::Stored::kNever;
  const Contents contents{run.content, dataset.content,
                          attack_content(set.content, extra_content(db, dataset.id, run.id, protocol))};
  return ScoreStore::current(db, run.id, Tier::kLink, id, JudgeId{}, contents) ? LinkExplanation::Stored::kCurrent
                                                                               : LinkExplanation::Stored::kStale;
}

}  // namespace

ProtocolSpec protocol_to_explain(storage::Db& db, const std::string& dataset, const std::string& name) {
  const DatasetId id = storage::find_dataset(db, dataset);
  storage::Statement last = db.prepare(kLast);
  last.bind(id);
  ProtocolSpec spec = parse_protocol(!name.empty() ? std::string_view(name)
                                     : last.step() ? last.text(0)
                                                   : kDefaultProtocol);
  spec.claim_set = find_claim_set(db, id, dataset, spec.claim_set).name;
  return spec;
}

std::string record_to_explain(storage::Db& db, const std::string& dataset, const std::string& text) {
  const bool qualified = text.starts_with(dataset + "/");
  std::optional<Reference> reference;
  try {
    reference = resolve(db, dataset + "/" + text, true);
  } catch (const Error& error) {
    if (!qualified || error.code() != Code::kNotFound) throw;
    reference = resolve(db, text, true);
  }
  if (!reference->record || reference->claim) {
    throw Error(Code::kUsage, "explain takes a record, not a claim or a dataset",
                fmt::format("residue explain {}/RUN RECORD", dataset));
  }
  return *reference->record;
}

LinkExplanation explain_link(storage::Store& store, const OpenRun& run, const std::string& record,
                             const ProtocolSpec& protocol) {
  require_bm25(protocol, "explain its links");
  LinkExplanation result;
  result.dataset = run.dataset.name;
  result.run = run.run.name;
  result.record = record;
  result.protocol = protocol;
  const ClaimSetHead set = find_claim_set(store.db(), run.dataset.id, run.dataset.name, protocol.claim_set);
  const RecordId id = storage::find_record(store.db(), run.dataset.name, record);
  const auto place = run.dataset.position.find(id);
  if (place == run.dataset.position.end()) {
    throw Error(Code::kTryAgain, "the record was added just now", "repeat the command");
  }
  const std::size_t at = place->second;
  describe_variant(store.db(), run, at, result);
  const bool attacked = read_query(store, run.dataset, set, id, result);
  result.candidates = run.candidates.ids.size();
  result.stored = stored_state(store.db(), run.dataset, run.run, set, protocol);
  const bool has_own = run.run.aligned() && run.run.variants[at].ok;
  if (attacked) attack(run, has_own ? CandidateId{id.value} : CandidateId{}, result);
  return result;
}

LinkExplanation explain_link(storage::Store& store, const std::string& dataset, const std::string& run,
                             const std::string& record, const ProtocolSpec& protocol, IndexUse use) {
  if (!is_control_linker(protocol.linker)) {
    require_bm25(protocol, "explain its links");
    return explain_link(store, open_run(store, dataset, run, protocol, use), record, protocol);
  }
  LinkExplanation result;
  result.dataset = dataset;
  result.run = run;
  result.record = record;
  result.protocol = protocol;
  result.outcome = LinkExplanation::Outcome::kControl;
  for (const VariantCard& variant : load_record_card(store, dataset, record, protocol.claim_set).variants) {
    if (variant.run != run) continue;
    result.state = variant.state;
    result.error = variant.error;
  }
  static_cast<void>(storage::find_run(store.db(), dataset, run));
  return result;
}

}  // namespace residue::query
