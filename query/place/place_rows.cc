#include "query/place/place_rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/link_place.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::size_t kRowsAtOnce = 2'048;  // other writers wait for some milliseconds

std::optional<Sure> sure_in(const Statement& row, int column) {
  const auto value = row.integer_or_null(column);
  if (!value) return std::nullopt;
  return Sure{*value, row.integer(column + 1) != 0};
}

void put_row(Statement& put, RunId run, ProtocolId protocol, RecordId record, const LinkPlace& place) {
  std::optional<std::int64_t> ahead, level, sure, rest_sure;
  if (place.ahead) ahead = *place.ahead, level = place.level;
  if (place.sure) sure = place.sure->value;
  if (place.rest_sure) rest_sure = place.rest_sure->value;
  put.run(run, protocol, record, ahead, level, place.persons, place.own_person ? 1 : 0, sure,
          place.sure && place.sure->alone ? 1 : 0, rest_sure, place.rest_sure && place.rest_sure->alone ? 1 : 0);
}

}  // namespace

std::vector<LinkPlace> load_places(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol) {
  std::vector<LinkPlace> places(dataset.records.size());
  Statement all = store.db().prepare(storage::sql::kLinkPlacesOfRunUnderProtocol);
  all.bind(run, protocol);
  while (all.step()) {
    const auto found = dataset.position.find(all.id<RecordId>(0));
    if (found == dataset.position.end()) continue;
    LinkPlace& place = places[found->second];
    place.attacked = true;
    if (const auto ahead = all.integer_or_null(1)) {
      place.ahead = static_cast<std::uint32_t>(*ahead);
      place.level = static_cast<std::uint32_t>(all.integer(2));
    }
    place.persons = static_cast<std::uint32_t>(all.integer(3));
    place.own_person = all.integer(4) != 0;
    place.sure = sure_in(all, 5);
    place.rest_sure = sure_in(all, 7);
  }
  return places;
}

void store_places(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol,
                  const std::vector<LinkPlace>& places) {
  const std::vector<LinkPlace> stored = load_places(store, dataset, run, protocol);
  const std::vector<LinkPlace> none(places.empty() ? stored.size() : 0);
  const std::vector<LinkPlace>& now = places.empty() ? none : places;
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!(now[i] == stored[i])) changed.push_back(i);
  }
  for (std::size_t begin = 0; begin < changed.size(); begin += kRowsAtOnce) {
    const auto batch = store.write();
    // As for links: the scores no longer belong to these.
    batch->db().prepare(storage::sql::kUpdateEvaluationIncompleteOfLinks).run(run, protocol, Statement::Blob{""});
    Statement put = batch->db().prepare(storage::sql::kInsertOrReplaceLinkPlace);
    Statement erase = batch->db().prepare(storage::sql::kDeleteLinkPlaceOfRecord);
    for (std::size_t j = begin; j < std::min(begin + kRowsAtOnce, changed.size()); ++j) {
      const RecordId record = dataset.records[changed[j]].id;
      if (now[changed[j]].attacked) {
        put_row(put, run, protocol, record, now[changed[j]]);
      } else {
        erase.run(run, protocol, record);
      }
    }
    batch->commit();
  }
}

}  // namespace residue::query
