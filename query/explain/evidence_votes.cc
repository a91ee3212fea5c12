// The evidence of claims that vote, and of cosines.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/voting.h"
#include "query/explain/evidence.h"
#include "query/link/dense_attack.h"
#include "query/link/run_claims.h"

namespace residue::query {
namespace {

using HitLists = std::vector<std::vector<index::Hit>>;

// No text has this id, so it has no vector either.
constexpr TextId kNotStored{-1};

class VoteAttack final : public OneAttack {
 public:
  // `hits`: all of each claim that is known.
  VoteAttack(const RunCandidates& variants, const Said& said, HitLists hits, index::VoteRule rule)
      : variants_(variants), said_(said.claims), hits_(std::move(hits)), rule_(rule) {
    std::vector<index::Hit> elected;
    for (const index::Vote& vote : index::vote(hits_, owner_of_claim, *table_of(variants), rule)) {
      elected.push_back({vote.record, static_cast<double>(vote.votes), vote.tied});
    }
    found(std::move(elected));
  }

  Evidence evidence(CandidateId candidate) const override {
    Evidence evidence;
    for (const auto& hits : hits_) {
      Support& support = evidence.supports.emplace_back();
      const std::size_t voters = index::voters(hits, rule_);
      for (std::size_t i = 0; i < hits.size(); ++i) {
        if (owner_of_claim(hits[i].candidate) != candidate) continue;
        if (!support.best) support.best = hits[i].score;
        if (i < voters) ++support.votes;
      }
    }
    return evidence;
  }

  std::vector<Ballot> ballots() const override {
    std::vector<Ballot> ballots;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      Ballot& ballot = ballots.emplace_back();
      ballot.said = said_[i];
      if (hits_[i].empty()) continue;
      ballot.best = hits_[i].front().score;
      if (rule_ == index::VoteRule::kNearBest) {
        ballot.least = *ballot.best > 0 ? index::kVotingNearness * *ballot.best : *ballot.best;
      }
      for (const index::Hit& hit : std::span(hits_[i]).first(index::voters(hits_[i], rule_))) {
        const std::size_t owner = position_of(variants_, owner_of_claim(hit.candidate));
        ballot.votes.push_back({variants_.keys[owner], number_of_claim(hit.candidate), hit.score});
      }
    }
    return ballots;
  }

 private:
  const RunCandidates& variants_;
  std::vector<std::string> said_;
  HitLists hits_;
  index::VoteRule rule_;
};

class CosineAttack final : public OneAttack {
 public:
  explicit CosineAttack(std::vector<index::Hit> hits) { found(std::move(hits)); }

  Evidence evidence(CandidateId /*candidate*/) const override { return {}; }
};

// All hits, by the vectors that are stored for what is said.
HitLists dense_hits(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                    const Said& said) {
  AuxiliaryView auxiliary;
  AuxiliaryView::Known& known = auxiliary.known.emplace_back();
  {
    const auto reader = store.facts().read();
    for (const std::string& claim : said.claims) known.said.push_back(reader->find(claim).value_or(kNotStored));
    known.query = reader->find(said.query).value_or(kNotStored);
  }
  return DenseAttack(store, attacked.dataset(), attacked.run(), auxiliary, protocol).all(0);
}

}  // namespace

std::unique_ptr<OneAttack> open_vote(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                     const Said& said, IndexUse use) {
  if (protocol.linker->needs_vectors()) {
    return std::make_unique<VoteAttack>(attacked.candidates(), said, dense_hits(store, attacked, protocol, said),
                                        index::VoteRule::kNearBest);
  }
  const std::string set = protocol.run_claims();
  const RunCandidates claims = claim_candidates(store, attacked.dataset(), attacked.run(), set);
  const auto linker = open_index(store, attacked.dataset().name, attacked.run(), claims, protocol, use,
                                 claims_indexed(store.db(), attacked.dataset(), attacked.run(), set));
  std::vector<index::Query> queries;
  for (const std::string& claim : said.claims) queries.push_back({claim, "", {}});
  return std::make_unique<VoteAttack>(attacked.candidates(), said, linker->top(queries, claims.ids.size()),
                                      index::VoteRule::kTop);
}

std::unique_ptr<OneAttack> open_dense(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                      const Said& said) {
  return std::make_unique<CosineAttack>(dense_hits(store, attacked, protocol, said).front());
}

}  // namespace residue::query
