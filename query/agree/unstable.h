// How far a judge agrees with itself: the pairs whose votes differ, from what is saved alone. Nothing is asked.
//
//   judgments, samples from elsewhere, pairs of all links ──> votes of each pair ──> those that are not unanimous
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "query/judge/judging.h"
#include "query/judge/model_judge.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::query {

struct UnstablePair {
  std::string judge;
  std::string claim;    // DATASET/KEY#N; empty where the claim is of no dataset
  std::string passage;  // DATASET/RUN of whose KEY: "d/scrub r-12"; "d known r-12": the auxiliary claims; else empty
  TextId claim_text, passage_text;
  PairVotes votes;
};

// Of one judge. A pair counts as asked when at least one answer of it is saved, usable or not.
struct UnstableSum {
  std::string judge;
  std::uint64_t asked = 0;
  std::uint64_t compared = 0;  // of these, with two votes or more that have a rating: others cannot differ
  std::uint64_t unstable = 0;  // of these, not unanimous
  std::uint64_t failed_votes = 0;
  std::uint64_t undecided = 0;  // pairs asked that have no rating: the votes that failed could have changed it
};

struct Unstable {
  std::vector<UnstableSum> judges;  // by name
  std::vector<UnstablePair> pairs;  // greatest share of dissenting votes first, then by claim and passage
  std::uint64_t total = 0;          // of pairs, before the limit
};

// Of one judge or of all that are not embedded; of all their pairs, or of those of a dataset, or of a run: its claims,
// against texts of the run and what attackers knew.
struct UnstableOptions {
  std::optional<std::string> judge;
  std::optional<storage::Target> target;
  std::size_t limit = 0;  // 0: all
};

// Whether `word` names a judge that the store knows, or an endpoint.
bool is_judge(storage::Db& db, const std::string& word);

// Throws Error{not found} for names that there are not, Error{usage} for an embedded judge: it has no votes. The caller
// holds Store::hold_texts().
Unstable load_unstable(storage::Store& store, const UnstableOptions& options);

// The votes on these pairs (sorted), in their order, from what is saved; none of an embedded judge, which has none, nor
// of one whose answers cannot be found.
std::vector<PairVotes> saved_votes(storage::Store& store, JudgeId judge, std::span<const Pair> pairs);

}  // namespace residue::query
