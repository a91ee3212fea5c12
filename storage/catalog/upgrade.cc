#include "storage/catalog/upgrade.h"

#include <string>
#include <string_view>

#include "base/error.h"
#include "storage/catalog/schema.h"

namespace residue::storage {
namespace {

// What the schema says from the words `first` to the words `last`.
std::string of_schema(std::string_view first, std::string_view last) {
  const std::string_view schema = embedded_schema();
  const std::size_t begin = schema.find(first), end = schema.find(last, begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    throw Error(Code::kInternal, "the schema has lost a table", "please report this");
  }
  return std::string(schema.substr(begin, end + last.size() - begin));
}

}  // namespace

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
