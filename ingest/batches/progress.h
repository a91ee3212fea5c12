// How far a file has been stored: the rows of `ingest_progress`, committed with the rows that they speak of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/batches/result.h"
#include "storage/catalog/sqlite.h"

namespace residue::ingest {

// Tells whether the same file comes again. Standard input never does: it is read from the start.
struct SourceIdentity {
  std::string path = "-";  // absolute, or "-"
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t reading = 0;  // hash of the options that say how its fields are read
};

// The identity of the file that `options` name. Throws nothing for a missing file: opening it says so better.
SourceIdentity identify(const SourceOptions& options);
SourceIdentity identify(const RecordSourceOptions& options);
SourceIdentity identify(const VariantSourceOptions& options);
SourceIdentity identify(const JudgmentSourceOptions& options);
SourceIdentity identify(const AnswerSourceOptions& options);
SourceIdentity identify(const ClaimSourceOptions& options);
SourceIdentity identify(const VectorSourceOptions& options);

// How messages name the file: without its folder, "standard input" for "-".
std::string shown(const SourceIdentity& file);

// Where the reading of a file stands.
struct IngestPosition {
  std::uint64_t rows = 0;   // rows (bad ones included) whose effects are committed
  std::uint64_t lines = 0;  // the line of the last of them
  std::uint64_t base = 0;   // synthetic runs with --append: what is added to line numbers to make keys
  Counts counts;
  FieldCounts fields;
};

// What is committed of `file` under `target`; zeros if nothing is, or if the file is another one by now (only `base` is
// kept then, so that an append that starts over meets its own rows).
IngestPosition load_progress(storage::Db& db, std::string_view target, const SourceIdentity& file);

void save_progress(storage::Db& db, std::string_view target, const SourceIdentity& file,
                   const IngestPosition& progress);
void erase_progress(storage::Db& db, std::string_view target, std::string_view path);

// Throws Error{bad input} if an input of the target was not read to its end.
void check_complete(storage::Db& db, std::string_view target);

}  // namespace residue::ingest
