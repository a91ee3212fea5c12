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
#include "storage/catalog/results/metric.h"

namespace residue::query {
namespace {

using storage::Statement;

// Only current evaluations can be compared: a stale one is of inputs that are no longer there.
constexpr std::string_view kDump = storage::sql::kMetricsOfCurrentEvaluations;

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
