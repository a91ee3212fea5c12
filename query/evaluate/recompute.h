// The proof of the invariant: all numbers of a store against those of a fresh store given the same inputs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "query/score/sentiment.h"
#include "storage/store.h"

namespace residue::query {

// Every metric row, one line each, by names only (dataset, run, protocol, sample, judge, metric, slice, then all values
// in full precision), sorted: equal lists mean equal numbers bit for bit.
// Sentiment only where it is of `sentiment`: with another lexicon, or none, it cannot be computed again.
std::vector<std::string> metric_dump(storage::Store& store, const SentimentLexicon* sentiment = nullptr);

// Copies the final inputs of `store` (records, claims, runs, variants; by names, in key order) into the empty store
// `fresh`: ids, history and everything derived differ, the content is the same.
void copy_inputs(storage::Store& store, storage::Store& fresh);

struct Difference {
  std::string stored, recomputed;  // one of them may be empty
};

// Stored numbers that were not computed again, and why.
struct NotRecomputed {
  std::size_t rows = 0;
  std::string reason;
};

struct Recomputed {
  std::size_t rows = 0;  // compared
  std::vector<Difference> differences;
  std::vector<NotRecomputed> left_out;  // with `rows` all that are stored
};

// Evaluates everything that is evaluated and current in `store` in a fresh store below `scratch` and compares. What was
// judged or answered elsewhere is input. `progress` names what is being recomputed. Costs what evaluating everything
// costs.
Recomputed recompute(storage::Store& store, const std::filesystem::path& scratch,
                     const std::function<void(const std::string&)>& progress,
                     const std::shared_ptr<const SentimentLexicon>& sentiment = nullptr);

}  // namespace residue::query
