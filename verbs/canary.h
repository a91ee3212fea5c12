// `canary`: invented records with secrets (query/outside/canaries.h): made, and looked for in what a sanitizer made of
// them.
//
//   FILE, FILE.key <── make_canaries      FILE.key, a run or a file of texts ── check_canaries ──> which secrets stand
//   there
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "numbers/stats/bootstrap.h"
#include "query/outside/canaries.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::verbs {

struct CanaryOptions {
  std::size_t count = 20;
  std::string like;  // a dataset: the texts have at least as many words as half of its records; empty: 40
  std::optional<std::string> seed;  // hexadecimal; nothing: 128 random bits of the system
  std::filesystem::path key_file;
};

struct MadeCanaries {
  query::CanaryKey key;
  std::vector<query::Canary> canaries;
};

// Writes the key file, 0600; the records are for the caller to write. `store` is needed for `like` alone. Throws
// Error{usage} for a seed that is none, Error{io} where there is such a file.
MadeCanaries make_canaries(storage::Store* store, const CanaryOptions& options);

struct CanaryCheck {
  std::filesystem::path key_file;  // or the file of records, beside which it lies
  // Where to look: a run of a store, or a file of texts as `ingest run` reads them.
  std::optional<storage::Target> run;
  std::string texts;
  std::function<bool()> interrupted;
  NamedProgressFunction progress;
};

// A canary whose text failed, or all where a synthetic run lost texts, may have been let through: it counts as found.
struct CanaryResult {
  struct One {
    query::CanaryFound found;
    bool failed = false;
  };
  std::vector<One> canaries;
  std::uint64_t texts = 0, failed_texts = 0;
  std::size_t absent = 0;  // canaries that are no records of the dataset: nobody looked for them
  std::size_t whole = 0, failed = 0;
  double share = 0;  // of the canaries whose secret stands in one text as a whole, failed ones among them
  numbers::Interval share_interval;     // Wilson's, 95 %
  double exposure = 0;                  // the mean, failed ones at the greatest
  numbers::Interval exposure_interval;  // of the bootstrap over canaries, with a phantom
};

// Throws Error{not found} for an unknown run, Error{bad input} for a file that is no key, and where none of the
// canaries is a record of the run's dataset.
CanaryResult check_canaries(storage::Store* store, const CanaryCheck& what);

// 'found > 0', 'found.high > 0.1', 'exposure >= 3'. Throws Error{usage}.
struct CanaryGate {
  std::string text, field, op;  // field: found, found.low, found.high, exposure, exposure.low, exposure.high
  double limit = 0;
};
CanaryGate parse_canary_gate(const std::string& text);
// The number that it is about, and whether it holds: then the check fails.
double gated(const CanaryGate& gate, const CanaryResult& result);
bool holds(const CanaryGate& gate, const CanaryResult& result);

}  // namespace residue::verbs
