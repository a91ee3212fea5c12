#include "ingest/batch.h"

namespace residue::ingest {
namespace {

std::size_t size(const std::optional<std::string>& text) { return text ? text->size() : 0; }

}  // namespace

std::size_t bytes_of(const RecordRow& row) {
  std::size_t bytes = row.key.size() + row.text.size() + size(row.task) + size(row.meta);
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

std::size_t bytes_of(const VariantRow& row) { return size(row.key) + size(row.text) + size(row.error); }

std::size_t bytes_of(const LabelRow& row) { return row.record.size() + row.payload.size() + size(row.span_text); }

void fail_row(const SourceIdentity& file, const RowError& error, const Progress& progress) {
  const std::string name = file.path == "-" ? "standard input" : std::filesystem::path(file.path).filename().string();
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

void fail_interrupted(const Progress& progress) {
  throw Error(Code::kInterrupted, fmt::format("interrupted: {} lines are stored", progress.lines),
              "repeat the command: it continues there");
}

}  // namespace residue::ingest
