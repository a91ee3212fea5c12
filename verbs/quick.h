// `quick`: what a sanitizer left behind, from two files to an answer, in a store of its own.
//
//   files ── compare_files ──> store (dataset "quick") ── atomize, run, evaluate ──> report, worst records
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "query/report/report.h"
#include "storage/store.h"
#include "verbs/two_files/quick_files.h"

namespace residue::verbs {

inline constexpr std::string_view kQuickDataset = "quick";

struct QuickOptions {
  std::string originals;
  std::optional<std::string> sanitized;  // nothing: the sanitizers of this program, beside each other
  QuickFields fields;
  unsigned jobs = 1;
  NamedProgressFunction progress;
  std::function<bool()> interrupted;
};

struct WorstRecord {
  std::string record;
  std::uint32_t leaks = 0;  // claims that the attacker learned
  std::string claim;        // one of them: of the worst, the longest that fits a line
  bool in_full = false;     // the text that he found says the same
};

struct QuickResult {
  QuickFiles files;
  query::Report report;            // of every run, and of the controls none and remove-all
  std::uint64_t failed = 0;        // texts of worst_run that are none: refusals, error messages, empty ones, ...
  std::uint64_t one_for_many = 0;  // of these: one text for many records
  std::string worst_run;           // whose records these are: the files' run, or that of the greatest semantic_distance
  std::vector<std::string> alike;  // runs whose interval of semantic_distance overlaps with that of worst_run
  std::vector<WorstRecord> worst;  // three at most
  std::vector<std::string> remarks;  // one line each
  std::vector<std::string> telling;  // of these, what numbers without it would flatter: missing, failed, left out
};

// What the files are, before a store is made for them. Throws as compare_files().
QuickFiles look_at_files(const QuickOptions& options);

// `store` is empty; `files` are those of look_at_files(). Of records with three sentences or fewer, which are most of
// some datasets, the attacker knows one sentence. Deterministic for any `jobs`. Throws as ingest_dataset(), evaluate().
QuickResult quick(storage::Store& store, const QuickOptions& options, QuickFiles files);

// How much of what the originals tell can be learned from a run: at least 0.9 of it, 0.5, 0.1, or less. By
// semantic_distance, at the worse end of its interval: few records must not look private. `originals` is the value of
// the control none.
enum class Verdict : std::uint8_t { kUnknown, kLittle, kPart, kMost, kAll };
Verdict verdict(const query::MetricValue& distance, const query::MetricValue& originals);

}  // namespace residue::verbs
