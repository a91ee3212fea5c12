#include "query/report/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/inputs/snapshot.h"
#include "query/report/judged_run.h"

namespace residue::query {
namespace {

constexpr std::string_view kLeaks =
    "SELECT r.key, c.n, m.rating, c.category,"
    "  CASE u.kind WHEN 'synthetic' THEN (SELECT v.key FROM variant v WHERE v.id = l.linked_id)"
    "              ELSE (SELECT o.key FROM record o WHERE o.id = l.linked_id) END,"
    "  CASE WHEN u.kind <> 'synthetic' THEN l.linked_id = l.record_id END, c.text_id, m.passage_id"
    " FROM link l JOIN run u ON u.id = l.run_id JOIN record r ON r.id = l.record_id"
    " JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id"
    " JOIN auxiliary_query q ON q.auxiliary_id = a.id AND q.record_id = l.record_id"
    " JOIN claim c ON c.claim_set_id = a.claim_set_id AND c.record_id = l.record_id"
    " JOIN judge j ON j.id = ?3"
    " JOIN judgment m ON m.judge_id = ?3 AND m.claim_id = c.text_id AND m.passage_id = CASE u.kind"
    "  WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE v.run_id = l.run_id AND v.record_id = l.linked_id)"
    "  WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE v.id = l.linked_id)"
    "  WHEN 'none' THEN (SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END"
    " AND m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t"
    "  WHERE t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = c.record_id"
    "  AND t.n = c.n) END"
    " WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND m.rating <= 2"
    "  AND (u.kind <> 'aligned' OR EXISTS (SELECT 1 FROM variant v WHERE v.run_id = l.run_id"
    "       AND v.record_id = l.record_id AND v.text_id IS NOT NULL))"
    "  AND NOT EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value = c.n)";

// Throws Error{not found} unless some claim that is judged has the category.
void require_category(storage::Db& db, const Lens& lens, const LeakOptions& options) {
  std::set<std::string> known;
  storage::Statement all = db.prepare(
      "SELECT DISTINCT c.category FROM claim c JOIN auxiliary a ON a.claim_set_id = c.claim_set_id"
      " JOIN protocol p ON p.auxiliary_id = a.id WHERE p.id = ?1 AND c.category IS NOT NULL");
  all.bind(lens.protocol);
  while (all.step()) {
    for (std::string& name : category_names(all.text(0))) known.insert(std::move(name));
  }
  if (known.count(options.category) != 0) return;
  if (known.empty()) {
    throw Error(Code::kNotFound,
                fmt::format("no claim of the set \"{}\" of {} has a category", lens.spec.claim_set, options.dataset),
                "ingest claims with the field \"category\", an array of names");
  }
  const std::vector<std::string> names(known.begin(), known.end());
  throw Error(
      Code::kNotFound,
      fmt::format("no claim has the category \"{}\"{}", options.category, did_you_mean(options.category, names)),
      fmt::format("categories: {}", fmt::join(names, ", ")));
}

}  // namespace

std::vector<Leak> read_leaks(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge) {
  storage::Statement find = db.prepare(kLeaks);
  find.bind(run, protocol, judge);
  std::vector<Leak> leaks;
  while (find.step()) {
    Leak leak;
    leak.record = std::string(find.text(0));
    leak.n = static_cast<std::uint32_t>(find.integer(1));
    leak.rating = static_cast<std::uint8_t>(find.integer(2));
    leak.categories = category_names(find.text(3));
    leak.linked = std::string(find.text(4));
    if (!find.is_null(5)) leak.right = find.integer(5) != 0;
    leak.claim_text = find.id<TextId>(6);
    leak.linked_text = find.id<TextId>(7);
    leaks.push_back(std::move(leak));
  }
  return leaks;
}

Leaks load_leaks(storage::Store& store, const LeakOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Leaks result;
  result.lens = find_lens(db, options.dataset, options.protocol, options.judge);
  const JudgedRun run = judged_run(db, result.lens, options.run);
  if (!options.category.empty()) require_category(db, result.lens, options);
  result.stale = run.stale;
  result.leaks = read_leaks(db, run.id, result.lens.protocol, result.lens.judge);
  std::map<std::string, std::uint32_t> per_record;
  for (const Leak& leak : result.leaks) ++per_record[leak.record];
  if (!options.category.empty()) {
    std::erase_if(result.leaks, [&](const Leak& leak) {
      return std::find(leak.categories.begin(), leak.categories.end(), options.category) == leak.categories.end();
    });
  }
  for (Leak& leak : result.leaks) leak.of_record = per_record[leak.record];
  std::sort(result.leaks.begin(), result.leaks.end(), [](const Leak& a, const Leak& b) {
    return std::tie(a.rating, b.of_record, a.record, a.n) < std::tie(b.rating, a.of_record, b.record, b.n);
  });
  result.total = result.leaks.size();
  result.records = per_record.size();
  if (options.limit != 0 && result.leaks.size() > options.limit) result.leaks.resize(options.limit);
  return result;
}

}  // namespace residue::query
