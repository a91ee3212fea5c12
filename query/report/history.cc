#include "query/report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/metric/metric_values.h"
#include "query/metric/metrics.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/metric_history.h"

namespace residue::query {
namespace {

constexpr std::string_view kHistory = storage::sql::kMetricHistoryOfDataset;

void check_metrics(const std::vector<std::string>& metrics) {
  for (const std::string& name : metrics) {
    if (find_metric(name)) continue;
    std::vector<std::string> known;
    for (const MetricDefinition& metric : metric_definitions()) known.emplace_back(metric.name);
    throw Error(Code::kUsage, fmt::format("no metric \"{}\"{}", name, did_you_mean(name, known)),
                "residue report --json lists all under \"definitions\"");
  }
}

std::optional<double> real(const storage::Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.real(column);
}

}  // namespace

std::vector<HistoryRow> load_history(storage::Store& store, const std::string& dataset,
                                     const std::vector<std::string>& metrics) {
  check_metrics(metrics);
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  if (!dataset.empty()) static_cast<void>(storage::find_dataset(db, dataset));
  storage::Statement find = db.prepare(kHistory);
  find.bind(dataset);
  std::vector<HistoryRow> rows;
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<double>> before;  // by evaluation and metric
  while (find.step()) {
    HistoryRow row;
    row.metric = std::string(find.text(6));
    if (std::find(metrics.begin(), metrics.end(), row.metric) == metrics.end()) continue;
    row.at_ms = find.integer(0);
    row.dataset = std::string(find.text(1));
    row.run = std::string(find.text(2));
    row.protocol = std::string(find.text(3));
    row.sample = static_cast<std::uint64_t>(find.integer(4));
    row.judge = std::string(find.text(5));
    row.value = real(find, 7);
    row.low = real(find, 8);
    row.high = real(find, 9);
    row.n = find.integer(10);
    row.failed = find.integer(11);
    row.missing = find.integer(12);
    auto& last = before[{find.integer(13), find.integer(14)}];
    if (last && row.value) row.change = told_difference(*row.value - *last);
    last = row.value;
    rows.push_back(std::move(row));
  }
  return rows;
}

bool evaluated(storage::Store& store, const std::string& dataset) {
  storage::Statement any = store.db().prepare(storage::sql::kMetricHistoryExists);
  return any.bind(dataset).step();
}

std::vector<HistoryRow> last_of_months(const std::vector<HistoryRow>& rows) {
  const auto month = [](const HistoryRow& row) {
    const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(row.at_ms)};
    const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(at)};
    return std::pair(static_cast<int>(date.year()), static_cast<unsigned>(date.month()));
  };
  using Series = std::tuple<std::string, std::string, std::string, std::uint64_t, std::string, std::string>;
  const auto series = [](const HistoryRow& row) {
    return Series{row.dataset, row.run, row.protocol, row.sample, row.judge, row.metric};
  };
  std::map<std::pair<Series, std::pair<int, unsigned>>, std::size_t> last;
  for (std::size_t i = 0; i < rows.size(); ++i) last[{series(rows[i]), month(rows[i])}] = i;
  std::vector<HistoryRow> kept;
  std::map<Series, std::optional<double>> before;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Series key = series(rows[i]);
    if (last.at({key, month(rows[i])}) != i) continue;
    HistoryRow row = rows[i];
    auto& value = before[key];
    row.change = value && row.value ? std::optional(told_difference(*row.value - *value)) : std::nullopt;
    value = row.value;
    kept.push_back(std::move(row));
  }
  return kept;
}

}  // namespace residue::query
