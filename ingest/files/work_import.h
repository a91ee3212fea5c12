// What came back for an export (query/work_export.h): answers are saved as the client would have saved them, and found
// by the next evaluation.
//
//   FILE ─> lines ─> raw replies into facts/ (commit) ─> usable? ─> the ledger (commit)
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "model/limits/withdrawn.h"
#include "storage/store.h"

namespace residue::ingest {

struct ImportedWork {
  std::uint64_t lines = 0;
  std::uint64_t saved = 0;       // replies that can be used
  std::uint64_t unused = 0;      // of these, behind one that counts already, or of a vote that had ended: kept only
  std::uint64_t invalid = 0;     // replies that cannot: kept, and asked for again
  std::uint64_t taken_back = 0;  // answers that were there, of which it turned out that their prompts were cut
  model::Withdrawn withdrawn;    // what had been made of answers that were taken back
  std::uint64_t same = 0;        // replies that are there already, and refusals that were told already
  std::uint64_t failed = 0;      // requests that the server did not answer: nothing to keep
  std::uint64_t unknown = 0;     // answers to nothing that this store asked
  std::uint64_t unreadable = 0;  // lines that are no answers
  std::map<std::string, std::uint64_t> reasons;  // of invalid and failed
  std::vector<std::string> models;               // whose answers came, by name

  struct Note {
    std::uint64_t line = 0;
    std::string what;
  };
  std::vector<Note> notes;  // the first lines that are unknown or unreadable

  ImportedWork& operator+=(const ImportedWork& other);
};

struct ImportWorkOptions {
  ProgressFunction progress;  // bytes read of the file, without a total
  std::function<bool()> interrupted;
  model::Withdraw withdraw;  // as in model/asking/asker.h
};

// One file; "-": standard input. What was imported before an Error stays, and the same file again changes nothing.
// Waits for whoever asks a model of this store. Throws as open_bytes(), Error{busy}, Error{interrupted}.
ImportedWork import_work(storage::Store& store, const std::string& path, const ImportWorkOptions& options = {});

}  // namespace residue::ingest
