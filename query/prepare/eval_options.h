// What is asked of an evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "model/asking/asker.h"
#include "query/inputs/protocol.h"
#include "query/score/sentiment.h"
#include "storage/catalog/lookup.h"

namespace residue::query {

inline constexpr std::size_t kReplicatesKeptFrom = 4096;  // below, summing anew costs less than keeping

using storage::Target;  // 'DATASET' (all its runs, the controls included) or 'DATASET/RUN'

// Where an evaluation is.
struct EvalStep {
  std::string dataset = {}, run = {};
  std::string protocol = {};  // empty: what is computed needs no attacker
  std::string stage = {};     // "links", "judgments and scores", "sums", "texts" ...
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total = {};  // of the stage, mostly records; nothing: nobody knows
  // Records of all stages of the dataset's evaluation, counted as for `progress`.
  std::uint64_t whole_done = 0, whole_total = 0;
};

struct EvalOptions {
  std::vector<ProtocolSpec> protocols;  // empty: kDefaultProtocol
  bool stored = false;  // instead: all that were evaluated before with this judge and sample, where they still can be
  std::uint32_t seeds = 1;  // seeds 42 ... 42 + seeds - 1 of policies that have one
  std::string judge = "lexical";
  // Judges the absent attack too (query/absent/absence.h). Embedded judges do whether it is asked for or not, and
  // others wherever they did before.
  bool absent = false;
  std::uint64_t sample = 0;                           // target records; 0: all. Candidates are never sampled
  std::shared_ptr<const SentimentLexicon> sentiment;  // null: sentiment_accuracy is not computed
  // What may be spent on a model, over all that this evaluation asks.
  std::optional<std::uint64_t> max_calls;
  std::optional<double> max_cost;  // USD
  bool no_repeat = false;          // leave requests of which nobody knows whether they were worked on
  model::RetryPolicy retry;
  // From this many records on, the bootstrap's sums are kept between evaluations; the numbers do not depend on it.
  std::size_t keep_replicates_from = kReplicatesKeptFrom;
  // Of "linking D/R" and the like, in records of all that the dataset's evaluation has to do, stage by stage; and of
  // "asking J", in requests, which go on inside of a stage.
  NamedProgressFunction progress;
  std::function<void(const EvalStep& step)> step;  // wherever `progress` is told of a stage
  std::function<bool()> interrupted;
  std::function<void(const std::optional<model::Silence>& silence)> silence;  // see model/asker.h
  model::Withdraw withdraw;                                                   // see there
};

}  // namespace residue::query
