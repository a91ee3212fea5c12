#include "query/link/run_claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/run_claim_set.h"

namespace residue::query {
namespace {

constexpr unsigned kPositionBits = 32;

// Keys hold no NUL, so that a key that begins another one ends before it; the position follows, high byte first.
std::string claim_key(const std::string& owner, std::uint32_t n) {
  std::string key = owner;
  key += '\0';
  for (int shift = 24; shift >= 0; shift -= 8) key += static_cast<char>(n >> static_cast<unsigned>(shift) & 0xFFU);
  return key;
}

void add_claim(RunCandidates& claims, CandidateId owner, const std::string& key, std::uint32_t n, TextId text) {
  claims.ids.push_back(claim_candidate(owner, n));
  claims.keys.push_back(claim_key(key, n));
  claims.texts.push_back(text);
}

RunCandidates claims_of_records(const DatasetView& dataset, const std::vector<std::vector<ClaimView>>& said) {
  RunCandidates claims;
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    const RecordView& record = dataset.records[i];
    for (const ClaimView& claim : said[i]) {
      add_claim(claims, CandidateId{record.id.value}, record.key, claim.n, claim.text);
    }
  }
  return claims;
}

}  // namespace

CandidateId claim_candidate(CandidateId owner, std::uint32_t n) {
  if (owner.value <= 0 || owner.value >> (63U - kPositionBits) != 0) {
    throw Error(Code::kInternal, "too many variants to vote among", "please report this");
  }
  return CandidateId{owner.value << kPositionBits | std::int64_t{n}};
}

CandidateId owner_of_claim(CandidateId claim) { return CandidateId{claim.value >> kPositionBits}; }

std::uint32_t number_of_claim(CandidateId claim) { return static_cast<std::uint32_t>(claim.value); }

std::vector<index::Hit> elect(std::span<const std::vector<index::Hit>> hits, const index::Candidates& variants,
                              index::VoteRule rule) {
  return hits_of(index::vote(hits, owner_of_claim, variants, rule));
}

std::string claims_indexed(storage::Db& db, const DatasetView& dataset, const RunView& run, const std::string& set) {
  if (run.kind != RunKind::kNone) return set;
  return dataset.claims_outside ? find_own_claims(db, dataset.id, dataset.name).name : dataset.claim_set_name;
}

std::optional<std::int64_t> find_run_claims(storage::Db& db, const std::string& dataset, const RunHead& run,
                                            const std::string& set) {
  if (run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll) return std::nullopt;
  const std::string remedy = fmt::format("residue atomize {}/{} --set {}", dataset, run.name, set);
  storage::Statement find = db.prepare(storage::sql::kRunClaimSetByNameWithMadeFrom);
  if (!find.bind(run.id, set).step()) {
    throw Error(Code::kNotFound, fmt::format("run {}/{} has no claims \"{}\"", dataset, run.name, set), remedy);
  }
  if (find.is_null(1)) {
    throw Error(Code::kBadInput,
                fmt::format("the claims \"{}\" of run {}/{} are not finished: some of its texts have none", set,
                            dataset, run.name),
                remedy);
  }
  if (find.text(1) != run.content) {
    throw Error(Code::kBadInput,
                fmt::format("run {}/{} changed after its claims \"{}\" were made", dataset, run.name, set), remedy);
  }
  return find.integer(0);
}

RunCandidates claim_candidates(storage::Store& store, const DatasetView& dataset, const RunView& run,
                               const std::string& set) {
  if (run.kind == RunKind::kNone && !dataset.claims_outside) return claims_of_records(dataset, dataset.claims);
  const storage::ReadTransaction snapshot(store.db());
  if (run.kind == RunKind::kNone) {  // What the attacker says himself would find itself.
    const OwnClaims own = find_own_claims(store.db(), dataset.id, dataset.name);
    return claims_of_records(dataset, load_claims(store.db(), dataset, own.id));
  }
  const auto id = find_run_claims(store.db(), dataset.name, {run.id, run.name, run.kind, run.content}, set);
  RunCandidates claims;
  if (!id) return claims;
  const RunCandidates variants = candidates_of(dataset, run);
  storage::Statement all = store.db().prepare(storage::sql::kRunClaimsOfSetByOwner);
  all.bind(*id);
  std::size_t at = 0;  // both ascend
  while (all.step()) {
    const auto owner = all.id<CandidateId>(0);
    while (at < variants.ids.size() && variants.ids[at] < owner) ++at;
    if (at == variants.ids.size() || variants.ids[at] != owner) continue;  // added after the run was read
    add_claim(claims, owner, variants.keys[at], static_cast<std::uint32_t>(all.integer(1)), all.id<TextId>(2));
  }
  return claims;
}

}  // namespace residue::query
