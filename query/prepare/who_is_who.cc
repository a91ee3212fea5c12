#include "query/prepare/who_is_who.h"

namespace residue::query {

const std::vector<std::size_t>& WhoIsWho::equal_originals(const DatasetView& dataset) {
  std::vector<std::size_t>& equal = equal_originals_[&dataset];
  if (equal.size() != dataset.records.size()) equal = query::equal_originals(store_, dataset);
  return equal;
}

const Absence& WhoIsWho::absence(const DatasetView& dataset, const ProgressFunction& checkpoint) {
  const std::vector<std::size_t>& equal = equal_originals(dataset);
  auto& [records, absence] = absences_[&dataset];
  if (!absence || records != dataset.records.size()) {
    absence = std::make_unique<Absence>(store_, dataset, equal, checkpoint);
    records = dataset.records.size();
  }
  return *absence;
}

std::optional<People> WhoIsWho::people(const DatasetView& dataset, const RunView& run) {
  if (!run.aligned()) return std::nullopt;
  return std::make_optional<People>(dataset, equal_originals(dataset));
}

std::optional<LinkedPersons> WhoIsWho::linked_persons(const DatasetView& dataset, const RunView& run) {
  if (!run.aligned()) return std::nullopt;
  return std::make_optional<LinkedPersons>(dataset, run, equal_originals(dataset));
}

}  // namespace residue::query
