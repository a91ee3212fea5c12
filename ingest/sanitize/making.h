// The making of a run: the outputs of a sanitizer as they come into the store, batch by batch.
//
//   pages of records ─> Making::make ─> Sanitizer::sanitize_all ──> a batch for each page; what is made of the same
//                   |                                               is not made again (made_of.h)
//                   └─> Making::ask ──> Sanitizer::sanitize_each ─> a batch each `keep_every`; what is there is not
//                                                                   asked for
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/batches/progress.h"
#include "ingest/batches/record_pages.h"
#include "ingest/batches/result.h"
#include "ingest/batches/run_writer.h"
#include "ingest/method/sanitizer.h"
#include "ingest/sanitize/made_of.h"
#include "storage/store.h"

namespace residue::ingest {

// One run, of a method of rounds one of them.
struct RunOfRound {
  std::string name;
  std::uint32_t round = 0;            // 0: the method has none
  std::optional<std::string> before;  // the run whose texts these are made of; nothing: the originals
};

// Outputs of `records`, in their order. A record without a text has nothing to sanitize: it is not applicable in every
// metric. One with an error keeps it.
std::vector<SanitizeOutput> sanitized(const Sanitizer& sanitizer, const std::vector<RecordText>& records,
                                      unsigned jobs);

// Everything that it is given outlives it. One of make() and ask(), once: the run is incomplete until it returns. Both
// throw as sanitize_dataset(), with what was committed kept.
class Making {
 public:
  Making(storage::Store& store, std::string_view dataset, const RunOfRound& run, const RunSpec& spec,
         Sanitizer& sanitizer, std::chrono::milliseconds keep_every, const IngestOptions& options);

  // A batch for each page that has something to be made.
  void make(unsigned jobs);

  // What is there already is not asked for. What has failed before comes last: there the program may hang again.
  void ask();

  // So far.
  [[nodiscard]] const Counts& counts() const { return progress_.counts; }
  [[nodiscard]] std::int64_t unchanged() const { return unchanged_; }   // texts that are as they were
  [[nodiscard]] std::uint64_t total() const { return pages_.total(); }  // records

 private:
  class Batch;
  class Waiting;
  class Answers;
  bool next(std::vector<RecordText>& records, const RecordPages::Done& done = {});
  void ask_about(const std::vector<RecordText>& records);

  // A program that gives nobody a text does not take the place of another one that did.
  void check_worth(std::size_t asked);
  Outcome put(const Batch& batch, const RecordText& record, const SanitizeOutput& output);
  static bool is_same(const RecordText& record, const SanitizeOutput& output);

  // Commits what was put.
  void finish(const Batch& batch, std::uint64_t rows, bool last);

  storage::Store& store_;
  const RunOfRound& run_;
  Sanitizer& sanitizer_;
  const std::chrono::milliseconds keep_every_;
  const IngestOptions& options_;
  RecordPages pages_;
  RunWriter writer_;
  MadeOf made_of_;
  const std::string target_;  // of the progress; while it is there, the run is incomplete
  const std::string asked_;
  storage::Statement answered_;
  IngestPosition progress_;
  std::int64_t unchanged_ = 0;
  bool any_text_ = false;  // the program has given one
};

}  // namespace residue::ingest
