#include "storage/catalog/references.h"

#include <string_view>

namespace residue::storage {
namespace {

// Every column that names a text; a new one must be added here (a test compares this list with the schema).
constexpr std::string_view kReferenced =
    "SELECT text_id FROM record UNION SELECT task_id FROM record WHERE task_id IS NOT NULL "
    "UNION SELECT meta_id FROM record WHERE meta_id IS NOT NULL UNION SELECT text_id FROM claim "
    "UNION SELECT subject_id FROM label UNION SELECT payload_id FROM label "
    "UNION SELECT text_id FROM variant WHERE text_id IS NOT NULL "
    "UNION SELECT substitutions_id FROM variant WHERE substitutions_id IS NOT NULL "
    "UNION SELECT spans_id FROM variant WHERE spans_id IS NOT NULL "
    "UNION SELECT text_id FROM run_claim UNION SELECT text_id FROM auxiliary_query "
    "UNION SELECT answer_id FROM task_answer WHERE answer_id IS NOT NULL";

// What was computed here can be computed again; what was paid for keeps its texts.
constexpr std::string_view kPaid =
    "SELECT passage_id FROM judgment WHERE judge_id IN (SELECT id FROM judge WHERE NOT embedded) "
    "UNION SELECT claim_id FROM judgment WHERE judge_id IN (SELECT id FROM judge WHERE NOT embedded) "
    "UNION SELECT e.value FROM request q, json_each(q.claims) e";

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
