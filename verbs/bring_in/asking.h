// What all verbs have in common that ask a model: what it may cost, how it stops and tells, what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/progress.h"
#include "ingest/batches/result.h"
#include "model/asking/asker.h"

namespace residue::verbs {

struct AskingOptions {
  // Of all that the verb asks.
  std::optional<std::uint64_t> max_calls;
  std::optional<double> max_cost;  // USD
  bool no_repeat = false;          // leaves requests of which nobody knows whether they were paid for
  ProgressFunction progress;       // in requests; of a verb that asks nobody, in records
  std::function<bool()> interrupted;
  std::function<void(const std::optional<model::Silence>& silence)> silence;  // see model/asking/asker.h
};

// A session within these limits, in which answers that turn out to be cut are withdrawn from all that was made of them.
model::AskSession session_of(const AskingOptions& options);

// For what is stored meanwhile. Where a model is asked, the session tells how far it is.
ingest::IngestOptions storing(const AskingOptions& options, bool asks);

struct Asked {
  ingest::IngestResult result;
  std::optional<model::AskCounts> asked;  // nothing: this asks nobody
};

}  // namespace residue::verbs
