#include "tests/query/history/history_edits.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ingest/files/remove.h"
#include "ingest/files/remove_record.h"

namespace residue::query::testing {
namespace {

using ingest::ClaimsRow;
using ingest::RecordRow;
using ingest::VariantRow;

constexpr std::size_t kMaxRecords = 20;

std::string new_key(const Dataset& dataset, Dice& dice) {
  std::string key;
  do {
    key = fmt::format("{}{}", dice.one_in(5) ? "ä" : "r", dice.below(1000));
  } while (dataset.records.count(key) != 0);
  return key;
}

Record new_record(Dice& dice) {
  Record record{dice.text(), std::nullopt};
  if (dice.one_in(3)) record.person = fmt::format("p{}", dice.below(3));
  return record;
}

}  // namespace

void change_records(Dataset& dataset, Dice& dice, Writer& writer, bool edit) {
  std::vector<RecordRow> rows;
  if (edit) {
    for (auto& [key, record] : dataset.records) {
      if (!dice.one_in(4)) continue;
      const bool person = dice.one_in(3);
      if (person) {
        record.person = dice.one_in(2) ? std::nullopt : std::optional(fmt::format("p{}", dice.below(3)));
      } else {
        record.text = dice.text();
      }
      // A row may leave out what stays, and must say so where something goes.
      RecordRow& row = rows.emplace_back(row_of(key, record));
      row.empties[static_cast<std::size_t>(ingest::RecordField::kPerson)] = !record.person;
      if (dice.one_in(2)) {
        row.task.reset();
        if (person) row.text.reset();
        if (!person) {
          row.person.reset();
          row.empties = {};
        }
      }
    }
  }
  const std::uint64_t fresh = 1 + dice.below(5);
  for (std::uint64_t i = 0; i < fresh && dataset.records.size() < kMaxRecords; ++i) {
    const std::string key = new_key(dataset, dice);
    rows.push_back(row_of(key, dataset.records[key] = new_record(dice)));
  }
  dice.shuffle(rows);
  if (!edit) writer.append();
  writer.records(std::move(rows));
}

void change_claims(Dataset& dataset, Dice& dice, Writer& writer, bool arrays) {
  std::vector<ClaimsRow> rows;
  for (const auto& [key, record] : dataset.records) {
    if (dice.one_in(2)) continue;
    auto& claims = dataset.claims[key];
    ClaimsRow row;
    row.record = key;
    row.replaces = arrays;
    if (arrays) {
      claims.clear();
      const std::uint64_t count = dice.below(6);
      for (std::uint64_t i = 0; i < count; ++i) {
        row.claims.push_back(
            {claims[static_cast<std::uint32_t>(i + 1)] = dice.words(1, 3), std::nullopt, std::nullopt});
      }
    } else {  // Positions may leave gaps.
      const auto n = static_cast<std::uint32_t>(1 + dice.below(6));
      row.claims.push_back({claims[n] = dice.words(1, 3), n, std::nullopt});
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  dataset.ingested_claims = true;
  dice.shuffle(rows);
  writer.claims(std::move(rows));
}

void change_aligned(Dataset& dataset, Dice& dice, Writer& writer) {
  const std::string name = fmt::format("run{}", dice.below(3));
  const bool fresh = dataset.runs.count(name) == 0;
  Run& run = dataset.runs[name];
  if (fresh) run.removes_everything = dice.one_in(4);
  dataset.before[name] = run;
  std::vector<VariantRow> rows;
  for (const auto& [key, record] : dataset.records) {
    if (dice.one_in(fresh ? 8 : 2)) continue;
    std::optional<std::string> text;
    switch (dice.below(6)) {
      case 0:
        break;
      case 1:
        text = "";
        break;
      case 2:
      case 3:
        text = record.text;
        break;
      default:
        text = dice.words(1, 5);
    }
    rows.push_back(row_of(key, text));
    run.variants[key] = text;
  }
  if (rows.empty()) {
    if (fresh) dataset.runs.erase(name);
    return;
  }
  dice.shuffle(rows);
  writer.run(name, run, std::move(rows));
}

void restore_run(Dataset& dataset, Dice& dice, Writer& writer) {
  if (dataset.before.empty()) return;
  const auto& [name, old] = *dice.pick(dataset.before);
  const auto found = dataset.runs.find(name);
  if (found == dataset.runs.end() || old.variants.empty()) return;
  std::vector<VariantRow> rows;
  for (const auto& [key, text] : old.variants) {
    rows.push_back(row_of(key, text));
    found->second.variants[key] = text;
  }
  writer.run(name, found->second, std::move(rows));
}

void change_synthetic(Dataset& dataset, Dice& dice, Writer& writer) {
  const std::string name = fmt::format("synthetic{}", dice.below(2));
  Run& run = dataset.runs[name];
  run.synthetic = true;
  dataset.before[name] = run;
  const bool keyed = dice.one_in(2);
  std::vector<VariantRow> rows;
  std::set<std::string> used;
  const std::uint64_t count = 1 + dice.below(8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string key = keyed ? fmt::format("s{}", dice.below(12)) : std::to_string(rows.size() + 1);
    if (!used.insert(key).second) continue;
    auto text = dice.one_in(6) ? std::nullopt : std::optional(dice.words(1, 5));
    rows.push_back(row_of(key, text));
    if (!keyed) rows.back().key.reset();
    run.variants[key] = text;
  }
  writer.run(name, run, std::move(rows));
}

void remove_record(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store) {
  if (dataset.records.size() < 2) return;
  const std::string key = dice.pick(dataset.records)->first;
  for (const auto& [_, run] : dataset.runs) {
    if (!run.synthetic && run.variants.size() == 1 && run.variants.contains(key)) return;
  }
  if (dataset.ingested_claims && dataset.claims.size() == 1 && dataset.claims.contains(key)) return;
  dataset.records.erase(key);
  dataset.claims.erase(key);
  for (auto* runs : {&dataset.runs, &dataset.before}) {
    for (auto& [_, run] : *runs) {
      if (!run.synthetic) run.variants.erase(key);
    }
  }
  if (store == nullptr) return;
  try {
    ingest::remove_record(*store, name, key);
  } catch (const Error& error) {  // The killed child had removed it.
    if (error.code() != Code::kNotFound) throw;
  }
}

void remove_run(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store) {
  if (dataset.runs.empty()) return;
  const std::string run = dice.pick(dataset.runs)->first;
  dataset.runs.erase(run);
  dataset.before.erase(run);
  if (store == nullptr) return;
  try {
    ingest::remove_run(*store, name, run);
  } catch (const Error& error) {  // The killed child had removed it.
    if (error.code() != Code::kNotFound) throw;
  }
}

}  // namespace residue::query::testing
