// metric_dump of recompute.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/evaluate/recompute.h"
#include "query/inputs/labels.h"
#include "query/metric/metrics.h"

namespace residue::query {
namespace {

using storage::Statement;

// Only current evaluations can be compared: a stale one is of inputs that are no longer there.
constexpr std::string_view kDump =
    "SELECT d.name, r.name, e.tier, coalesce(p.name, ''), coalesce(p.sample, 0), coalesce(j.name, a.model, b.name, "
    "''), "
    "f.name, "
    "m.slice, "
    "m.value, m.low, m.high, m.n, m.failed, m.missing, m.not_applicable, m.if_leaked, m.if_private, m.drop_value, "
    "m.drop_low, m.drop_high, m.units, m.drop_units, e.claims_content, d.id "
    "FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id "
    "JOIN dataset d ON d.id = r.dataset_id JOIN metric_definition f ON f.id = m.metric "
    "LEFT JOIN protocol p ON p.id = e.protocol_id LEFT JOIN judge j ON j.id = e.judge_id AND e.tier NOT IN "
    "('task', 'corpus', 'vector') LEFT JOIN embedder b ON b.id = e.judge_id AND e.tier IN ('corpus', 'vector') "
    "LEFT JOIN answer_set a ON a.id = e.judge_id AND e.tier = 'task' LEFT JOIN answer_content y ON y.set_id = a.id "
    "LEFT JOIN attack_content x ON x.run_id = e.run_id AND x.protocol_id = e.protocol_id "
    "LEFT JOIN judged_content g ON g.run_id = e.run_id AND g.protocol_id = e.protocol_id AND g.judge_id = e.judge_id "
    "AND e.tier = 'judge' "
    "LEFT JOIN vector_content v ON v.run_id = e.run_id AND v.protocol_id = e.protocol_id AND v.embedder_id = "
    "e.judge_id "
    "AND e.tier = 'vector' "
    "WHERE e.definitions = ?1 AND e.run_content = r.content AND e.dataset_content = d.content "
    "AND (a.id IS NULL OR e.claims_content = y.content) "
    "AND (e.tier <> 'corpus' OR e.claims_content = "
    "(SELECT c.content FROM corpus_content c WHERE c.evaluation_id = e.id)) "
    "AND (p.id IS NULL OR e.claims_content = CASE e.tier WHEN 'judge' THEN g.content WHEN 'vector' THEN v.content ELSE "
    "x.content END) "
    // The rest is computed again beside judgments that can be.
    "AND (e.tier IN ('judge', 'corpus') OR EXISTS (SELECT 1 FROM evaluation o "
    "JOIN judged_content z ON z.run_id = o.run_id AND z.protocol_id = o.protocol_id AND z.judge_id = o.judge_id "
    "WHERE o.run_id = e.run_id AND o.tier = 'judge' AND (e.tier NOT IN ('link', 'vector') OR o.protocol_id = "
    "e.protocol_id) "
    "AND o.definitions = ?1 AND o.run_content = r.content AND o.dataset_content = d.content "
    "AND o.claims_content = z.content)) "
    "AND (f.name <> 'sentiment_accuracy' OR e.claims_content = ?2)";

std::string number(const Statement& row, int column) {
  return row.is_null(column) ? "-" : fmt::format("{}", row.real(column));
}

}  // namespace

std::vector<std::string> metric_dump(storage::Store& store, const SentimentLexicon* sentiment) {
  std::vector<std::string> lines;
  Statement rows = store.db().prepare(kDump);
  const std::string lexicon = sentiment == nullptr ? "" : sentiment->digest;
  rows.bind(kDefinitions, Statement::Blob{lexicon});
  std::map<std::int64_t, std::string> labels;  // by dataset
  while (rows.step()) {
    const int last = rows.columns() - 2;
    if (rows.text(2) == tier_name(Tier::kLabel)) {
      const auto [known, is_new] = labels.try_emplace(rows.integer(last + 1));
      if (is_new) known->second = label_content(store.db(), DatasetId{rows.integer(last + 1)});
      if (rows.text(last) != known->second) continue;
    }
    std::string line;
    for (int column = 0; column < 8; ++column) line += fmt::format("{}\t", rows.text(column));
    for (int column = 8; column < last; ++column) line += fmt::format("{}\t", number(rows, column));
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace residue::query
