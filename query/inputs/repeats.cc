#include "query/inputs/repeats.h"

#include <fmt/format.h>

#include "numbers/stats/bootstrap.h"
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

ResamplingUnits::ResamplingUnits(storage::Db& db, DatasetId dataset, std::optional<TextId> empty_text) {
  storage::Statement copies = db.prepare(storage::sql::kRecordFirstKeysOfCopies);
  copies.bind(dataset, empty_text.value_or(TextId{-1}));
  while (copies.step()) first_.emplace(copies.id<TextId>(0), std::string(copies.text(1)));
}

std::uint64_t ResamplingUnits::of(std::string_view key, const std::optional<std::string>& person, TextId text) const {
  if (person) return numbers::resampling_unit(key, person);
  const auto first = first_.find(text);
  return numbers::resampling_unit(first == first_.end() ? key : std::string_view(first->second), std::nullopt);
}

}  // namespace residue::query
