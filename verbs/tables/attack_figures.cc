#include "verbs/tables/attack_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/natural.h"
#include "verbs/tables/references.h"

namespace residue::verbs {
namespace {

using query::MetricId;
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

using Values = std::map<ColumnKey, AttackValue>;

struct Cells {
  std::map<RowKey, Values> rows;
  std::map<ColumnKey, bool> columns;  // true: has deviations
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
      for (std::size_t m = 0; m < spec.metrics.size(); ++m) {
        const auto found = run.metrics.find(spec.metrics[m]);
        const bool alone = of_claims_alone(spec.metrics[m]);
        if (found == run.metrics.end() || (alone && !first)) continue;
        const RowKey row{alone ? report.runs.size() : i, place->row, m};
        cells.rows[row][column] = {found->second.all, report.sample, found->second.stale};
        cells.columns[column] = cells.columns[column] || found->second.all.deviation.has_value();
      }
      first = false;
    }
  }
  return cells;
}

// Those that have a figure for one of the row's columns.
std::vector<const query::PublishedRow*> published_for(const RowKey& key, const Cells& cells, const TableSpec& spec,
                                                      const Report& report) {
  if (spec.published == nullptr || !spec.published(key.attack.text) || key.run >= report.runs.size()) return {};
  auto rows = references_of(spec.name, report, report.runs[key.run]);
  std::erase_if(rows, [&](const query::PublishedRow* one) {
    return std::ranges::none_of(cells.columns, [&](const auto& column) {
      return published_figure(*one, spec.metrics[key.metric], column.first.second.text) != nullptr;
    });
  });
  return rows;
}

}  // namespace

bool is_attack_table(std::string_view name) { return find_spec(name) != nullptr; }

bool needs_judge(std::string_view name) {
  const TableSpec* spec = find_spec(name);
  return spec == nullptr || std::ranges::any_of(spec->metrics, [](MetricId metric) {
           return query::definition(metric).tier == query::Tier::kJudge;
         });
}

bool fits_table(const Report& report, std::string_view name) { return find_spec(name)->place(report).has_value(); }

const query::PublishedFigure* published_figure(const query::PublishedRow& row, MetricId metric,
                                               const std::string& column) {
  for (const auto& [key, figure] : row.figures) {
    const auto slash = key.find('/');
    if (key.substr(0, slash) != query::definition(metric).name) continue;
    const std::string theirs = key.substr(slash + 1);
    if (theirs == "paraphrased" ? column != "plain" : begins_with(column, theirs)) return &figure;
  }
  return nullptr;
}

AttackFigures attack_figures(const std::vector<Report>& reports, std::string_view table, bool published) {
  const TableSpec& spec = *find_spec(table);
  const Cells cells = collect(reports, spec);
  if (cells.rows.empty()) {
    throw Error(Code::kNotFound, fmt::format("no evaluated attacker fits the table {}", table),
                fmt::format("for example: residue eval {} {}", reports.front().dataset, spec.needs));
  }
  AttackFigures figures;
  figures.several_metrics = spec.metrics.size() > 1;
  for (const auto& [key, deviates] : cells.columns) figures.columns.push_back({key.second.text, deviates});
  const std::vector<ReportRun>& runs = reports.front().runs;
  for (const auto& [key, values] : cells.rows) {
    AttackFigures::Row row;
    if (key.run < runs.size()) row.run = runs[key.run].run;
    row.attack = key.attack.text;
    row.metric = spec.metrics[key.metric];
    for (const auto& [column, deviates] : cells.columns) {
      const auto found = values.find(column);
      row.values.push_back(found == values.end() ? std::nullopt : std::optional(found->second));
    }
    if (published) row.published = published_for(key, cells, spec, reports.front());
    figures.rows.push_back(std::move(row));
  }
  return figures;
}

}  // namespace residue::verbs
