// What the ingest verbs share: flags, several files in a row, and how their result is told.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/syntax.h"
#include "ingest/batches/result.h"
#include "ingest/rows/presets.h"
#include "model/asking/asker.h"
#include "storage/store.h"

namespace residue::cli {

struct IngestFlags {
  std::string target;
  std::vector<std::string> files;
  ingest::SourceOptions source;
  std::vector<std::string> map, map_label;
  std::string on_error = "stop";
  bool append = false;

  struct Which {
    bool reading = false;  // --id, --text
    bool append = false;
  };
  void add_to(Syntax& syntax, Which which);
  void add_words_to(Syntax& syntax);  // --map-label, --any-category
};

inline constexpr const char* kIngestDetails =
    "FILEs are JSON Lines or CSV, plain, .gz or .zst; - is standard input. The same command again continues an\n"
    "interrupted one and changes nothing that is there; a changed file updates what changed and deletes nothing.";

// "a published shape: abcd, ...": those that serve a verb.
std::string preset_words(bool ingest::Preset::*verb);

// What each preset reads, below the details.
std::string details_with_presets(bool ingest::Preset::*verb);

// k=v words as a map; Error{usage} naming `flag`.
std::map<std::string, std::string> key_values(const std::vector<std::string>& words, const std::string& flag);

using IngestOne = std::function<ingest::IngestResult(const ingest::SourceOptions&, const ingest::IngestOptions&)>;

// Runs `one` for each file, with progress, and tells the sum. Returns 0.
int ingest_files(Context& context, const IngestFlags& flags, const IngestOne& one);

// "next: ..." for somebody who has just brought something into the dataset, or into its run: claims first, then a run,
// then eval.
std::string next_step(storage::Store& store, const std::string& dataset,
                      const std::optional<std::string>& run = std::nullopt);

// What turns answers that are there into metrics, as commands that work: eval attacks too, and attackers know claims.
std::string next_eval(storage::Store& store, const std::string& dataset);

// The summary of an ingest, atomize or sanitize: a line per field or {"new","same","changed","bad","seconds","notes"};
// rejected lines and notes go to standard error.
void tell(Context& context, const ingest::IngestResult& result);

// The same of what a model was asked for: its counts as well.
void tell(Context& context, const ingest::IngestResult& result, const model::AskCounts& asked);

}  // namespace residue::cli
