#include "storage/catalog/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/catalog/schema.h"
#include "storage/catalog/sources/store_info.h"

namespace residue::storage {
namespace {

// The value of a column in rows of stores older than format `before`: their table lacks it, or meant something else.
struct Rule {
  int before;
  const char* table;
  const char* column;
  const char* value;
};

constexpr Rule kRules[] = {
    {3, "evaluation", "judge_id", "CASE WHEN tier = 'judge' THEN judge_id END"},
    {3, "evaluation", "answer_set_id", "CASE WHEN tier = 'task' THEN judge_id END"},
    {3, "evaluation", "embedder_id", "CASE WHEN tier IN ('corpus', 'vector') THEN nullif(judge_id, 0) END"},
    // These numbers have become stale: they are computed again before anything is added to them.
    {4, "aggregate", "unknown", "0"},
    {4, "metric_definition", "optional", "0"},
};

std::vector<std::string> column(Db& db, const std::string& sql) {
  std::vector<std::string> all;
  Statement rows = db.prepare(sql);
  while (rows.step()) all.emplace_back(rows.text(0));
  return all;
}

// Names of tables and columns are ours: they come from a schema of residue.
std::vector<std::string> tables(Db& db, const char* schema) {
  return column(db, fmt::format("SELECT name FROM {}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                                "ORDER BY rowid",
                                schema));
}

std::vector<std::string> columns(Db& db, const char* schema, const std::string& table) {
  return column(db, fmt::format("SELECT name FROM {}.pragma_table_info('{}', '{}')", "main", table, schema));
}

void copy_table(Db& db, const std::string& table, int from) {
  const std::vector<std::string> before = columns(db, "old", table);
  std::string names, values;
  for (const std::string& name : columns(db, "main", table)) {
    const auto* rule = std::ranges::find_if(
        kRules, [&](const Rule& r) { return from < r.before && table == r.table && name == r.column; });
    const bool there = std::ranges::find(before, name) != before.end();
    if (rule == std::end(kRules) && !there) continue;  // the schema's default
    names += (names.empty() ? "" : ", ") + name;
    values += (values.empty() ? "" : ", ") + (rule == std::end(kRules) ? name : std::string(rule->value));
  }
  db.run(fmt::format("INSERT INTO main.{0} ({1}) SELECT {2} FROM old.{0}", table, names, values).c_str());
}

// Ids that were given once are not given again, where the older table promised that.
void copy_sequences(Db& db) {
  if (column(db, "SELECT name FROM old.sqlite_master WHERE name = 'sqlite_sequence'").empty()) return;
  db.run(
      "UPDATE main.sqlite_sequence SET seq = max(seq, coalesce((SELECT o.seq FROM old.sqlite_sequence o "
      "WHERE o.name = main.sqlite_sequence.name), 0))");
  db.run(
      "INSERT INTO main.sqlite_sequence (name, seq) SELECT o.name, o.seq FROM old.sqlite_sequence o WHERE o.name NOT "
      "IN "
      "(SELECT name FROM main.sqlite_sequence) AND o.name IN (SELECT name FROM main.sqlite_master)");
}

}  // namespace

std::unique_ptr<Db> make_catalog(const std::filesystem::path& file, int version) {
  auto db = std::make_unique<Db>(file, DbMode::kCreate);
  db->run("BEGIN IMMEDIATE");
  db->run(std::string(embedded_schema()).c_str());
  db->run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, version).c_str());
  db->run("COMMIT");
  return db;
}

void migrate_catalog(const std::filesystem::path& old, int from, const std::filesystem::path& fresh, int to,
                     const std::function<void(const std::string&)>& progress) {
  const auto db = make_catalog(fresh, to);
  db->prepare("ATTACH ?1 AS old").run(database_uri(old, DbMode::kUnchecked) + "&mode=ro");
  db->run("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE");
  const std::vector<std::string> there = tables(*db, "old");
  for (const std::string& table : tables(*db, "main")) {
    if (std::ranges::find(there, table) == there.end()) continue;
    if (progress) progress("table " + table);
    copy_table(*db, table, from);
  }
  copy_sequences(*db);
  db->prepare(sql::kDeleteStoreInfoFileChanges).run();
  Statement broken = db->prepare("PRAGMA main.foreign_key_check");
  if (broken.step()) {
    throw Error(Code::kCorrupt, fmt::format("a row of table {} refers to a row that does not exist", broken.text(0)),
                "the store was damaged before: restore a backup of it and migrate that");
  }
  broken.reset();
  db->run("COMMIT; DETACH old; PRAGMA main.journal_mode=WAL");
}

}  // namespace residue::storage
