// Scoring one run: the loop over records that judges, scores and stores what changed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "query/absent/absence.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/judge/judging.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/metric/aggregate.h"
#include "query/place/place.h"
#include "query/score/linked_overlap.h"
#include "query/score/sentiment.h"
#include "query/stored/score_store.h"
#include "storage/store.h"

namespace residue::query {

// What the loop works on; everything is in memory but the texts.
struct ScoringInput {
  const DatasetView& dataset;
  const RunView& run;
  const Releases& releases;  // what the attacker reads, `run` first
  const AuxiliaryView& auxiliary;
  const std::vector<LinkView>& links;              // by record
  const std::vector<bool>& sampled;                // by record; empty: all
  OverlapMemory& overlaps;                         // of any attackers
  std::vector<bool> unreadable = {};               // by record: unreadable_records(); empty: none is
  const LinkedPersons* persons = nullptr;          // aligned runs; needed to score
  const std::vector<LinkPlace>* places = nullptr;  // by record; of aligned runs; needed to score
  bool by_rouge_l = false;                         // the links are those of the paper's lexical baseline
  const std::vector<LinkView>* rest = nullptr;     // by record: the absent attack's; null: it is not judged
  const std::vector<LinkView>* third = nullptr;    // likewise, of the absent attack's own absent attack
  const Absence* absence = nullptr;                // where it is
};

// What tier text is scored from.
struct TextInput {
  const DatasetView& dataset;
  const RunView& run;
  const SentimentLexicon* sentiment = nullptr;  // null: no sentiment
};

struct ScoringCounts {
  std::uint64_t rescored = 0, known = 0, rated = 0;
  std::uint64_t unrated = 0;        // records of which some claim has no usable rating against the text found
  std::uint64_t known_unrated = 0;  // or none against what the attacker knows beforehand
};

// Tier text: needs no attack.
void score_texts(storage::Store& store, const TextInput& input, ScoreStore& scores, const ProgressFunction& checkpoint);

// Tiers link and judge together: they look at the same linked text.
ScoringCounts score_attack(storage::Store& store, const ScoringInput& input, const Judge& judge, JudgeId judge_id,
                           ScoreStore& link_scores, ScoreStore& judge_scores, const ProgressFunction& checkpoint);

// Metrics of tier link that are made of all places together. `absent_made`: there is an absent attack beside the
// attack.
std::vector<MetricRow> place_rows(const ScoringInput& input, bool absent_made);

// The pairs that score_attack() would look up or rate, were all records scored anew. Without duplicates, in order.
std::vector<Pair> pairs_to_judge(const ScoringInput& input);

// What a record needs at most, whatever its link is: pairs, the requests that they are put in, and passages of them.
struct MostAsked {
  std::uint64_t pairs = 0, requests = 0, passages = 0;
};
MostAsked most_asked(const ScoringInput& input, std::size_t record);

}  // namespace residue::query
