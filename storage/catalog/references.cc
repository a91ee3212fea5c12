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

}  // namespace

std::unordered_set<std::int64_t> referenced_texts(Db& db) {
  std::unordered_set<std::int64_t> ids;
  for (const std::string_view sql : {kReferenced, kPaid}) {
    Statement statement = db.prepare(sql);
    while (statement.step()) ids.insert(statement.integer(0));
  }
  return ids;
}

}  // namespace residue::storage
