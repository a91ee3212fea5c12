#include "cli/attack_tables.h"

#include <algorithm>
#include <array>
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

// Where an attacker's number goes: the row beside the run, and the column.
// `order` sorts columns.
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

// FSP Figure 4: one linker and policy but for its size, several sizes. Seeds
// that are no mean have rows of their own.
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

// A value with what it is of: its own attacker's population, not its row's.
struct Value {
  MetricValue metric;
  std::uint64_t sample = 0;
  bool stale = false;
};

using Row = std::map<ColumnKey, Value>;

struct Cells {
  std::map<RowKey, Row> rows;
  std::map<ColumnKey, bool> columns;  // true: has deviations
  std::map<std::size_t, std::string> runs;
  bool sampled = false;
  bool stale = false;
};

// What the record's claims alone give away does not depend on the run: one line
// is enough.
bool of_claims_alone(MetricId metric) {
  return metric == MetricId::kAuxOverlap || metric == MetricId::kAuxBigramPrecision;
}

const TableSpec* find_spec(std::string_view name) {
  const auto found = std::find_if(specs().begin(), specs().end(), [&](const auto& spec) { return spec.name == name; });
  return found == specs().end() ? nullptr : &*found;
}

Cells collect(const std::vector<Report>& reports, const TableSpec& spec) {
  Cells cells;
  for (const Report& report : reports) {
    const auto place = spec.place(report);
    if (!place) continue;
    const ColumnKey column{place->order, place->column};
    bool first = true;
    for (std::size_t i = 0; i < report.runs.size(); ++i) {
      const ReportRun& run = report.runs[i];
      if (!run.evaluated) continue;
      cells.runs[i] = run.run;
      for (std::size_t m = 0; m < spec.metrics.size(); ++m) {
        const auto found = run.metrics.find(spec.metrics[m]);
        const bool alone = of_claims_alone(spec.metrics[m]);
        if (found == run.metrics.end() || (alone && !first)) continue;
        const RowKey row{alone ? report.runs.size() : i, place->row, m};
        cells.rows[row][column] = {found->second.all, report.sample, run.stale};
        cells.columns[column] = cells.columns[column] || found->second.all.deviation.has_value();
        cells.sampled = cells.sampled || report.sample != 0;
        cells.stale = cells.stale || run.stale;
      }
      first = false;
    }
  }
  return cells;
}

// Whether in each row one n, failed, missing and sample is that of all its
// values.
bool counts_agree(const Cells& cells) {
  const auto counts = [](const Value& value) {
    return std::array{value.metric.n, value.metric.failed, value.metric.missing,
                      static_cast<std::int64_t>(value.sample)};
  };
  return std::all_of(cells.rows.begin(), cells.rows.end(), [&](const auto& row) {
    return std::all_of(row.second.begin(), row.second.end(),
                       [&](const auto& value) { return counts(value.second) == counts(row.second.begin()->second); });
  });
}

void add_count_columns(Table& table, const std::string& of, bool sampled) {
  for (const char* count : {"n", "failed", "missing"}) table.columns.push_back({of + count, Type::kInteger, ""});
  if (sampled) table.columns.push_back({of + "sample", Type::kInteger, ""});
}

void add_counts(std::vector<Cell>& row, const Value* value, bool sampled) {
  for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing})
    row.push_back(value == nullptr ? Cell() : Cell(value->metric.*count));
  if (sampled) row.push_back(value == nullptr || value->sample == 0 ? Cell() : cell(value->sample));
}

}  // namespace

bool is_attack_table(std::string_view name) { return find_spec(name) != nullptr; }

bool needs_judge(std::string_view name) {
  const TableSpec* spec = find_spec(name);
  return spec == nullptr || std::any_of(spec->metrics.begin(), spec->metrics.end(), [](MetricId metric) {
           return query::definition(metric).tier == query::Tier::kJudge;
         });
}

bool fits_table(const Report& report, std::string_view name) { return find_spec(name)->place(report).has_value(); }

Table attack_table(const std::vector<Report>& reports, std::string_view name, Form form) {
  const TableSpec& spec = *find_spec(name);
  const Cells cells = collect(reports, spec);
  if (cells.rows.empty()) {
    throw Error(Code::kNotFound, fmt::format("no attacker that was evaluated fits the table {}", name),
                fmt::format("for example: residue eval {} {}", reports.empty() ? "DATASET" : reports.front().dataset,
                            spec.needs));
  }
  const bool several = spec.metrics.size() > 1;
  const bool together = form != Form::kFile && counts_agree(cells);
  const bool drop = reports.front().missing == query::MissingPolicy::kDrop;
  const bool stale = form == Form::kFile || cells.stale;
  Table table;
  table.columns = {{"run", Type::kText, "", true}, {"attack", Type::kText, "", true}};
  if (several) table.columns.push_back({"metric", Type::kText, "", true});
  for (const auto& [column, deviates] : cells.columns) {
    table.columns.push_back({column.second, Type::kReal, ""});
    if (deviates) table.columns.push_back({column.second + " sd", Type::kReal, ""});
    if (!together) add_count_columns(table, column.second + " ", cells.sampled);
  }
  if (together) add_count_columns(table, "", cells.sampled);
  if (form != Form::kTerminal) table.columns.push_back({"judge", Type::kText, ""});
  if (stale) table.columns.push_back({"stale", Type::kInteger, ""});
  if (drop) table.columns.push_back({"missing_policy", Type::kText, ""});
  for (const auto& [key, values] : cells.rows) {
    const auto run = cells.runs.find(key.run);
    std::vector<Cell> row = {Cell(run == cells.runs.end() ? "(no release)" : run->second), key.attack};
    if (several) row.emplace_back(std::string(query::definition(spec.metrics[key.metric]).name));
    for (const auto& [column, deviates] : cells.columns) {
      const auto found = values.find(column);
      const Value* value = found == values.end() ? nullptr : &found->second;
      row.push_back(value == nullptr ? Cell() : cell(value->metric.value));
      if (deviates) row.push_back(value == nullptr ? Cell() : cell(value->metric.deviation));
      if (!together) add_counts(row, value, cells.sampled);
    }
    if (together) add_counts(row, &values.begin()->second, cells.sampled);
    const bool judged = query::definition(spec.metrics[key.metric]).tier == query::Tier::kJudge;
    if (form != Form::kTerminal) row.push_back(judged ? Cell(reports.front().judge) : Cell());
    if (stale) {
      const bool any = std::any_of(values.begin(), values.end(), [](const auto& value) { return value.second.stale; });
      row.push_back(std::int64_t{any});
    }
    if (drop) row.emplace_back("drop");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace residue::cli
