#include "cli/study/attack_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/natural.h"
#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/study/references.h"

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
  if (report.spec.linker->control()) return std::nullopt;
  return Place{attack_of(report), seeded(report.spec.policy, report.seeds), static_cast<int>(report.spec.policy.kind)};
}

// FSP Table 6: one policy, several linkers.
std::optional<Place> by_linker(const Report& report) {
  const std::string set = report.spec.claim_set.empty() ? "" : "/" + report.spec.claim_set;
  const bool control = report.spec.linker->control();
  return Place{seeded(report.spec.policy, report.seeds) + set, report.spec.linker_name(), control ? 1 : 0};
}

// FSP Figure 4: one linker and policy but for its size, several sizes. Seeds
// that are no mean have rows of their own.
std::optional<Place> by_size(const Report& report) {
  const Policy& policy = report.spec.policy;
  if (report.spec.linker->control() || policy.k == 0) return std::nullopt;
  std::string name = seeded(report.spec.policy, report.seeds);
  const std::string size = fmt::format(":{}", policy.k);
  name.erase(name.find(size), size.size());
  return Place{fmt::format("{} {}", attack_of(report), name), fmt::format("k={}", policy.k),
               static_cast<int>(policy.k)};
}

// FSP Table 9: one policy, in several words.
std::optional<Place> by_words(const Report& report) {
  if (report.spec.linker->control()) return std::nullopt;
  Policy own = report.spec.policy;
  own.words.clear();
  const std::string& words = report.spec.policy.words;
  return Place{fmt::format("{} {}", attack_of(report), seeded(own, report.seeds)), words.empty() ? "plain" : words,
               words.empty() ? 0 : 1};
}

// The attacks that the paper's figures are of: `attack` is what their rows have in common.
bool begins_with(std::string_view attack, std::string_view name) {
  if (!attack.starts_with(name)) return false;
  return attack.size() == name.size() || std::string_view("/@[~ ").find(attack[name.size()]) != std::string_view::npos;
}
bool by_bm25(const std::string& attack) { return begins_with(attack, "bm25"); }
bool of_three(const std::string& attack) { return begins_with(attack, "random:3"); }
bool by_bm25_of_three(const std::string& attack) {
  return by_bm25(attack) && attack.find(" random:3") != std::string::npos;
}

struct TableSpec {
  std::string_view name;
  std::optional<Place> (*place)(const Report&);
  std::vector<MetricId> metrics;
  std::string_view needs;                                  // what to evaluate where there is too little
  bool (*published)(const std::string& attack) = nullptr;  // nothing: the papers print no figures
};

const std::vector<TableSpec>& specs() {
  static const std::vector<TableSpec> table = {
      {"linkage", by_policy, {MetricId::kLinkageRate}, "--protocol bm25/first:3,bm25/random:3,bm25/last:3", by_bm25},
      {"linkers", by_linker, {MetricId::kLinkageRate}, "--protocol bm25,rouge-l,rouge-l-recall", of_three},
      {"aux-size", by_size, {MetricId::kSemanticDistance, MetricId::kAuxOverlap}, "--protocol bm25/last:1,bm25/last:2"},
      {"paraphrased-aux",
       by_words,
       {MetricId::kSemanticDistance, MetricId::kLinkageRate, MetricId::kAuxBigramPrecision},
       "--protocol bm25/random:3,bm25/random:3~CLAIMSET",
       by_bm25_of_three},
  };
  return table;
}

// A name in the order in which people count.
struct Name {
  std::string key, text;
  Name(const std::string& name) : key(natural_key(name)), text(name) {}  // NOLINT: a name is one
  friend auto operator<=>(const Name&, const Name&) = default;
};
using ColumnKey = std::pair<int, Name>;
struct RowKey {
  std::size_t run;
  Name attack;
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
        cells.rows[row][column] = {found->second.all, report.sample, found->second.stale};
        cells.columns[column] = cells.columns[column] || found->second.all.deviation.has_value();
        cells.sampled = cells.sampled || report.sample != 0;
        cells.stale = cells.stale || found->second.stale;
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
    return std::array{value.metric.n, value.metric.failed, value.metric.missing, static_cast<double>(value.sample)};
  };
  return std::all_of(cells.rows.begin(), cells.rows.end(), [&](const auto& row) {
    return std::all_of(row.second.begin(), row.second.end(),
                       [&](const auto& value) { return counts(value.second) == counts(row.second.begin()->second); });
  });
}

// Files have the interval and the coverage of each value, too; on a terminal the columns are the paper's.
void add_interval_columns(Table& table, const std::string& of) {
  for (const char* end : {"low", "high", "coverage"}) table.columns.push_back({of + end, Type::kReal, ""});
}

void add_interval(std::vector<Cell>& row, const Value* value) {
  for (const auto end : {&MetricValue::low, &MetricValue::high, &MetricValue::coverage})
    row.push_back(value == nullptr ? Cell() : cell(value->metric.*end));
}

void add_count_columns(Table& table, const std::string& of, bool sampled) {
  for (const char* count : {"n", "failed", "missing"}) {
    const bool of_all = of.empty() && *count == 'n';
    table.columns.push_back({of + count, Type::kInteger, "", false, of_all ? 0 : 2});
  }
  if (sampled) table.columns.push_back({of + "sample", Type::kInteger, "", false, 2});
}

// The paper's figure for a column of ours; columns of paraphrases have the names of claim sets.
const query::PublishedFigure* figure_in(const query::PublishedRow& row, MetricId metric, const std::string& column) {
  for (const auto& [key, figure] : row.figures) {
    const auto slash = key.find('/');
    if (key.substr(0, slash) != query::definition(metric).name) continue;
    const std::string theirs = key.substr(slash + 1);
    if (theirs == "paraphrased" ? column != "plain" : begins_with(column, theirs)) return &figure;
  }
  return nullptr;
}

void add_counts(std::vector<Cell>& row, const Value* value, bool sampled) {
  for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing})
    row.push_back(value == nullptr ? Cell() : count_cell(value->metric.*count));
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

namespace {

class Builder {
 public:
  Builder(const std::vector<Report>& reports, const AttackRequest& request)
      : reports_(reports),
        request_(request),
        spec_(*find_spec(request.name)),
        cells_(collect(reports, spec_)),
        together_(request.form != Form::kFile && counts_agree(cells_)),
        stale_(request.form == Form::kFile || cells_.stale),
        drop_(reports.front().missing == query::MissingPolicy::kDrop) {
    if (!cells_.rows.empty()) return;
    throw Error(Code::kNotFound, fmt::format("no evaluated attacker fits the table {}", request.name),
                fmt::format("for example: residue eval {} {}", reports.front().dataset, spec_.needs));
  }

  Shown build(std::set<const query::PublishedRow*>& published) {
    Shown shown{{columns(), {}}, {}};
    for (const auto& [key, values] : cells_.rows) {
      shown.table.rows.push_back(row(key, values, nullptr));
      const auto references = references_for(key);
      Json list = Json::array();
      for (const query::PublishedRow* one : references) {
        published.insert(one);
        list.push_back(reference_json(*one));
        if (!request_.json) shown.table.rows.push_back(row(key, values, one));
      }
      if (request_.json && request_.reference) shown.references.push_back(std::move(list));
    }
    return shown;
  }

 private:
  [[nodiscard]] std::vector<Column> columns() const {
    Table table;
    table.columns = {{"run", Type::kText, "", true}, {"attack", Type::kText, "", true}};
    if (several()) table.columns.push_back({"metric", Type::kText, "", true});
    for (const auto& [column, deviates] : cells_.columns) {
      table.columns.push_back({column.second.text, Type::kReal, ""});
      if (deviates) table.columns.push_back({column.second.text + " sd", Type::kReal, "", false, 2});
      if (request_.form == Form::kFile) add_interval_columns(table, column.second.text + " ");
      if (!together_) add_count_columns(table, column.second.text + " ", cells_.sampled);
    }
    if (together_) add_count_columns(table, "", cells_.sampled);
    if (request_.form != Form::kTerminal) table.columns.push_back({"judge", Type::kText, ""});
    if (stale_) table.columns.push_back({"stale", Type::kInteger, ""});
    if (drop_) table.columns.push_back({"missing_policy", Type::kText, ""});
    if (request_.reference && request_.form == Form::kFile && !request_.json)
      table.columns.push_back({"reference", Type::kText, ""});
    return std::move(table.columns);
  }

  // Files say in n how many records it is of.
  [[nodiscard]] Cell value_cell(const Value& value) const {
    const MetricValue& metric = value.metric;
    // A run that it applies to no record of (synthetic ones link nobody) is not one that nobody attacked so.
    if (!metric.value && request_.form != Form::kFile) return Cell("n/a");
    if (!metric.seeds || request_.form == Form::kFile) return cell(metric.value);
    return real_text(*metric.value) + fmt::format(" ({} of the seeds)", *metric.seeds);
  }

  [[nodiscard]] bool several() const { return spec_.metrics.size() > 1; }

  // Those that have a figure for one of the row's columns.
  [[nodiscard]] std::vector<const query::PublishedRow*> references_for(const RowKey& key) const {
    std::vector<const query::PublishedRow*> found;
    if (!request_.reference || spec_.published == nullptr || !spec_.published(key.attack.text)) return found;
    if (key.run >= reports_.front().runs.size()) return found;
    for (const auto* one : references_of(request_.name, reports_.front(), reports_.front().runs[key.run])) {
      const bool any = std::any_of(cells_.columns.begin(), cells_.columns.end(), [&](const auto& column) {
        return figure_in(*one, spec_.metrics[key.metric], column.first.second.text) != nullptr;
      });
      if (any) found.push_back(one);
    }
    return found;
  }

  // Of ours, or where `published` is given of that paper.
  [[nodiscard]] std::vector<Cell> row(const RowKey& key, const Row& values,
                                      const query::PublishedRow* published) const {
    const MetricId metric = spec_.metrics[key.metric];
    const bool ours = published == nullptr;
    const auto run = cells_.runs.find(key.run);
    std::string name = run == cells_.runs.end() ? "(no release)" : run->second;
    if (!ours && request_.form != Form::kFile) name += fmt::format(" ({})", short_source(*published, true));
    std::vector<Cell> row = {Cell(std::move(name)), Cell(key.attack.text)};
    if (several()) row.emplace_back(std::string(query::definition(metric).name));
    for (const auto& [column, deviates] : cells_.columns) {
      const auto found = values.find(column);
      const Value* value = !ours || found == values.end() ? nullptr : &found->second;
      const auto* figure = ours ? nullptr : figure_in(*published, metric, column.second.text);
      row.push_back(figure != nullptr ? Cell(figure->value) : value == nullptr ? Cell() : value_cell(*value));
      if (deviates) {
        row.push_back(figure != nullptr  ? cell(figure->deviation)
                      : value == nullptr ? Cell()
                                         : cell(value->metric.deviation));
      }
      if (request_.form == Form::kFile) add_interval(row, value);
      if (!together_) add_counts(row, value, cells_.sampled);
    }
    if (together_) add_counts(row, ours ? &values.begin()->second : nullptr, cells_.sampled);
    const bool judged = ours && query::definition(metric).tier == query::Tier::kJudge;
    if (request_.form != Form::kTerminal) row.push_back(judged ? Cell(reports_.front().judge) : Cell());
    if (stale_) {
      const bool any = std::any_of(values.begin(), values.end(), [](const auto& value) { return value.second.stale; });
      row.push_back(ours ? Cell(std::int64_t{any}) : Cell());
    }
    if (drop_) row.push_back(ours ? Cell("drop") : Cell());
    if (request_.reference && request_.form == Form::kFile && !request_.json)
      row.push_back(ours ? Cell() : Cell(published->text()));
    return row;
  }

  const std::vector<Report>& reports_;
  const AttackRequest& request_;
  const TableSpec& spec_;
  Cells cells_;
  bool together_, stale_, drop_;
};

}  // namespace

Shown attack_table(const std::vector<Report>& reports, const AttackRequest& request,
                   std::set<const query::PublishedRow*>& published) {
  return Builder(reports, request).build(published);
}

}  // namespace residue::cli
