#include "query/inputs/repeats.h"

#include <fmt/format.h>

#include "storage/catalog/sources/record.h"

namespace residue::query {

Repeats repeats(storage::Store& store, DatasetId dataset) {
  const auto empty = store.facts().read()->find("");
  storage::Statement find = store.db().prepare(storage::sql::kRecordRepeats);
  find.bind(dataset, empty.value_or(TextId{-1})).step();
  return {find.integer(0), find.integer(1), find.integer(2), find.integer(3)};
}

std::string repeats_note(const Repeats& repeats) {
  if (repeats.same_text == 0) return {};
  return fmt::format(
      "{} of {} records have the text of another record: a hit on that one is wrong in linkage_rate, right in "
      "linkage_rate_person",
      repeats.same_text, repeats.records);
}

}  // namespace residue::query
