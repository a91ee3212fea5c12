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
#include "storage/catalog/answers/judgment.h"

namespace residue::query {
namespace {

// All judged claims outside the auxiliary set of records that were linked.
constexpr std::string_view kJudged = storage::sql::kJudgmentsOfLinkedRecordsOfRun;

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

std::vector<LabelItem> judged_items(storage::Db& db, const Lens& lens, RunId run) {
  storage::Statement find = db.prepare(kJudged);
  find.bind(run, lens.protocol, lens.judge);
  std::vector<LabelItem> items;
  while (find.step()) {
    LabelItem item;
    item.record = std::string(find.text(0));
    item.n = static_cast<std::uint32_t>(find.integer(1));
    item.rating = static_cast<std::uint8_t>(find.integer(2));
    item.claim_text = find.id<TextId>(3);
    item.passage = find.id<TextId>(4);
    item.request = find.id<RequestId>(5);
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<LabelItem> draw_items(std::vector<LabelItem> judged, std::size_t sample, std::uint64_t seed) {
  const std::size_t wanted = std::min(sample, judged.size());
  std::array<std::vector<LabelItem>, 3> strata;
  for (LabelItem& item : judged) strata[item.rating - 1].push_back(std::move(item));
  for (auto& stratum : strata) stratum = queue_of(std::move(stratum), seed);
  std::array<std::size_t, 3> taken{};
  std::vector<LabelItem> items;
  for (std::size_t k = 0; items.size() < wanted; ++k) {
    auto& stratum = strata[k % 3];
    if (taken[k % 3] < stratum.size()) items.push_back(stratum[taken[k % 3]++]);
  }
  std::sort(items.begin(), items.end(), [&](const LabelItem& a, const LabelItem& b) {
    return std::tuple(draw_of(a, seed + 1), a.record, a.n) < std::tuple(draw_of(b, seed + 1), b.record, b.n);
  });
  return items;
}

LabelSample draw_labels(storage::Store& store, const LabelOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  LabelSample result;
  result.lens = find_lens(db, options.dataset, options.protocol, options.judge);
  const JudgedRun run = judged_run(db, result.lens, options.run);
  result.stale = run.stale;
  std::vector<LabelItem> judged = judged_items(db, result.lens, run.id);
  result.judged = judged.size();
  result.items = draw_items(std::move(judged), options.sample, options.seed);
  return result;
}

}  // namespace residue::query
