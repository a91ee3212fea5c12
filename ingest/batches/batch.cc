#include "ingest/batches/batch.h"

#include <fmt/format.h>

#include "storage/disk/files.h"

namespace residue::ingest {
namespace {

std::size_t size(const std::optional<std::string>& text) { return text ? text->size() : 0; }

}  // namespace

std::size_t bytes_of(const RecordRow& row) {
  std::size_t bytes = row.key.size() + size(row.text) + size(row.task) + size(row.meta);
  if (row.claims) {
    for (const std::string& claim : *row.claims) bytes += claim.size();
  }
  return bytes;
}

std::size_t bytes_of(const ClaimsRow& row) {
  std::size_t bytes = row.record.size();
  for (const auto& claim : row.claims) bytes += claim.text.size() + size(claim.category) + sizeof claim;
  return bytes;
}

std::size_t bytes_of(const VariantRow& row) {
  return size(row.key) + size(row.text) + size(row.error) + size(row.spans) + size(row.original);
}

std::size_t bytes_of(const LabelRow& row) { return row.record.size() + row.payload.size() + size(row.span_text); }

std::size_t bytes_of(const VectorRow& row) {
  return row.key.size() + size(row.run) + row.values.size() * sizeof(float);
}

std::size_t bytes_of(const JudgmentRow& row) {
  return row.judge.size() + row.claim.size() + row.passage.size() + size(row.run);
}

std::size_t bytes_of(const AnswerRow& row) {
  return row.model.size() + row.record.size() + row.run.size() + size(row.answer) + size(row.gold);
}

void fail_row(const SourceIdentity& file, const RowError& error, const IngestPosition& progress) {
  const std::string name = shown(file);
  const std::string stored = progress.lines == 0
                                 ? "nothing of this file was stored"
                                 : fmt::format(
                                       "nothing of this batch was stored (lines {}-{}); {} "
                                       "earlier lines are stored",
                                       progress.lines + 1, std::max(error.line, progress.lines + 1), progress.lines);
  throw Error(
      Code::kBadInput, fmt::format("{}:{}: {}", name, error.line, error.cause),
      fmt::format("{}; {}; repeat the command after mending the file, or add --on-error skip", error.remedy, stored));
}

void fail_empty(const SourceIdentity& file) {
  throw Error(Code::kBadInput, fmt::format("{} is empty: it has no row", shown(file)),
              "check the command that wrote it; nothing was stored");
}

void fail_interrupted(const IngestPosition& progress, std::string_view what) {
  throw Error(Code::kInterrupted, fmt::format("interrupted: {} {} are stored", progress.lines, what),
              "repeat the command: it continues there");
}

void commit(storage::Store& store, storage::WriteBatch& batch, const IngestPosition& before, std::string_view what) {
  try {
    batch.commit();
  } catch (const Error& error) {
    const bool failed = error.code() == Code::kIo || error.code() == Code::kTryAgain;
    const bool full = failed && storage::disk_is_full(store.dir());
    if (!full) throw;
    throw Error(Code::kTryAgain, fmt::format("the disk of the store is full: {} {} are stored", before.lines, what),
                "free some space, then repeat the command: it continues there");
  }
}

}  // namespace residue::ingest
