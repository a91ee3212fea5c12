// From what is known about one record to its contributions: pure functions, one per tier.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/judge/judge.h"
#include "query/metric/contribution.h"
#include "text/measures/bleu.h"
#include "text/measures/rouge.h"

namespace residue::query {

// What came of a record under an attack.
struct RecordCase {
  bool empty_original = false;        // the original is empty: not applicable
  bool aligned = true;                // the run has a variant per record
  bool failed = false;                // the record's own variant is absent or failed; synthetic: some text of the run;
                                      // or the linker cannot read it, or what the attacker says
  bool no_claims = false;             // it has none in the claim set
  bool has_claims = false;            // there are claims to judge, and claims that the attacker knows
  bool attacked = false;              // it has auxiliary claims
  bool all_known = false;             // the attacker knows every claim by policy: nothing is left to judge
  bool linked = false;                // the attack found something
  bool linked_own = false;            // aligned: what it found is the record's own variant
  std::int64_t linked_person = 0;     // aligned: what of that is of the same person, in units of 2^-32
  std::int64_t risk = 0;              // aligned: what a draw among the best hits has of it (query/place/place.h)
  bool judge_failed = false;          // whoever rates was asked: what has no rating has failed, not gone missing
  Trust trust = Trust::kUnchecked;    // of the linked texts
  std::optional<std::uint32_t> rank;  // of the own variant among the top 10
};

Outcome outcome(const RecordCase& record);

// Of tier link, but for metrics of texts: not applicable, lost, or attacked.
State attacked_state(const RecordCase& record);

// Ratings of the claims that the attacker does not know; nothing where no valid rating could be had.
using Ratings = std::span<const std::optional<std::uint8_t>>;

// Whether the record's claims outside A(x) are all rated: kValue, or why not. Where nothing is linked nothing has to
// be.
State rated_state(const RecordCase& record, Ratings linked);

// Tier judge. `linked` are ratings against the linked text (unused where nothing is linked: then all are 3),
// `known_only` ratings against the auxiliary claims themselves. `judged` is the number of claims outside A(x), also
// where nothing came of the attack. Of a record without claims nobody knows how many units of a pooled rate it has
// (aggregate.h).
std::vector<Contribution> judge_scores(const RecordCase& record, std::size_t judged, Ratings linked,
                                       Ratings known_only);

// Tier link. Overlaps of the original (reference) with the linked text (hypothesis); `without_known` leaves out the
// original's sentences that carry the auxiliary claims.
// `known_bigrams`: of those that the attacker says, each as often as said, those that occur in the original at all.
// `identifiers`: of the original's, outside the sentences that carry auxiliary claims, those that the linked text
// lacks; `linked_identifiers` the same of the linked record's original (aligned runs).
struct Share {
  std::int64_t count = 0, of = 0;
  friend bool operator==(const Share&, const Share&) = default;
};
struct LinkedOverlap {
  text::Overlap whole;
  std::optional<text::Overlap> without_known;
  Share known_bigrams;
  Share identifiers = {};
  std::optional<Share> linked_identifiers = std::nullopt;
  // What follows from the original (and what the attacker knows) alone, so that it is the same in every run.
  bool no_words = false;  // the original has no letter and no digit: it cannot say what was lost
  // ROUGE cannot read the original or the linked text (text/measures/rouge_reads.h): it has failed on them.
  bool unreadable = false;
  bool no_rest = false;  // nor have the sentences that carry no auxiliary claim
};
// `by_rouge_l`: the linker is rouge-l, so that this is lexical_distance too.
std::vector<Contribution> link_scores(const RecordCase& record, const LinkedOverlap& overlap, bool by_rouge_l = false);

// Tier text: original (reference) against the record's own variant (hypothesis).
struct AlignedOverlap {
  text::Overlap rouge1, rouge2, rouge_l;
  bool no_words = false;    // the original has no letter and no digit
  bool unreadable = false;  // ROUGE cannot read it, or the record's own text
  text::BleuCounts bleu = {};
  double sacre_bleu = 0;   // 13a, exp, as sacrebleu prints it: [0, 100]
  bool sentiment = false;  // a lexicon is given, whether or not there is a text
  bool same_sentiment = false;
};
std::vector<Contribution> text_scores(const RecordCase& record, const AlignedOverlap& overlap);

}  // namespace residue::query
