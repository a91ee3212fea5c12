#include "verbs/bring_in/import_work.h"

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "verbs/withdrawing.h"

namespace residue::verbs {

ingest::ImportedWork import_work(storage::Store& store, const ImportWorkOptions& options) {
  ingest::ImportedWork all;
  for (const std::string& file : options.files) {
    ingest::ImportWorkOptions how;
    if (options.progress) {
      how.progress = [&](std::uint64_t done, std::optional<std::uint64_t> total) {
        options.progress("importing " + file, done, total);
      };
    }
    how.interrupted = options.interrupted;
    how.withdraw = withdrawing();
    const ingest::ImportedWork work = ingest::import_work(store, file, how);
    if (options.file_done) options.file_done(file, work);
    all += work;
  }
  return all;
}

void require_answers(const ingest::ImportedWork& work) {
  if (work.lines == 0) throw Error(Code::kBadInput, "no line in it", "give the files that the server returned");
  if (work.unknown + work.unreadable == work.lines) {
    throw Error(Code::kBadInput, "no line answers a question of this store",
                "give the answers to the files of residue work export, in the store that exported them");
  }
}

}  // namespace residue::verbs
