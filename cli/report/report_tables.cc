#include "cli/report/report_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "cli/print/numbers.h"
#include "cli/print/wrap.h"
#include "cli/report/report_cells.h"
#include "cli/report/report_words.h"
#include "query/inputs/repeats.h"
#include "query/metric/outside_metrics.h"
#include "text/characters/unicode.h"
#include "verbs/look/report_state.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

constexpr std::array kHeadline = {
    MetricId::kLinkageRatePerson, MetricId::kLinkageRate,           MetricId::kSemanticDistance, MetricId::kLeakRate,
    MetricId::kFullLeakRate,      MetricId::kFullLeakRateNet,       MetricId::kExposedRate,      MetricId::kWorstDecile,
    MetricId::kExcessLeakage,     MetricId::kLexicalDistanceLinked, MetricId::kRougeLF,
};
constexpr std::array kControlMetrics = {MetricId::kSemanticDistance, MetricId::kLeakRate};
constexpr std::size_t kMostColumns = 6;  // runs; more of them stand in further blocks below
constexpr std::size_t kCellWidth = 12;   // "[0.12, 0.18]"
constexpr std::size_t kGap = 2;

std::string title(const ReportRun& run) {
  return fmt::format("{}{}{}", run.run, run.control ? " (c)" : "", run.stale ? " *" : "");
}

// Rounded; what rounds to zero has no sign.
std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string number(const MetricValue& value, const Report& report) {
  if (!value.value) return value.failed + value.missing > 0 ? "missing" : "-";
  const std::string text = value.deviation ? fmt::format("{}±{}", fixed(*value.value, 3), fixed(*value.deviation, 3))
                                           : fixed(*value.value, 4);
  return text + seeds_text(value, report);
}

std::string interval(const MetricValue& value) {
  if (!value.low || !value.high) return {};
  return fmt::format("[{}, {}]", fixed(*value.low, 2), fixed(*value.high, 2));
}

// --- terminal ---

// The widest label and the runs that fit beside it.
std::size_t columns_per_block(const std::vector<std::string>& labels, const std::vector<const ReportRun*>& runs,
                              std::size_t width) {
  if (width == 0) return kMostColumns;
  std::size_t left = 0;
  for (const std::string& text : labels) left = std::max(left, text::display_width(text));
  std::size_t cell = kCellWidth;
  for (const ReportRun* run : runs) cell = std::max(cell, text::display_width(title(*run)));
  const std::size_t room = width > left ? width - left : 0;
  return std::clamp<std::size_t>(room / (cell + kGap), 1, kMostColumns);
}

struct Line {
  std::string name;
  std::vector<std::string> cells;  // by run
};

// Whether a hit on another record may be a hit on the person: the rate of persons stands first then.
bool finds_persons(const Report& report) {
  static_assert(kHeadline.front() == MetricId::kLinkageRatePerson);
  return report.repeats.any() || std::any_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
           const ReportMetric* of_person = metric_of(run, MetricId::kLinkageRatePerson);
           const ReportMetric* of_record = metric_of(run, MetricId::kLinkageRate);
           return of_person != nullptr && of_record != nullptr && of_person->all.value && of_record->all.value &&
                  std::abs(*of_person->all.value - *of_record->all.value) > 1e-9;  // sums of fixed-point numbers
         });
}

// The metrics that a report begins with, and those of answers to tasks that it has.
std::vector<MetricId> headline(const Report& report) {
  std::vector<MetricId> all(kHeadline.begin() + (finds_persons(report) ? 0 : 1), kHeadline.end());
  // Models judge the absent attack only where they are asked to.
  const bool net = std::ranges::any_of(
      report.runs, [](const ReportRun& run) { return metric_of(run, MetricId::kFullLeakRateNet) != nullptr; });
  if (!net) std::erase(all, MetricId::kFullLeakRateNet);
  for (const MetricId id : task_metrics(report.runs)) all.push_back(id);
  return all;
}

// Whether a table that shows the counts of semantic_distance once has to show those of this metric too.
bool has_own_counts(const std::vector<const ReportRun*>& runs, MetricId id) {
  return std::any_of(runs.begin(), runs.end(), [&](const ReportRun* run) {
    const ReportMetric* own = metric_of(*run, id);
    const ReportMetric* common = metric_of(*run, MetricId::kSemanticDistance);
    if (own == nullptr || common == nullptr) return false;
    return own->all.failed != common->all.failed || own->all.missing != common->all.missing ||
           own->all.n != common->all.n || own->all.coverage != common->all.coverage;
  });
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{} %", std::floor(*share * 100)) : "-";
}

std::vector<Line> headline_lines(const Report& report, const std::vector<const ReportRun*>& runs) {
  std::vector<Line> lines;
  for (const MetricId id : headline(report)) {
    Line values{label(id), {}};
    Line intervals;
    bool any = false;
    for (const ReportRun* run : runs) {
      const ReportMetric* metric = metric_of(*run, id);
      values.cells.push_back(metric == nullptr ? "-" : number(metric->all, report));
      intervals.cells.push_back(metric == nullptr ? "" : interval(metric->all));
      any = any || !intervals.cells.back().empty();
    }
    lines.push_back(std::move(values));
    if (any) lines.push_back(std::move(intervals));
    if (!has_own_counts(runs, id)) continue;
    lines.push_back({"  n: failed+missing", {}});
    for (const ReportRun* run : runs) {
      const ReportMetric* metric = metric_of(*run, id);
      lines.back().cells.push_back(metric == nullptr
                                       ? "-"
                                       : fmt::format("{}: {} + {}", count_text(metric->all.n),
                                                     count_text(metric->all.failed), count_text(metric->all.missing)));
    }
  }
  Line counted{"n", {}};
  Line lost{"failed + missing", {}};
  for (const ReportRun* run : runs) {
    const ReportMetric* metric = metric_of(*run, MetricId::kSemanticDistance);
    counted.cells.push_back(metric == nullptr ? "-" : count_text(metric->all.n));
    lost.cells.push_back(metric == nullptr ? "-"
                                           : count_text(metric->all.failed) + " + " + count_text(metric->all.missing));
  }
  lines.push_back(std::move(counted));
  lines.push_back(std::move(lost));
  const auto partly = [](const ReportMetric* metric) {
    return metric != nullptr && metric->all.coverage.value_or(1) < 1;
  };
  const auto covered = [&](MetricId id) {
    Line line{fmt::format("coverage of {}", query::definition(id).name), {}};
    bool any = false;
    for (const ReportRun* run : runs) {
      const ReportMetric* metric = metric_of(*run, id);
      any = any || partly(metric);
      line.cells.push_back(metric == nullptr ? "-" : percent(metric->all.coverage));
    }
    if (any) lines.push_back(std::move(line));
  };
  covered(MetricId::kSemanticDistance);
  for (const MetricId id : headline(report)) {
    if (id == MetricId::kLinkageRate || (id != MetricId::kSemanticDistance && has_own_counts(runs, id))) covered(id);
  }
  return lines;
}

std::string transposed(const std::vector<const ReportRun*>& runs, const std::vector<Line>& lines, const Look& look) {
  std::vector<std::string> labels;
  for (const Line& line : lines) labels.push_back(line.name);
  const std::size_t step = columns_per_block(labels, runs, look.width);
  std::string out;
  for (std::size_t begin = 0; begin < runs.size(); begin += step) {
    const std::size_t end = std::min(begin + step, runs.size());
    Table table;
    table.columns.push_back({"metric", Type::kText, ""});
    // Declared as numbers, so that they stand to the right and are never cut.
    for (std::size_t i = begin; i < end; ++i) table.columns.push_back({title(*runs[i]), Type::kReal, ""});
    for (const Line& line : lines) {
      std::vector<Cell> row{Cell(line.name)};
      for (std::size_t i = begin; i < end; ++i) row.emplace_back(line.cells[i]);
      table.rows.push_back(std::move(row));
    }
    if (!out.empty()) out += '\n';
    out += render_table(table, look);
  }
  return out;
}

std::vector<const ReportRun*> evaluated(const std::vector<ReportRun>& runs) {
  std::vector<const ReportRun*> result;
  for (const ReportRun& run : runs) {
    if (run.evaluated) result.push_back(&run);
  }
  return result;
}

// What a perfect and a blind attacker get, for the runs of the report.
Table control_linkers(const Report& report) {
  Table table;
  table.columns = {{"linker", Type::kText, "", true}, {"run", Type::kText, "", true}};
  table.columns.push_back({"linkage_rate", Type::kReal, label(MetricId::kLinkageRate)});
  for (const MetricId id : kControlMetrics) {
    table.columns.push_back({std::string(query::definition(id).name), Type::kReal, label(id)});
  }
  for (const auto* list : {&report.oracle, &report.random}) {
    for (const ReportRun& run : *list) {
      if (!run.evaluated) continue;
      std::vector<Cell> row{Cell(std::string(list == &report.oracle ? "oracle" : "random")), Cell(title(run))};
      row.push_back(cell(value_of(run, MetricId::kLinkageRate)));
      for (const MetricId id : kControlMetrics) row.push_back(cell(value_of(run, id)));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void put_long(Table& table, const Report& report, const ReportRun& run, std::string_view metric, const char* slice,
              const MetricValue& value, const std::string& model, bool stale) {
  const bool attacked = query::needs_attack(query::definition(*query::find_metric(metric)));
  table.rows.push_back({Cell(report.dataset),
                        Cell(run.run),
                        cell(run.group),
                        Cell(report.protocol),
                        Cell(model.empty() ? report.judge : model),
                        Cell(static_cast<std::int64_t>(report.sample)),
                        Cell(std::string(metric)),
                        Cell(std::string(slice)),
                        cell(value.value),
                        cell(value.low),
                        cell(value.high),
                        cell(value.deviation),
                        count_cell(value.n),
                        count_cell(value.failed),
                        count_cell(value.missing),
                        count_cell(value.not_applicable),
                        cell(value.coverage),
                        cell(value.if_leaked),
                        cell(value.if_private),
                        units_cell(value),
                        Cell(static_cast<std::int64_t>(stale ? 1 : 0)),
                        Cell(report.missing == query::MissingPolicy::kDrop ? "drop" : "leaked"),
                        Cell(static_cast<std::int64_t>(value.seeds.value_or(attacked ? report.seeds : 1))),
                        model.empty() ? Cell() : Cell(model)});
}

}  // namespace

std::string report_heading(const Report& report, bool judged) {
  std::string text = fmt::format("{}  protocol {}{}\n", report.dataset, report.protocol,
                                 report.seeds > 1 ? fmt::format(", {} seeds", report.seeds) : "");
  if (judged) text += judge_lines(report);
  if (const std::string words = answered_by(report); !words.empty()) text += words + '\n';
  if (report.sample != 0) text += fmt::format("SAMPLE of {} target records\n", report.sample);
  text += report.missing == query::MissingPolicy::kDrop ? "failed and missing records are left out\n"
                                                        : "failed and missing records count as leaked\n";
  const std::string left_out = query::uncovered_note(report.uncovered, report.spec);
  if (!left_out.empty()) text += left_out + '\n';
  for (const std::string& doubt : report.doubts) text += "warning: " + doubt + '\n';
  if (const std::string words = query::repeats_note(report.repeats); !words.empty()) text += words + '\n';
  return text;
}

std::string report_legend(const Report& report) {
  std::string legend = "\n↑ higher = more private   ↓ higher = less private   (c) control\nrougeL_f";
  legend += task_metrics(report.runs).empty() ? ": higher = more useful\n"
                                              : " and the metrics of answers to tasks: higher = more useful\n";
  return legend;
}

std::string report_text(const Report& report, const Look& look) {
  std::string out = fitted(report_heading(report), look.width) + '\n';
  const auto runs = evaluated(report.runs);
  out += transposed(runs, headline_lines(report, runs), look);
  std::string unseen;
  for (const ReportRun& run : report.runs) {
    if (!run.evaluated) unseen += fmt::format("{}{}", unseen.empty() ? "" : ", ", run.run);
  }
  std::string legend = report_legend(report);
  if (!unseen.empty()) legend += fmt::format("not evaluated under this protocol: {}\n", unseen);
  out += fitted(legend, look.width);
  const Table controls = control_linkers(report);
  if (!controls.rows.empty())
    out += fitted("\nThe same runs when the right record is known, and when it is drawn:\n\n", look.width) +
           render_table(controls, look);
  return out;
}

Table wide_table(const Report& report) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  const std::vector<MetricId> metrics = headline(report);
  const std::vector<const ReportRun*> shown = evaluated(report.runs);
  const auto varies = [](MetricId id) {
    return id != MetricId::kRougeLF && query::definition(id).tier != query::Tier::kTask;
  };
  for (const MetricId id : metrics) {
    const std::string name(query::definition(id).name);
    table.columns.push_back({name, Type::kReal, label(id)});
    if (report.seeds > 1 && varies(id)) table.columns.push_back({name + "_std", Type::kReal, "±", false, 2});
    table.columns.push_back({name + "_interval", Type::kText, "95 %", false, 2});
    if (!has_own_counts(shown, id)) continue;
    for (const char* count : {"n", "failed", "missing"})
      table.columns.push_back(
          {fmt::format("{}_{}", name, count), Type::kInteger, fmt::format("its {}", count), false, 2});
    table.columns.push_back({name + "_coverage", Type::kReal, "its coverage", false, 2});
  }
  table.columns.push_back({"n", Type::kInteger, ""});
  table.columns.push_back({"failed", Type::kInteger, ""});
  table.columns.push_back({"missing", Type::kInteger, ""});
  table.columns.push_back({"coverage", Type::kReal, ""});
  const bool answered = !answered_by(report).empty();
  if (answered) table.columns.push_back({"model", Type::kText, ""});
  for (const ReportRun& run : report.runs) {
    std::vector<Cell> row{Cell(title(run))};
    for (const MetricId id : metrics) {
      const ReportMetric* metric = metric_of(run, id);
      row.push_back(metric == nullptr ? Cell() : cell(metric->all.value));
      if (report.seeds > 1 && varies(id)) row.push_back(metric == nullptr ? Cell() : cell(metric->all.deviation));
      const std::string ends = metric == nullptr ? "" : interval(metric->all);
      row.push_back(ends.empty() ? Cell() : Cell(ends));
      if (!has_own_counts(shown, id)) continue;
      for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing})
        row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.*count));
      row.push_back(metric == nullptr ? Cell() : cell(metric->all.coverage));
    }
    const ReportMetric* metric = metric_of(run, MetricId::kSemanticDistance);
    row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.n));
    row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.failed));
    row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.missing));
    row.push_back(metric == nullptr ? Cell() : cell(metric->all.coverage));
    if (answered) row.push_back(answerers_cell(run, metrics));
    table.rows.push_back(std::move(row));
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

std::string not_judged(const Report& report) {
  const std::optional<verbs::Unjudged> unjudged = verbs::state_of(report).unjudged;
  if (!unjudged) return {};
  return fmt::format("judge metrics are n/a for {} of {} records under {}: no claim is left that the attacker lacks",
                     unjudged->records == unjudged->of ? "all" : count_text(unjudged->records),
                     count_text(unjudged->of), report.protocol);
}

Table long_table(const std::vector<Report>& reports) {
  Table table;
  for (const char* name : {"dataset", "run", "group", "protocol", "judge"})
    table.columns.push_back({name, Type::kText, ""});
  table.columns.push_back({"sample", Type::kInteger, ""});
  for (const char* name : {"metric", "slice"}) table.columns.push_back({name, Type::kText, ""});
  for (const char* name : {"value", "low", "high", "std"}) table.columns.push_back({name, Type::kReal, ""});
  for (const char* name : {"n", "failed", "missing", "not_applicable"})
    table.columns.push_back({name, Type::kInteger, ""});
  for (const char* name : {"coverage", "if_leaked", "if_private"}) table.columns.push_back({name, Type::kReal, ""});
  for (const char* name : {"units", "stale"}) table.columns.push_back({name, Type::kInteger, ""});
  table.columns.push_back({"missing_policy", Type::kText, ""});
  table.columns.push_back({"seeds", Type::kInteger, ""});
  table.columns.push_back({"model", Type::kText, ""});
  for (const Report& report : reports) {
    for (const ReportRun& run : report.runs) {
      for (const auto& definition : query::metric_definitions()) {
        const ReportMetric* metric = metric_of(run, definition.id);
        if (metric == nullptr) continue;
        const std::string& model = metric->model;
        if (definition.cuts != query::Cuts::kOnly)
          put_long(table, report, run, definition.name, "", metric->all, model, metric->stale);
        if (metric->right) put_long(table, report, run, definition.name, "right", *metric->right, model, metric->stale);
        if (metric->wrong) put_long(table, report, run, definition.name, "wrong", *metric->wrong, model, metric->stale);
        if (metric->not_linked)
          put_long(table, report, run, definition.name, "not_linked", *metric->not_linked, model, metric->stale);
        if (metric->median) {
          MetricValue median;
          median.value = metric->median;
          for (const auto count :
               {&MetricValue::n, &MetricValue::failed, &MetricValue::missing, &MetricValue::not_applicable})
            median.*count = metric->all.*count;
          put_long(table, report, run, definition.name, "median", median, model, metric->stale);
        }
        for (std::size_t bin = 0; bin < metric->bins.size(); ++bin) {
          put_long(table, report, run, definition.name, fmt::format("bin:{}", bin).c_str(), metric->bins[bin], model,
                   metric->stale);
        }
        for (const auto& [name, value] : metric->cuts) {
          put_long(table, report, run, definition.name, name.c_str(), value, model, metric->stale);
        }
      }
    }
  }
  return table;
}

}  // namespace residue::cli
