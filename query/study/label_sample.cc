#include "query/study/label_sample.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "query/report/judged_run.h"

namespace residue::query {
namespace {

// All judged claims outside the auxiliary set of records that were linked.
constexpr std::string_view kJudged =
    "SELECT r.key, c.n, m.rating, c.text_id, m.passage_id"
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
    " WHERE l.run_id = ?1 AND l.protocol_id = ?2"
    "  AND NOT EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value = c.n)";

std::uint64_t draw_of(const LabelItem& item, std::uint64_t seed) { return hash_of(seed, item.record, item.n); }

// Best first: a record's first claim before any record's second.
std::vector<LabelItem> queue_of(std::vector<LabelItem> items, std::uint64_t seed) {
  const auto before = [seed](const LabelItem& a, const LabelItem& b) {
    return std::tuple(draw_of(a, seed), a.record, a.n) < std::tuple(draw_of(b, seed), b.record, b.n);
  };
  std::sort(items.begin(), items.end(), before);
  std::map<std::string, std::uint32_t> turns;
  std::vector<std::pair<std::uint32_t, LabelItem>> ordered;
  for (LabelItem& item : items) {
    const std::uint32_t turn = turns[item.record]++;
    ordered.emplace_back(turn, std::move(item));
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LabelItem> queue;
  for (auto& [turn, item] : ordered) queue.push_back(std::move(item));
  return queue;
}

}  // namespace

LabelSample draw_labels(storage::Store& store, const LabelOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  LabelSample result;
  result.lens = find_lens(db, options.dataset, options.protocol, options.judge);
  const JudgedRun run = judged_run(db, result.lens, options.run);
  result.stale = run.stale;
  storage::Statement find = db.prepare(kJudged);
  find.bind(run.id, result.lens.protocol, result.lens.judge);
  std::array<std::vector<LabelItem>, 3> strata;
  while (find.step()) {
    LabelItem item;
    item.record = std::string(find.text(0));
    item.n = static_cast<std::uint32_t>(find.integer(1));
    item.rating = static_cast<std::uint8_t>(find.integer(2));
    item.claim_text = find.id<TextId>(3);
    item.passage = find.id<TextId>(4);
    strata[item.rating - 1].push_back(std::move(item));
    ++result.judged;
  }
  for (auto& stratum : strata) stratum = queue_of(std::move(stratum), options.seed);
  std::array<std::size_t, 3> taken{};
  for (std::size_t k = 0; result.items.size() < std::min<std::size_t>(options.sample, result.judged); ++k) {
    auto& stratum = strata[k % 3];
    if (taken[k % 3] < stratum.size()) result.items.push_back(stratum[taken[k % 3]++]);
  }
  std::sort(result.items.begin(), result.items.end(), [&](const LabelItem& a, const LabelItem& b) {
    return std::tuple(draw_of(a, options.seed + 1), a.record, a.n) <
           std::tuple(draw_of(b, options.seed + 1), b.record, b.n);
  });
  return result;
}

}  // namespace residue::query
