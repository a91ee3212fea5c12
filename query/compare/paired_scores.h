// Stored contributions of two runs, brought together record by record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "query/compare/paired.h"
#include "query/compare/worst_delta.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

// What one record added to one metric of one evaluation.
struct ScoredRecord {
  RecordId record;
  std::uint64_t unit = 0;  // resampling unit
  State state = State::kNotApplicable;
  std::int64_t num = 0, den = 0;
};

// Ascending by record; of the whole metric, or of its part `cut`. Cost: one read of the metric's rows.
std::vector<ScoredRecord> load_scored(storage::Db& db, EvaluationId evaluation, MetricId metric,
                                      std::string_view cut = {});

// The names of the metric's parts, in byte order.
std::vector<std::string> cuts_of(storage::Db& db, EvaluationId evaluation, MetricId metric);

// Counts of records that are compared, on one side.
struct Lost {
  std::uint64_t failed = 0, missing = 0;
};

struct Pairing {
  std::vector<PairedUnit> units;  // ascending by unit
  std::uint64_t records = 0;      // compared
  std::uint64_t left_out = 0;  // not compared, but the metric applies on some side: kDrop also where both lack a value
  Lost a, b;
};

// a[seed] and b[seed] are ascending by record and of the same seeds; several seeds add up. kLeaked compares records
// that apply on both sides, failed and missing ones as if they had leaked; kDrop those with a value on both sides.
// Where `only` is given (ascending), records outside it are left out.
Pairing pair_records(std::span<const std::vector<ScoredRecord>> a, std::span<const std::vector<ScoredRecord>> b,
                     MissingPolicy missing, const std::optional<std::vector<RecordId>>& only = std::nullopt);

// The records of one seed that pair_records() compares, one by one: for kMean metrics where low is bad.
std::vector<PairedRecord> paired_records(const std::vector<ScoredRecord>& a, const std::vector<ScoredRecord>& b,
                                         MissingPolicy missing,
                                         const std::optional<std::vector<RecordId>>& only = std::nullopt);

// The records that could be compared in all of `lists`, ascending.
std::vector<RecordId> common_records(std::span<const std::vector<ScoredRecord>> lists, MissingPolicy missing);

}  // namespace residue::query
