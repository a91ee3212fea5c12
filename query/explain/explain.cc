#include "query/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/texts.h"
#include "query/link/attack_inputs.h"
#include "query/report/show.h"
#include "query/stored/score_store.h"
#include "storage/catalog/content.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/variant.h"

namespace residue::query {
namespace {

constexpr std::string_view kLast = storage::sql::kProtocolNameOfLastEvaluation;
constexpr std::string_view kClaims = storage::sql::kClaimsOfRecord;
constexpr std::string_view kVariant = storage::sql::kVariantErrorOfRecord;
// Of several samples the last evaluated one, else the smallest: all records.
constexpr std::string_view kProtocol = storage::sql::kProtocolIdByNameLastEvaluated;
constexpr std::string_view kLinked = storage::sql::kEvaluationExistsOfLinks;

void describe_variant(storage::Db& db, const DatasetView& dataset, const RunView& run, std::size_t record,
                      LinkExplanation& result) {
  if (!run.aligned()) {
    result.state = "synthetic";
  } else if (run.kind == RunKind::kRemoveAll) {
    result.state = "removed";
  } else if (run.variants[record].ok) {
    result.state = "ok";
  } else {
    storage::Statement find = db.prepare(kVariant);
    const bool failed = find.bind(run.id, dataset.records[record].id).step();
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

// What the attacker knows of the record, as sync_auxiliary has it for all records; no claim: there is no attack.
Said read_said(storage::Store& store, const DatasetView& dataset, const ClaimSetHead& set, RecordId record,
               LinkExplanation& result) {
  storage::Db& db = store.db();
  const Policy& policy = result.protocol.policy;
  const std::string& other_set = policy.given.empty() ? policy.words : policy.given;
  std::vector<ClaimView> other;
  if (!other_set.empty()) {
    other = claims_of(db, find_claim_set(db, dataset.id, dataset.name, other_set, policy.place_of_set()).id, record);
  }
  const std::vector<ClaimView> claims = claims_of(db, set.id, record);
  AuxiliaryView::Known known;
  choose_known(policy, result.record, claims, other, known);
  result.claims = claims.size();
  result.known = known.claims;
  Said said{load_texts(store, known.said), ""};
  said.query = fmt::format("{}", fmt::join(said.claims, " "));
  result.query = said.query;
  if (said.claims.empty()) return said;
  result.said = known.claims;
  if (!policy.given.empty()) {
    result.said.clear();
    for (const ClaimView& claim : other) result.said.push_back(claim.n);
  }
  return said;
}

using Shares = std::map<std::pair<std::string, std::string>, DecidingTerm>;  // by run and term

void add_shares(const Evidence& evidence, double DecidingTerm::*side, Shares& table) {
  const bool several = evidence.releases.size() > 1;
  for (const ReleaseShare& release : evidence.releases) {
    for (const index::TermScore& share : release.terms) {
      DecidingTerm& row = table[{release.run, share.term}];
      row.run = several ? release.run : "";
      row.term = share.term;
      row.documents = share.documents;
      row.*side = share.score;
    }
  }
}

std::vector<DecidingTerm> side_by_side(const LinkExplanation& result) {
  Shares shares;
  if (result.winner) add_shares(result.winner->evidence, &DecidingTerm::winner, shares);
  if (result.truth) add_shares(result.truth->evidence, &DecidingTerm::truth, shares);
  std::vector<DecidingTerm> terms;
  for (auto& [term, row] : shares) terms.push_back(std::move(row));
  std::stable_sort(terms.begin(), terms.end(), [](const DecidingTerm& a, const DecidingTerm& b) {
    const auto order = [](const DecidingTerm& term) {
      return std::pair(std::abs(term.winner - term.truth), std::max(term.winner, term.truth));
    };
    return order(a) > order(b);
  });
  return terms;
}

void look_into(const OneAttack& attack, const RunCandidates& candidates, const RunView& run, CandidateId own,
               LinkExplanation& result) {
  const std::span<const index::Hit> hits = attack.top(kMaxHits);
  const auto key = [&](CandidateId candidate) { return candidates.keys[position_of(candidates, candidate)]; };
  const auto side = [&](CandidateId candidate) {
    return LinkExplanation::Side{attack.place_of(candidate), key(candidate), attack.evidence(candidate)};
  };
  if (!hits.empty()) result.winner = side(hits.front().candidate);
  if (own.value != 0) result.truth = side(own);
  result.terms = side_by_side(result);
  result.words = attack.words();
  result.ballots = attack.ballots();
  if (!result.ballots.empty()) {
    for (const index::Hit& hit : hits) {
      result.elected.push_back({key(hit.candidate), static_cast<std::uint32_t>(hit.score)});
    }
  }
  if (hits.empty()) {
    result.outcome = LinkExplanation::Outcome::kNotLinked;
  } else if (!run.aligned()) {
    result.outcome = LinkExplanation::Outcome::kUnowned;
  } else {
    const bool right = hits.front().candidate == own;
    result.outcome = right ? LinkExplanation::Outcome::kRight : LinkExplanation::Outcome::kWrong;
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
                          storage::content_of_attack(set.content, extra_content(db, dataset.id, run.id, protocol))};
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
  require_attack(spec);
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

namespace {

// What is known before the linker is opened; `place` becomes the record's in the dataset.
LinkExplanation prepare(storage::Store& store, const DatasetView& dataset, const RunView& run,
                        const std::string& record, const ProtocolSpec& protocol, std::size_t& place, Said& said) {
  LinkExplanation result;
  result.dataset = dataset.name;
  result.run = run.name;
  result.record = record;
  result.protocol = protocol;
  const ClaimSetHead set = find_claim_set(store.db(), dataset.id, dataset.name, protocol.claim_set);
  const RecordId id = storage::find_record(store.db(), dataset.name, record);
  const auto found = dataset.position.find(id);
  if (found == dataset.position.end()) {
    throw Error(Code::kTryAgain, "the record was added just now", "repeat the command");
  }
  place = found->second;
  describe_variant(store.db(), dataset, run, place, result);
  said = read_said(store, dataset, set, id, result);
  result.stored = stored_state(store.db(), dataset, run, set, protocol);
  return result;
}

}  // namespace

LinkExplanation explain_link(storage::Store& store, const OpenRun& run, const std::string& record,
                             const ProtocolSpec& protocol) {
  require_bm25(protocol, "explain its links");
  std::size_t place = 0;
  Said said;
  LinkExplanation result = prepare(store, run.dataset, run.run, record, protocol, place, said);
  result.candidates = run.candidates.ids.size();
  if (said.claims.empty()) return result;
  const CandidateId own = own_candidate(run.dataset, {&run.run}, place);
  look_into(*open_attack(run, said.query), run.candidates, run.run, own, result);
  return result;
}

LinkExplanation explain_link(storage::Store& store, const std::string& dataset, const std::string& run,
                             const std::string& record, const ProtocolSpec& protocol, IndexUse use) {
  if (!protocol.linker->control()) {
    const AttackedRun attacked(store, dataset, run, protocol);
    std::size_t place = 0;
    Said said;
    LinkExplanation result = prepare(store, attacked.dataset(), attacked.run(), record, protocol, place, said);
    result.candidates = attacked.candidates().ids.size();
    if (said.claims.empty()) return result;
    const CandidateId own = own_candidate(attacked.dataset(), attacked.releases(), place);
    const auto attack = open_attack(store, attacked, protocol, said, use);
    look_into(*attack, attacked.candidates(), attacked.run(), own, result);
    return result;
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
