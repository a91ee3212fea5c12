#include "storage/catalog/references.h"

#include <string_view>

#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/sources/record.h"

namespace residue::storage {
namespace {

// Every column that names a text; a new one must be added here (a test compares this list with the schema).
constexpr std::string_view kReferenced = sql::kRecordTextsWithAllOtherTexts;

// What was computed here can be computed again; what was paid for keeps its texts.
constexpr std::string_view kPaid = sql::kJudgmentTextsPaidFor;

void add(Db& db, std::string_view sql, std::unordered_set<std::int64_t>& ids) {
  Statement statement = db.prepare(sql);
  while (statement.step()) ids.insert(statement.integer(0));
}

}  // namespace

std::unordered_set<std::int64_t> named_texts(Db& db) {
  std::unordered_set<std::int64_t> ids;
  add(db, kReferenced, ids);
  return ids;
}

std::unordered_set<std::int64_t> referenced_texts(Db& db) {
  std::unordered_set<std::int64_t> ids = named_texts(db);
  add(db, kPaid, ids);
  return ids;
}

}  // namespace residue::storage
