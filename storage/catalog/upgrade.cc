#include "storage/catalog/upgrade.h"

#include <string>
#include <string_view>

#include "storage/catalog/schema.h"

namespace residue::storage {
namespace {

// Answers were of records alone, before those about texts that belong to none.
bool has_old_answers(Db& db) {
  Statement find = db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'task_answer'");
  return find.step() && find.text(0).find("REFERENCES record") != std::string_view::npos;
}

}  // namespace

bool has_erasure_tables(Db& db) {
  Statement find = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'backup'");
  return find.step();
}

void make_erasure_tables(Db& db) {
  if (has_erasure_tables(db)) return;
  for (const char* table : {"vote_text", "erased_vote", "erasure", "backup"}) {
    db.run(of_schema(std::string("CREATE TABLE IF NOT EXISTS ") + table + " (", ";\n").c_str());
  }
}

bool needs_upgrade(Db& db) { return has_old_answers(db) || !has_erasure_tables(db); }

void upgrade(Db& db) {
  make_erasure_tables(db);
  if (!has_old_answers(db)) return;
  db.run("CREATE TEMP TABLE kept_answer AS SELECT run_id, record_id, model, task, answer_id, about FROM task_answer");
  db.run("DROP TABLE task_answer");
  db.run(of_schema("CREATE TABLE task_answer (", "STRICT, WITHOUT ROWID;").c_str());
  db.run(of_schema("CREATE INDEX task_answer_by_record", "(record_id);").c_str());
  db.run(of_schema("CREATE TRIGGER task_answer_of_record", "END;").c_str());
  db.run(of_schema("CREATE TRIGGER task_answer_of_text", "END;").c_str());
  db.run(
      "INSERT INTO task_answer (run_id, record_id, model, task, answer_id, about) "
      "SELECT run_id, record_id, model, task, answer_id, about FROM kept_answer");
  db.run("DROP TABLE kept_answer");
}

}  // namespace residue::storage
