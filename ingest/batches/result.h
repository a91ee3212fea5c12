// What a caller of `ingest` may ask for and gets back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

struct IngestOptions {
  bool skip_bad = false;              // --on-error skip: store the rest
  std::size_t batch_rows = 20'000;    // rows of one commit; fewer only in tests
  bool append = false;                // --append: an existing key with another text is a bad row
  ProgressFunction progress;          // bytes of the file; records for atomize and sanitize
  std::function<bool()> interrupted;  // may be empty; true: throws Error{interrupted}, whole batches are kept
};

enum class Outcome { kNew, kSame, kChanged };

struct Counts {
  std::uint64_t fresh = 0;  // "new"
  std::uint64_t same = 0;
  std::uint64_t changed = 0;
  std::uint64_t bad = 0;

  void add(Outcome outcome) { ++(outcome == Outcome::kNew ? fresh : outcome == Outcome::kSame ? same : changed); }
  Counts& operator+=(const Counts& other) {
    fresh += other.fresh;
    same += other.same;
    changed += other.changed;
    bad += other.bad;
    return *this;
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

inline constexpr std::size_t kMaxRejectedListed = 1000;

// Counts cover the whole file, earlier interrupted attempts included.
struct IngestResult {
  Counts counts;
  double seconds = 0;
  std::vector<RowError> rejected;  // the first kMaxRejectedListed; counts.bad has them all
  std::vector<std::string> notes;  // one line each, with counts
};

}  // namespace residue::ingest
