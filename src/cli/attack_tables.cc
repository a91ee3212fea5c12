#include "cli/attack_tables.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Policy;
using query::Report;
using query::ReportRun;

// Where an attacker's number goes: the row beside the run, and the column. `order` sorts columns.
struct Place {
  std::string row;
  std::string column;
  int order = 0;
};

std::string attack_of(const Report& report) {
  return report.spec.linker_name() + (report.spec.claim_set.empty() ? "" : "/" + report.spec.claim_set);
}

// With all its seeds: 'random:3@42..44~said'.
std::string seeded(Policy policy, std::uint32_t seeds) {
  if (policy.kind != Policy::Kind::kRandom || seeds < 2) return policy.name();
  const std::string last = std::to_string(policy.seed + seeds - 1);
  const std::string words = policy.words.empty() ? "" : "~" + policy.words;
  policy.words.clear();
  return policy.name() + ".." + last + words;
}

// FSP Table 4: one linker, several policies.
std::optional<Place> by_policy(const Report& report) {
  if (query::is_control_linker(report.spec.linker)) return std::nullopt;
  return Place{attack_of(report), seeded(report.spec.policy, report.seeds), static_cast<int>(report.spec.policy.kind)};
}

// FSP Table 6: one policy, several linkers.
std::optional<Place> by_linker(const Report& report) {
  const std::string set = report.spec.claim_set.empty() ? "" : "/" + report.spec.claim_set;
  const bool control = query::is_control_linker(report.spec.linker);
  return Place{seeded(report.spec.policy, report.seeds) + set, report.spec.linker_name(), control ? 1 : 0};
}

// FSP Figure 4: one linker and policy but for its size, several sizes. Seeds that are no mean have rows of their own.
std::optional<Place> by_size(const Report& report) {
  const Policy& policy = report.spec.policy;
  if (query::is_control_linker(report.spec.linker) || policy.k == 0) return std::nullopt;
  std::string name = seeded(report.spec.policy, report.seeds);
  const std::string size = fmt::format(":{}", policy.k);
  name.erase(name.find(size), size.size());
  return Place{fmt::format("{} {}", attack_of(report), name), fmt::format("k={}", policy.k),
               static_cast<int>(policy.k)};
}

// FSP Table 9: one policy, in several words.
std::optional<Place> by_words(const Report& report) {
  if (query::is_control_linker(report.spec.linker)) return std::nullopt;
  Policy own = report.spec.policy;
  own.words.clear();
  const std::string& words = report.spec.policy.words;
  return Place{fmt::format("{} {}", attack_of(report), seeded(own, report.seeds)), words.empty() ? "plain" : words,
               words.empty() ? 0 : 1};
}

struct TableSpec {
  std::string_view name;
  std::optional<Place> (*place)(const Report&);
  std::vector<MetricId> metrics;
  std::string_view needs;  // what to evaluate where there is too little
};

const std::vector<TableSpec>& specs() {
  static const std::vector<TableSpec> table = {
      {"linkage", by_policy, {MetricId::kLinkageRate}, "--protocol bm25/first:3,bm25/random:3,bm25/last:3"},
      {"linkers", by_linker, {MetricId::kLinkageRate}, "--protocol bm25,rouge-l,rouge-l-recall"},
      {"aux-size", by_size, {MetricId::kSemanticDistance, MetricId::kAuxOverlap}, "--protocol bm25/last:1,bm25/last:2"},
      {"paraphrased-aux",
       by_words,
       {MetricId::kSemanticDistance, MetricId::kLinkageRate, MetricId::kAuxBigramPrecision},
       "--protocol bm25/random:3,bm25/random:3~CLAIMSET"},
  };
  return table;
}

using ColumnKey = std::pair<int, std::string>;
struct RowKey {
  std::size_t run;
  std::string attack;
  std::size_t metric;
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

std::int64_t lost(const MetricValue& value) { return value.failed + value.missing; }

// What the record's claims alone give away does not depend on the run: one line is enough.
bool repeats(MetricId metric, std::size_t run) {
  return run > 0 && (metric == MetricId::kAuxOverlap || metric == MetricId::kAuxBigramPrecision);
}

}  // namespace

bool is_attack_table(std::string_view name) {
  return std::any_of(specs().begin(), specs().end(), [&](const TableSpec& spec) { return spec.name == name; });
}

Table attack_table(const std::vector<Report>& reports, std::string_view name) {
  const TableSpec& spec = *std::find_if(specs().begin(), specs().end(), [&](const auto& s) { return s.name == name; });
  std::map<RowKey, std::map<ColumnKey, MetricValue>> cells;
  std::map<ColumnKey, bool> columns;  // true: has deviations
  std::map<std::size_t, std::string> runs;
  for (const Report& report : reports) {
    const auto place = spec.place(report);
    if (!place) continue;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < report.runs.size(); ++i) {
      const ReportRun& run = report.runs[i];
      if (!run.evaluated) continue;
      runs[i] = run.run;
      for (std::size_t m = 0; m < spec.metrics.size(); ++m) {
        const auto found = run.metrics.find(spec.metrics[m]);
        if (found == run.metrics.end() || repeats(spec.metrics[m], shown)) continue;
        const ColumnKey column{place->order, place->column};
        cells[{repeats(spec.metrics[m], 1) ? report.runs.size() : i, place->row, m}][column] = found->second.all;
        columns[column] = columns[column] || found->second.all.deviation.has_value();
      }
      ++shown;
    }
  }
  if (cells.empty()) {
    throw Error(Code::kNotFound, fmt::format("no attacker that was evaluated fits the table {}", name),
                fmt::format("for example: residue eval {} {}", reports.empty() ? "DATASET" : reports.front().dataset,
                            spec.needs));
  }
  Table table;
  table.columns = {{"run", Type::kText, ""}, {"attack", Type::kText, ""}};
  if (spec.metrics.size() > 1) table.columns.push_back({"metric", Type::kText, ""});
  for (const auto& [column, deviates] : columns) {
    table.columns.push_back({column.second, Type::kReal, ""});
    if (deviates) table.columns.push_back({column.second + " sd", Type::kReal, ""});
  }
  // Of the row's attacker with the most failed and missing records.
  for (const char* count : {"n", "failed", "missing"}) table.columns.push_back({count, Type::kInteger, ""});
  const std::uint64_t sample = reports.front().sample;
  const bool drop = reports.front().missing == query::MissingPolicy::kDrop;
  if (sample != 0) table.columns.push_back({"sample", Type::kInteger, ""});
  if (drop) table.columns.push_back({"missing_policy", Type::kText, ""});
  for (const auto& [key, values] : cells) {
    std::vector<Cell> row = {runs.count(key.run) != 0 ? Cell(runs[key.run]) : Cell("(no release)"), key.attack};
    if (spec.metrics.size() > 1) row.emplace_back(std::string(query::definition(spec.metrics[key.metric]).name));
    for (const auto& [column, deviates] : columns) {
      const auto found = values.find(column);
      const MetricValue value = found == values.end() ? MetricValue{} : found->second;
      row.push_back(cell(value.value));
      if (deviates) row.push_back(cell(value.deviation));
    }
    const auto most = std::max_element(values.begin(), values.end(),
                                       [](const auto& a, const auto& b) { return lost(a.second) < lost(b.second); });
    for (const std::int64_t count : {most->second.n, most->second.failed, most->second.missing}) row.push_back(count);
    if (sample != 0) row.push_back(cell(sample));
    if (drop) row.emplace_back("drop");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace residue::cli
