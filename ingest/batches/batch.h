// From rows to batches: the loop that all of `ingest` shares.
//
//   RowSource ─> at most 20,000 rows or 32 MiB ─> WriteBatch{ RowSink::put ..., fingerprints, progress } ─> commit ─>
//   again
//
// Rows are read before the writer lock is taken, so a slow pipe blocks nobody. A bad row ends the file at the batch
// that it is in (or is listed, with skip_bad); the batches before it stay, and the same command continues behind them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/names.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::size_t kBatchBytes = 32U << 20U;

// IngestOptions::batch_rows of rows that are stored all or none: one batch, whatever its size. They are in memory.
inline constexpr std::size_t kOneBatch = ~std::size_t{0};

// What happens to the rows of one kind. Called in the order begin, put..., end; begin, put..., end; ...
template <class Row>
class RowSink {
 public:
  virtual ~RowSink() = default;

  // In a fresh batch: read what others may have changed (fingerprints, ids), make what is missing.
  virtual void begin(storage::WriteBatch& batch, const IngestPosition& progress) = 0;

  // Stores one row, or says why not; then nothing of the row may have been written.
  virtual std::optional<Problem> put(storage::WriteBatch& batch, const Row& row, Outcome& outcome) = 0;

  // A row that an earlier attempt has committed: to be remembered for finding duplicates.
  virtual void skip(const Row& row) = 0;

  // Before the commit: write the fingerprints. `last`: the file ends here. `progress.base` may be set.
  virtual void end(storage::WriteBatch& batch, IngestPosition& progress, bool last) = 0;

  // A row was refused in strict mode; the rest of the file may still change what is wrong. Throws, or returns.
  virtual void explain(RowSource<Row>& /*rest*/, std::span<const Row> /*batch*/) {}
};

// Bytes of a row's texts, for the size of a batch.
std::size_t bytes_of(const RecordRow& row);
std::size_t bytes_of(const ClaimsRow& row);
std::size_t bytes_of(const VariantRow& row);
std::size_t bytes_of(const LabelRow& row);
std::size_t bytes_of(const VectorRow& row);
std::size_t bytes_of(const JudgmentRow& row);
std::size_t bytes_of(const AnswerRow& row);

// "notes.jsonl:17: cause", exit code 6.
[[noreturn]] void fail_row(const SourceIdentity& file, const RowError& error, const IngestPosition& progress);

// An input without a single row, good or bad: more likely a command that failed than what was meant. Exit code 6.
[[noreturn]] void fail_empty(const SourceIdentity& file);

// `what` are counted: lines of a file, records of a dataset.
[[noreturn]] void fail_interrupted(const IngestPosition& progress, std::string_view what = "lines");

// Commits. A full disk is told as such, with what is stored, as Error{try again}: an engine may call it an I/O error.
void commit(storage::Store& store, storage::WriteBatch& batch, const IngestPosition& before,
            std::string_view what = "lines");

// Stores all of `source` under the progress target `target`.
template <class Row>
IngestResult store_rows(storage::Store& store, RowSource<Row>& source, const SourceIdentity& file,
                        const std::string& target, const IngestOptions& options, RowSink<Row>& sink) {
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  IngestResult result;
  IngestPosition progress = load_progress(store.db(), target, file);
  std::vector<Row> rows;  // Slots are used again: their strings keep their memory.
  RowError bad;
  std::uint64_t rows_read = 0;
  const auto look_up = [&] {
    if (rows_read++ % 256 != 0) return;
    if (options.interrupted && options.interrupted()) fail_interrupted(progress);
    if (options.progress) options.progress(source.bytes_read(), source.bytes_total());
  };
  const auto list = [&](const RowError& error) {
    if (result.rejected.size() < kMaxRejectedListed) result.rejected.push_back(error);
  };

  bool more = true;
  rows.resize(1);
  while (more && rows_read < progress.rows) {
    look_up();
    const RowResult got = source.next(rows[0], bad);
    if (got == RowResult::kRow) sink.skip(rows[0]);
    if (got == RowResult::kBad) list(bad);
    more = got != RowResult::kEnd;
  }
  do {  // At least once: that the file ends is written, too.
    std::size_t used = 0;
    std::size_t bytes = 0;
    std::uint64_t bad_rows = 0;
    std::uint64_t last_line = progress.lines;
    while (more && used < options.batch_rows && (bytes < kBatchBytes || options.batch_rows == kOneBatch)) {
      look_up();
      if (used == rows.size()) rows.emplace_back();
      switch (source.next(rows[used], bad)) {
        case RowResult::kEnd:
          more = false;
          break;
        case RowResult::kBad:
          if (!options.skip_bad) fail_row(file, bad, progress);
          list(bad);
          last_line = bad.line;
          ++bad_rows;
          break;
        case RowResult::kRow:
          bytes += bytes_of(rows[used]);
          last_line = rows[used].line;
          ++used;
          break;
      }
    }
    if (!more && rows_read == 1) fail_empty(file);
    const auto batch = store.write();
    IngestPosition next = progress;
    sink.begin(*batch, progress);
    for (std::size_t i = 0; i < used; ++i) {
      Outcome outcome = Outcome::kNew;
      if (auto problem = sink.put(*batch, rows[i], outcome)) {
        const RowError error = {rows[i].line, std::move(problem->cause), std::move(problem->remedy)};
        if (!options.skip_bad) {
          sink.explain(source, std::span<const Row>(rows).subspan(i + 1, used - i - 1));
          fail_row(file, error, progress);
        }
        list(error);
        ++bad_rows;
      } else {
        next.counts.add(outcome);
      }
      if (i % 256 == 0 && options.interrupted && options.interrupted()) fail_interrupted(progress);
    }
    next.counts.bad += bad_rows;
    next.rows = more ? rows_read : rows_read - 1;
    next.lines = last_line;
    sink.end(*batch, next, !more);
    if (more) {
      save_progress(batch->db(), target, file, next);
    } else {
      erase_progress(batch->db(), target, file.path);
    }
    commit(store, *batch, progress);
    progress = next;
    std::erase_if(rows, [](const Row& row) { return bytes_of(row) > (4U << 10U); });
  } while (more);

  if (options.progress) options.progress(source.bytes_read(), source.bytes_total());
  result.counts = progress.counts;
  result.fields = progress.fields;
  result.form = source.notes();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::stable_sort(result.rejected.begin(), result.rejected.end(),
                   [](const RowError& a, const RowError& b) { return a.line < b.line; });
  return result;
}

}  // namespace residue::ingest
