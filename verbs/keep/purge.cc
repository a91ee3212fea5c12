#include "verbs/keep/purge.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/error.h"
#include "query/inputs/outdated.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/run_note.h"
#include "verbs/keep/collected.h"

namespace residue::verbs {

PurgeResult purge(storage::Store& store, const PurgeOptions& options) {
  PurgeResult result;
  const ingest::PurgeTarget& target = options.target;
  result.gone = ingest::purge_rows(store, target);
  if (options.rows_gone) options.rows_gone(result.gone);
  require_collected(store.collect_garbage({options.wait_ms, options.rewriting}), "the command");
  result.left = ingest::paid_left(store, target.dataset);
  if (target.kind != ingest::PurgeKind::kDataset && target.kind != ingest::PurgeKind::kRemoved) {
    result.outdated = query::outdated_notes(store.db(), target.dataset);
  }
  if (target.kind == ingest::PurgeKind::kPerson || target.kind == ingest::PurgeKind::kRecord) {
    storage::Statement notes = store.db().prepare(storage::sql::kRunNoteCountOfDataset);
    if (notes.bind(storage::find_dataset(store.db(), target.dataset)).step()) {
      result.notes = static_cast<std::uint64_t>(notes.integer(0));
    }
  }
  return result;
}

void require_nothing_paid(const ingest::PaidLeft& left) {
  if (!left.any()) return;
  const auto count = [](std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  const std::string both = left.texts > 0 && left.answers > 0 ? " and " : "";
  const std::string texts = left.texts > 0 ? count(left.texts, "rated text") : "";
  const std::string answers = left.answers > 0 ? count(left.answers, "saved answer") : "";
  throw Error(Code::kTryAgain,
              fmt::format("it is removed, but {}{}{} that no record has any more {} kept, because they were paid "
                          "for: earlier wordings of what was removed may be among them",
                          texts, both, answers, left.texts + left.answers == 1 ? "is" : "are"),
              "residue purge removed takes them; nobody knows whose they were");
}

}  // namespace residue::verbs
