#include "ingest/batches/counterpart.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "text/characters/without_space.h"

namespace residue::ingest {
namespace {

using storage::Statement;

struct Named {
  DatasetId id;
  std::string name;
};

std::optional<Named> find(storage::Db& db, const char* sql, DatasetId dataset) {
  Statement found = db.prepare(sql);
  if (!found.bind(dataset).step()) return std::nullopt;
  return Named{found.id<DatasetId>(0), std::string(found.text(1))};
}

std::optional<Named> controlled_by(storage::Db& db, DatasetId dataset) {
  return find(db, storage::sql::kDatasetControlledBy, dataset);
}

std::optional<Named> control_of(storage::Db& db, DatasetId dataset) {
  return find(db, storage::sql::kDatasetControlOf, dataset);
}

// Originals of `a` that are those of a record of `b`, too: those of one reading count once.
std::int64_t shared_texts(storage::WriteBatch& batch, DatasetId a, DatasetId b) {
  const auto each = [&](DatasetId dataset, const auto& use) {
    Statement rows = batch.db().prepare(storage::sql::kRecordTextsOfDataset);
    rows.bind(dataset);
    while (rows.step()) {
      const std::string reads = text::as_read_without_space(batch.facts().text(rows.id<TextId>(0)));
      if (!reads.empty()) use(rows.id<TextId>(0), reads);
    }
  };
  struct Known {
    TextId text;
    bool counted = false;
  };
  std::unordered_multimap<std::uint64_t, Known> known;
  each(a, [&](TextId id, const std::string& reads) { known.emplace(hash_of(0, reads), Known{id}); });
  std::int64_t shared = 0;
  each(b, [&](TextId id, const std::string& reads) {
    const auto [begin, end] = known.equal_range(hash_of(0, reads));
    bool counted = false;
    for (auto one = begin; one != end; ++one) {
      const bool equal =
          one->second.text == id || text::as_read_without_space(batch.facts().text(one->second.text)) == reads;
      if (!equal) continue;
      if (!one->second.counted && !counted) ++shared;
      one->second.counted = counted = true;
    }
  });
  return shared;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

bool has_counterpart(storage::Db& db, std::string_view dataset) {
  Statement find = db.prepare(storage::sql::kDatasetByName);
  if (!find.bind(dataset).step()) return false;
  const auto id = find.id<DatasetId>(0);
  find.reset();
  return controlled_by(db, id) || control_of(db, id);
}

void make_control(storage::WriteBatch& batch, DatasetId control, std::string_view name, std::string_view of) {
  storage::Db& db = batch.db();
  const DatasetId released = storage::find_dataset(db, of);
  if (released == control) {
    throw Error(Code::kUsage, "a dataset cannot be a control of itself",
                "--control-of names the dataset that was released");
  }
  const auto before = controlled_by(db, control);
  if (before && before->id == released) return;
  if (before) {
    throw Error(Code::kUsage, fmt::format("dataset {} is a control of {} already", name, before->name),
                fmt::format("give these people a dataset of their own, or residue rm {} first", name));
  }
  if (const auto its = control_of(db, control)) {
    throw Error(Code::kUsage, fmt::format("dataset {} has a control of its own, {}", name, its->name),
                "a control is no release: give its people a dataset of their own");
  }
  if (const auto whose = controlled_by(db, released)) {
    throw Error(Code::kUsage, fmt::format("dataset {} is itself a control, of {}", of, whose->name),
                fmt::format("--control-of {}", whose->name));
  }
  if (const auto other = control_of(db, released)) {
    throw Error(Code::kUsage, fmt::format("dataset {} has a control already, {}", of, other->name),
                fmt::format("add the records to it: residue ingest dataset {} FILE", other->name));
  }
  db.prepare(storage::sql::kUpdateDatasetControlOf).run(control, released);
}

void require_apart(storage::WriteBatch& batch, DatasetId dataset, std::string_view name) {
  storage::Db& db = batch.db();
  const auto released = controlled_by(db, dataset);
  const auto other = released ? released : control_of(db, dataset);
  if (!other) return;
  Statement both = db.prepare(storage::sql::kRecordKeysAndPersonsOfBoth);
  both.bind(dataset, other->id).step();
  const std::int64_t keys = both.integer(0), persons = both.integer(1);
  both.reset();
  const std::int64_t texts = shared_texts(batch, dataset, other->id);
  if (keys + persons + texts == 0) return;
  std::vector<std::string> shared;
  if (keys > 0) shared.push_back(counted(keys, "id", "ids"));
  if (texts > 0) shared.push_back(counted(texts, "text", "texts"));
  if (persons > 0) shared.push_back(counted(persons, "person", "persons"));
  const std::string_view control = released ? name : std::string_view(other->name);
  const std::string_view whose = released ? std::string_view(released->name) : name;
  throw Error(Code::kBadInput,
              fmt::format("{} would be in {} and in {}, whose people were never in it", fmt::join(shared, ", "), whose,
                          control),
              "nothing of this file was stored: leave these records out of one of the two");
}

}  // namespace residue::ingest
