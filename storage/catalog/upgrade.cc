#include "storage/catalog/upgrade.h"

#include <string_view>

#include "storage/catalog/schema.h"

namespace residue::storage {
// Answers were of records alone, before those about texts that belong to none.
bool needs_upgrade(Db& db) {
  Statement find = db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'task_answer'");
  return find.step() && find.text(0).find("REFERENCES record") != std::string_view::npos;
}

void upgrade(Db& db) {
  if (!needs_upgrade(db)) return;
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
