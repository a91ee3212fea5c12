// `tag`: names and notes that the owner gives runs. They go with the run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/catalog/lookup.h"
#include "storage/store.h"
#include "verbs/runs/facts.h"

namespace residue::verbs {

inline constexpr std::size_t kMaxNoteBytes = 4'000;

struct TagOptions {
  storage::Target target;  // DATASET/RUN
  std::vector<std::string> add, remove;
  std::optional<std::string> note;  // instead of the one before; empty: none any more
};

// What sets nothing, for whom `note` and `add` come from a flag. Throws Error{usage} for a name that is none, for a
// note that is too long or has a NUL; nothing is looked up.
void check(const TagOptions& options);

// Tags that are there already, and of those to remove the ones that are not, change nothing: they are in `known`.
struct TagResult {
  RunFacts run;                     // as it is now
  std::vector<std::string> known;   // to add, and there already
  std::vector<std::string> absent;  // to remove, and not there
};

// Throws as check(), Error{not found} for a run that is not there, Error{usage} for a control: it is every dataset's.
TagResult tag(storage::Store& store, const TagOptions& options);

// For verbs that make runs: notes who did, and how long it took, and tags it. Does nothing for a control.
struct MadeNow {
  std::string version;            // of this residue
  std::optional<double> seconds;  // that `sanitize` took; nothing: the texts are from files
  bool changed = true;            // texts of the run were written
};
void note_made(storage::Store& store, const TagOptions& tags, const MadeNow& made);

}  // namespace residue::verbs
