// From the texts and vectors of a run and its dataset to the metrics of tier corpus: numbers of all texts together.
//
//   records, variants ── vectors ──> mauve, embedding_cosine, topic_distance
//                     ── texts ────> detectability, topic_distance (LSA of the originals), copies, rare phrases
//
// Nothing is stored here: query/corpus_evaluation.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "numbers/learn/lsa.h"
#include "query/corpus/phrases.h"
#include "query/inputs/snapshot.h"
#include "query/metric/aggregate.h"
#include "storage/vectors.h"

namespace residue::query {

struct CorpusMetric {
  std::vector<MetricRow> rows = {};     // slice ""; of topic_distance also "std", of embedding_cosine "median"
  std::string reason = {};              // why it is not applicable; empty: it is
  std::vector<Contribution> each = {};  // by record of the view; empty where records add up to nothing
};

// Topics of a dataset's originals, found when they are first needed.
struct DatasetTopics {
  std::unique_ptr<numbers::TopicSpace> space;
  std::vector<std::vector<double>> originals;  // by record
};

// Of one record of a person with several (same_person.h).
struct PersonLink {
  bool failed = false;  // its text failed, or all others of its person did
  // Of the texts that are best, all with the same score, how many there are and how many are of the person. Nothing
  // found: all other texts.
  std::int64_t tied = 0, same = 0;
  // A guess among all other texts.
  std::int64_t others = 0, of_person = 0;
};

// What metrics of one dataset's runs have in common: made when it is first needed.
struct CorpusCache {
  DatasetTopics topics;
  std::unique_ptr<const DatasetPhrases> phrases;
  // Of the run that was looked at last.
  std::optional<std::pair<RunId, std::vector<PhraseCounts>>> counted;
  std::optional<std::pair<RunId, std::vector<std::optional<PersonLink>>>> linked;
};

struct CorpusInput {
  storage::Store& store;
  const DatasetView& dataset;
  const RunView& run;
  const storage::Embedder* embedder = nullptr;  // whose vectors; null: none
  CorpusCache& cache;
  PhraseOptions phrases = {};
};

// One metric of tier corpus. A record without an original text is not applicable; one whose variant failed counts as
// leaked (worst for utility): for `mauve` the sanitized texts then hold its original. An empty sanitized text is at the
// origin: it is like nothing (cosine 0, distance 1). Where one text has no vector, nothing is computed. Numbers are
// multiples of 2^-32 or, of `mauve`, of 2^-40, so that the last bits of logarithms do not matter.
// Cost: see mauve.h, lsa.h, detectability.h. Throws as Store does.
CorpusMetric corpus_metric(const CorpusInput& input, MetricId metric);

}  // namespace residue::query
