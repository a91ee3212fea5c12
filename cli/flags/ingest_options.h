// What the ingest verbs share: flags, several files in a row, and how their result is told.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/syntax.h"
#include "ingest/batches/result.h"
#include "ingest/rows/presets.h"
#include "storage/store.h"
#include "verbs/bring_in/asking.h"
#include "verbs/ingest.h"

namespace residue::cli {

struct IngestFlags {
  std::string target;
  std::vector<std::string> files;
  std::vector<std::string> map, only;
  std::string on_error = "stop";
  bool append = false;

  // Where rows have texts under keys: also --append, and --id and --text, which are put into `fields`.
  void add_to(Syntax& syntax, ingest::RecordSourceOptions* fields = nullptr);

  // --only, where files of other programs are read.
  void add_only(Syntax& syntax);
};

// --map-label and --any-category.
struct LabelWordFlags {
  std::vector<std::string> map;
  bool any_category = false;

  void add_to(Syntax& syntax);
  [[nodiscard]] ingest::LabelWordOptions options() const;  // Error{usage}: --map-label
};

inline constexpr const char* kIngestDetails =
    "FILEs are JSON Lines or CSV, and may be compressed (.gz, .zst); - is standard input. An interrupted command goes "
    "on when it is repeated. A finished command changes nothing when it is repeated. If a file has changed, its "
    "changed rows are updated, and nothing is deleted.";

// "the layout of a published dataset: abcd, ...": those that serve a verb.
std::string preset_words(bool ingest::Preset::*verb);

// What each preset reads, below the details.
std::string details_with_presets(bool ingest::Preset::*verb);

// k=v words as a map; Error{usage} naming `flag`.
std::map<std::string, std::string> key_values(const std::vector<std::string>& words, const std::string& flag);

// The flags that all kinds of rows share, as the verbs take them.
verbs::IngestFiles files_of(const IngestFlags& flags);

// Runs `verb` with progress, tells what becomes of each file and the sum, then what is to be said of the target.
void ingest_files(Context& context, verbs::IngestFiles& files, const std::function<verbs::Ingested()>& verb);

// Runs a verb of verbs/ingest.h on the store. `options` have what the verb alone knows; the rest is in `flags`:
// IngestFlags with `source`, the options of its kind of rows, and `words` where these have some.
template <class Flags, class Options>
void ingest_rows(Context& context, storage::Store& store, const Flags& flags, Options options,
                 verbs::Ingested (*verb)(storage::Store&, const Options&)) {
  options.source = flags.source;
  options.source.map = key_values(flags.map, "--map");
  options.source.only = key_values(flags.only, "--only");
  if constexpr (requires { flags.words; }) options.source.words = flags.words.options();
  static_cast<verbs::IngestFiles&>(options) = files_of(flags);
  ingest_files(context, options, [&] { return verb(store, options); });
}

// "next: ..." for somebody who has just brought something into the dataset, or into its run: claims first, then a run,
// then eval.
std::string next_step(storage::Store& store, const std::string& dataset,
                      const std::optional<std::string>& run = std::nullopt);

// What turns answers that are there into metrics, as commands that work: eval attacks too, and attackers know claims.
std::string next_eval(storage::Store& store, const std::string& dataset);

// The summary of an ingest, atomize or sanitize: a line per field or {"new","same","changed","bad","seconds","notes"};
// rejected lines and notes go to standard error.
void tell(Context& context, const ingest::IngestResult& result);

// The same with the counts of what a model was asked for, where one was.
void tell(Context& context, const verbs::Asked& all);

}  // namespace residue::cli
