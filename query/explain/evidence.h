// What a linker saw in one attack: where candidates stand, and why, in the linker's own measure.
//
//   AttackedRun, what the attacker says ── open_attack ──> OneAttack ──> ranking, places, evidence
//
// The ranking is that of compute_links(), by the same linkers over the same candidates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/bm25/bm25_linker.h"
#include "query/explain/search.h"
#include "query/inputs/protocol.h"
#include "query/link/linking.h"
#include "query/link/releases.h"
#include "storage/store.h"
#include "text/measures/rouge.h"

namespace residue::query {

// What the evidence of a protocol's linker is made of. kNothing: the controls, which look at no text.
enum class EvidenceKind { kTerms, kWords, kVotes, kCosine, kNothing };
EvidenceKind evidence_kind(const ProtocolSpec& protocol);

// BM25 in one release. The scores of the releases, added in their order, are the candidate's; the shares of the terms,
// added in byte order of the terms, are this score.
struct ReleaseShare {
  std::string run;
  double score = 0;
  std::vector<index::TermScore> terms;  // highest share first
};

// ROUGE-L of what the attacker says, the reference, and a text.
struct CommonWords {
  text::Overlap counts;
  text::Prf measures;
  std::vector<std::size_t> places;  // in OneAttack::words(): a longest common subsequence, ascending
};

// What a candidate's claims are to one claim that the attacker knows.
struct Support {
  std::uint32_t votes = 0;
  std::optional<double> best;  // highest score of them; nothing: none has one

  friend bool operator==(const Support&, const Support&) = default;
};

// Of what its linker measures; the others are empty.
struct Evidence {
  std::vector<ReleaseShare> releases;  // bm25: at least one, by name
  std::optional<CommonWords> common;   // rouge-l, rouge-l-recall
  std::vector<Support> supports;       // voting: by claim that the attacker knows
};

// One claim that the attacker knows, and the claims of the run that it votes for.
struct Ballot {
  struct Vote {
    std::string record;  // key of the candidate
    std::uint32_t claim = 0;
    double score = 0;
  };
  std::string said;
  std::optional<double> best;   // score of the first of them; nothing: it finds none
  std::optional<double> least;  // dense-vote: the score from which a claim gets a vote
  std::vector<Vote> votes;      // best first
};

struct Place {
  double score = 0;                   // BM25, F, recall, votes or cosine
  std::optional<std::size_t> rank;    // among all, from 1; nothing: no hit
  std::optional<std::uint32_t> tied;  // other candidates of this score; nothing: not counted
};

// Immutable. Throws Error{corrupt|io} as linkers do.
class OneAttack {
 public:
  virtual ~OneAttack() = default;

  // The best `k`, at most kMaxHits: as Linker::top.
  [[nodiscard]] std::span<const index::Hit> top(std::size_t k) const;
  [[nodiscard]] Place place_of(CandidateId candidate) const;
  [[nodiscard]] virtual Evidence evidence(CandidateId candidate) const = 0;

  [[nodiscard]] virtual std::vector<std::string> words() const { return {}; }  // rouge-l: of the attacker, in order
  [[nodiscard]] virtual std::vector<Ballot> ballots() const { return {}; }     // voting: by claim he knows

 protected:
  // The first kMaxHits hits, or all.
  void found(std::vector<index::Hit> hits) { hits_ = std::move(hits); }

 private:
  // Of a candidate that is not among those hits; nothing more if they are all.
  [[nodiscard]] virtual Place place_beyond(CandidateId /*candidate*/) const { return {}; }

  std::vector<index::Hit> hits_;
};

// What the attacker says: one text for each claim, and these joined by one space.
struct Said {
  std::vector<std::string> claims;
  std::string query;
};

// What a protocol's attack on a run looks at.
class AttackedRun {
 public:
  // The caller holds Store::hold_texts(). Throws Error{not found}, and Error{usage} for a run that is not among the
  // releases that the attacker holds.
  AttackedRun(storage::Store& store, const std::string& dataset, const std::string& run, const ProtocolSpec& protocol);
  AttackedRun(const AttackedRun&) = delete;
  AttackedRun& operator=(const AttackedRun&) = delete;

  [[nodiscard]] const DatasetView& dataset() const { return dataset_; }
  [[nodiscard]] const RunView& run() const { return run_; }
  [[nodiscard]] Releases releases() const { return others_.with(run_); }
  [[nodiscard]] const RunCandidates& candidates() const { return candidates_; }  // of all releases

 private:
  DatasetView dataset_;  // with claims where the linker looks at those of the control `none`
  RunHead head_;
  RunView run_;
  OtherReleases others_;
  RunCandidates candidates_;
};

// Throws what compute_links() throws, and Error{usage} for a control. Indexes as open_run() has them. `attacked` and
// the store must outlive it. Cost: opening the linker and a search; of combined releases, votes and vectors a whole
// ranking.
std::unique_ptr<OneAttack> open_attack(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                       const Said& said, IndexUse use);

// The best `k`, each with its evidence.
struct RankedText : Place {
  std::string key;  // of the record; of the variant in a synthetic run
  Evidence evidence;
};
std::vector<RankedText> ranked(const OneAttack& attack, const RunCandidates& candidates, std::size_t k);

// The attack of bm25 in a run that is open.
std::unique_ptr<OneAttack> open_attack(const OpenRun& run, std::string query);

// The attacks of linkers whose claims vote, and by cosine (evidence_votes.cc).
std::unique_ptr<OneAttack> open_vote(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                     const Said& said, IndexUse use);
std::unique_ptr<OneAttack> open_dense(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                      const Said& said);

}  // namespace residue::query
