#include "storage/catalog/repair/text_owners.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace residue::storage {
namespace {

// A column that names a text, and a SELECT of (text, what names it) with {} for the condition on the text.
struct Reference {
  const char* table;
  const char* column;
  const char* names;
};

constexpr const char* kOfRecord = "FROM record t JOIN dataset d ON d.id = t.dataset_id WHERE ";
constexpr const char* kOfVariant =
    "FROM variant t JOIN run r ON r.id = t.run_id JOIN dataset d ON d.id = r.dataset_id "
    "LEFT JOIN record o ON o.id = t.record_id WHERE ";
constexpr const char* kOfLabel =
    "FROM label t JOIN dataset d ON d.id = t.dataset_id JOIN record o ON o.id = t.record_id WHERE ";

constexpr Reference kReferences[] = {
    {"record", "text_id", "'record ' || d.name || '/' || t.key"},
    {"record", "task_id", "'the task of record ' || d.name || '/' || t.key"},
    {"record", "meta_id", "'other fields of record ' || d.name || '/' || t.key"},
    {"variant", "text_id", "'record ' || coalesce(o.key, t.key) || ' in run ' || d.name || '/' || r.name"},
    {"variant", "substitutions_id",
     "'replacements of record ' || coalesce(o.key, t.key) || ' in run ' || d.name || '/' || r.name"},
    {"variant", "spans_id", "'spans of record ' || coalesce(o.key, t.key) || ' in run ' || d.name || '/' || r.name"},
    {"claim", "text_id", "'claim ' || d.name || '/' || o.key || '#' || t.n"},
    {"run_claim", "text_id",
     "'claim ' || t.n || ' of record ' || coalesce(o.key, v.key) || ' in run ' || d.name || '/' || r.name"},
    {"label", "subject_id", "'a label of record ' || d.name || '/' || o.key"},
    {"label", "payload_id", "'a label of record ' || d.name || '/' || o.key"},
    {"auxiliary_query", "text_id", "'what the attacker knows of record ' || d.name || '/' || o.key"},
    {"task_answer", "answer_id",
     "'an answer of ' || t.model || ' to ' || t.task || ' about run ' || d.name || '/' || r.name"},
    {"judgment", "passage_id", "'a passage that was judged'"},
    {"judgment", "claim_id", "'a claim that was judged'"},
    {"judgment_sample", "passage_id", "'a passage that was judged'"},
    {"judgment_sample", "claim_id", "'a claim that was judged'"},
    {"vector", "text_id", "'a text that has a vector'"},
};

std::string from(std::string_view table) {
  if (table == "record") return kOfRecord;
  if (table == "variant") return kOfVariant;
  if (table == "label") return kOfLabel;
  if (table == "claim") {
    return "FROM claim t JOIN record o ON o.id = t.record_id JOIN dataset d ON d.id = o.dataset_id WHERE ";
  }
  if (table == "run_claim") {
    return "FROM run_claim t JOIN variant v ON v.id = t.variant_id JOIN run r ON r.id = v.run_id "
           "JOIN dataset d ON d.id = r.dataset_id LEFT JOIN record o ON o.id = v.record_id WHERE ";
  }
  if (table == "auxiliary_query") {
    return "FROM auxiliary_query t JOIN record o ON o.id = t.record_id JOIN dataset d ON d.id = o.dataset_id WHERE ";
  }
  if (table == "task_answer") {
    return "FROM task_answer t JOIN run r ON r.id = t.run_id JOIN dataset d ON d.id = r.dataset_id WHERE ";
  }
  return fmt::format("FROM {} t WHERE ", table);
}

class TextList {
 public:
  TextList(Db& db, const std::set<std::int64_t>& texts) : db_(db) {
    db_.run("CREATE TEMP TABLE IF NOT EXISTS sought_text (id INTEGER PRIMARY KEY); DELETE FROM temp.sought_text");
    Statement put = db_.prepare("INSERT INTO temp.sought_text VALUES (?1)");
    for (const std::int64_t text : texts) put.run(text);
  }
  TextList(const TextList&) = delete;
  TextList& operator=(const TextList&) = delete;
  ~TextList() {
    try {
      db_.run("DELETE FROM temp.sought_text");
    } catch (const Error&) {  // It goes with the connection.
    }
  }

 private:
  Db& db_;
};

std::string condition(const Reference& reference) {
  return fmt::format("t.{} IN (SELECT id FROM temp.sought_text)", reference.column);
}

}  // namespace

std::map<std::int64_t, std::vector<std::string>> owners_of_texts(Db& db, const std::set<std::int64_t>& texts) {
  std::map<std::int64_t, std::vector<std::string>> owners;
  if (texts.empty()) return owners;
  const TextList list(db, texts);
  for (const Reference& reference : kReferences) {
    Statement find = db.prepare(fmt::format("SELECT DISTINCT t.{}, {} {}{} ORDER BY 1, 2", reference.column,
                                            reference.names, from(reference.table), condition(reference)));
    while (find.step()) owners[find.integer(0)].emplace_back(find.text(1));
  }
  return owners;
}

std::map<std::string, std::int64_t> remove_rows_of_texts(Db& db, const std::set<std::int64_t>& texts) {
  std::map<std::string, std::int64_t> removed;
  if (texts.empty()) return removed;
  const TextList list(db, texts);
  for (const Reference& reference : kReferences) {
    db.run(fmt::format("DELETE FROM main.{0} AS t WHERE {1}", reference.table, condition(reference)).c_str());
    if (const std::int64_t rows = db.changes(); rows > 0) removed[reference.table] += rows;
  }
  return removed;
}

}  // namespace residue::storage
