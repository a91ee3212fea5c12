#include "storage/catalog/repair/salvage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "storage/catalog/migration.h"
#include "storage/catalog/repair/cost.h"
#include "storage/catalog/repair/row_inserter.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/pages/tree.h"

namespace residue::storage {
namespace {

// Rows that an index still tells of: of record its dataset and key.
void name_lost_records(const PageImage& image, const std::vector<Tree>& trees, Db& fresh, Salvage& result) {
  const auto index = std::ranges::find(trees, "sqlite_autoindex_record_1", &Tree::name);
  if (index == trees.end()) return;
  Statement there = fresh.prepare("SELECT 1 FROM record WHERE id = ?1");
  Statement dataset = fresh.prepare("SELECT name FROM dataset WHERE id = ?1");
  TreeVisitor visitor;
  visitor.row = [&](const StoredRow& row) {  // dataset, key, id
    if (row.values.size() != 3) return;
    const auto* id = std::get_if<std::int64_t>(&row.values[2]);
    const auto* of = std::get_if<std::int64_t>(&row.values[0]);
    const auto* key = std::get_if<std::string>(&row.values[1]);
    if (id == nullptr || of == nullptr || key == nullptr) return;
    const bool kept = there.bind(*id).step();
    there.reset();
    if (kept) return;
    const bool known = dataset.bind(*of).step();
    result.named.push_back(fmt::format("record {}/{}", known ? dataset.text(0) : "?", *key));
    dataset.reset();
  };
  walk_tree(image, index->root, visitor);
  std::ranges::sort(result.named);
}

// Removes rows that refer to a row that is gone, again and again until there are none.
void drop_unattached(Db& db, Salvage& result) {
  std::vector<std::pair<std::string, std::string>> statements;
  Statement tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (tables.step()) {
    const std::string table(tables.text(0));
    Statement keys = db.prepare("SELECT \"from\", \"table\", coalesce(\"to\", 'id') FROM pragma_foreign_key_list(?1)");
    keys.bind(table);
    while (keys.step()) {
      statements.emplace_back(
          table, fmt::format("DELETE FROM {0} WHERE {1} IS NOT NULL AND {1} NOT IN (SELECT {3} FROM {2})", table,
                             keys.text(0), keys.text(1), keys.text(2)));
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (const auto& [table, sql] : statements) {
      db.run(sql.c_str());
      const std::int64_t rows = db.changes();
      if (rows == 0) continue;
      more = true;
      result.unattached[table] += rows;
      result.lost_from.insert(table);
    }
  }
}

void keep_sequences(const PageImage& image, const std::vector<Tree>& trees, Db& db) {
  const auto tree = std::ranges::find(trees, "sqlite_sequence", &Tree::name);
  if (tree == trees.end()) return;
  Statement raise = db.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
  Statement put = db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)");
  TreeVisitor visitor;
  visitor.row = [&](const StoredRow& row) {
    const auto* name = row.values.size() == 2 ? std::get_if<std::string>(&row.values[0]) : nullptr;
    const auto* last = row.values.size() == 2 ? std::get_if<std::int64_t>(&row.values[1]) : nullptr;
    if (name == nullptr || last == nullptr) return;
    raise.run(*name, *last);
    if (db.changes() == 0) put.run(*name, *last);
  };
  walk_tree(image, tree->root, visitor);
}

}  // namespace

Salvage salvage_catalog(const PageImage& image, const std::filesystem::path& fresh, int version) {
  const std::vector<Tree> trees = trees_of(image);
  Salvage result;
  const auto db = make_catalog(fresh, version);
  db->run("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE");
  std::vector<std::string> tables;
  {
    Statement names = db->prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (names.step()) tables.emplace_back(names.text(0));
  }
  for (const std::string& table : tables) {
    const auto tree = std::ranges::find_if(trees, [&](const Tree& t) { return !t.index && t.name == table; });
    if (tree == trees.end()) {
      result.lost_from.insert(table);
      continue;
    }
    RowInserter into(*db, table);
    TreeVisitor visitor;
    visitor.damaged = [&](std::uint32_t) { result.lost_from.insert(table); };
    visitor.row = [&](const StoredRow& row) {
      if (into.put(row)) {
        ++result.kept[table];
      } else {
        result.lost_from.insert(table);
      }
    };
    walk_tree(image, tree->root, visitor);
  }
  Statement identity = db->prepare("SELECT 1 FROM store_info WHERE key = 'uuid'");
  if (!identity.step()) {
    throw Error(Code::kCorrupt, "the catalog's list of tables or the store's identity cannot be read",
                "restore the last backup");
  }
  identity.reset();
  name_lost_records(image, trees, *db, result);
  drop_unattached(*db, result);
  keep_sequences(image, trees, *db);
  forget_what_depends_on(*db, result.lost_from);
  drop_unattached(*db, result);
  db->prepare(sql::kDeleteStoreInfoFileChanges).run();
  db->run("COMMIT; PRAGMA journal_mode=WAL");
  return result;
}

void forget_what_depends_on(Db& db, const std::set<std::string>& tables) {
  const bool numbers =
      std::ranges::any_of(tables, [](const auto& table) { return cost_of(table).loss != Loss::kRecord; });
  for (const std::string& table : tables) {
    const std::string_view content = cost_of(table).content;
    if (content.empty()) continue;
    const std::size_t dot = content.find('.');
    // Another content than any before: what was computed from those is not current.
    db.run(fmt::format("UPDATE {} SET {} = randomblob(16)", content.substr(0, dot), content.substr(dot + 1)).c_str());
  }
  if (!numbers) return;
  db.run(
      "DELETE FROM metric; DELETE FROM metric_reason; DELETE FROM aggregate; DELETE FROM scored; DELETE FROM link;"
      "DELETE FROM link_basis; DELETE FROM index_segment; DELETE FROM indexed; DELETE FROM claim_request;"
      "DELETE FROM auxiliary_query; UPDATE auxiliary SET content = x'';"
      "UPDATE evaluation SET run_content = x'', dataset_content = x'', claims_content = x''");
  // Attacks are made anew from their names.
  if (tables.contains("protocol") || tables.contains("protocol_input") || tables.contains("auxiliary")) {
    db.run(
        "DELETE FROM evaluation WHERE protocol_id <> 0; DELETE FROM protocol; DELETE FROM auxiliary;"
        "UPDATE dataset SET protocol_id = NULL");
  }
}

}  // namespace residue::storage
