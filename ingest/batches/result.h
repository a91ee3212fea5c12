// What a caller of `ingest` may ask for and gets back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

struct IngestOptions {
  bool skip_bad = false;              // --on-error skip: store the rest
  std::size_t batch_rows = 20'000;    // rows of one commit; fewer only in tests
  bool append = false;                // --append: an existing key with another value in any field is a bad row
  bool numbered = false;              // the keys are the rows' numbers (kNumberedRows)
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

// Of how many records that were there which field became another one; of these `emptied` have none any more.
struct FieldCounts {
  enum Field : std::uint8_t { kText, kPerson, kLabel, kTask, kMeta, kClaims, kCount };
  static constexpr std::array<std::string_view, kCount> kNames = {"text", "person", "label", "task", "meta", "claims"};

  std::array<std::uint64_t, kCount> changed = {}, emptied = {};
  std::uint64_t kept_texts = 0;  // rows without a text, of records that have one

  FieldCounts& operator+=(const FieldCounts& other) {
    for (std::size_t i = 0; i < kCount; ++i) {
      changed[i] += other.changed[i];
      emptied[i] += other.emptied[i];
    }
    kept_texts += other.kept_texts;
    return *this;
  }
};

inline constexpr std::size_t kMaxRejectedListed = 1000;

// Counts cover the whole file, earlier interrupted attempts included.
struct IngestResult {
  Counts counts;
  double seconds = 0;
  FieldCounts fields;              // datasets only
  std::vector<RowError> rejected;  // the first kMaxRejectedListed; counts.bad has them all
  std::vector<std::string> form;   // RowSource::notes
  std::vector<std::string> notes;  // one line each, with counts
};

}  // namespace residue::ingest
