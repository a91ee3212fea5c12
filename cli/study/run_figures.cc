#include "cli/study/run_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/study/references.h"
#include "query/metric/outside_metrics.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::PublishedFigure;
using query::PublishedRow;
using query::Report;
using query::ReportRun;
using verbs::FigureColumn;
using verbs::FigureKey;
using verbs::FigureRow;
using verbs::FigureTable;

bool is_pooled(const FigureColumn& column) {
  const auto id = query::find_metric(column.metric);
  return id && query::counts_units(query::definition(*id).kind);
}

std::string title_of(const FigureColumn& column) {
  if (!column.title.empty()) return column.title;
  const auto id = query::find_metric(column.metric);
  return id ? label(*id) : column.metric;
}

Type type_of(verbs::KeyType type) {
  switch (type) {
    case verbs::KeyType::kInteger:
      return Type::kInteger;
    case verbs::KeyType::kReal:
      return Type::kReal;
    case verbs::KeyType::kText:
      break;
  }
  return Type::kText;
}

// A row of ours, or of a paper's figures for it.
struct Line {
  const FigureRow* row = nullptr;
  const PublishedRow* published = nullptr;
};

// What all forms of one table have in common.
class Layout {
 public:
  Layout(const FigureTable& figures, Form form, bool json) : figures_(figures), form_(form), json_(json) {
    for (const FigureColumn& column : figures.columns) {
      if (const auto id = query::find_metric(column.metric)) metrics_.push_back(*id);
    }
    for (const FigureRow& row : figures.rows) {
      lines_.push_back({&row, nullptr});
      sampled_ = sampled_ || row.report->sample != 0;
      dropped_ = dropped_ || row.report->missing == query::MissingPolicy::kDrop;
      stale_ = stale_ || row.stale;
      seeds_ = seeds_ || row.report->seeds > 1;
      answered_ = answered_ || !std::holds_alternative<std::monostate>(answerers_cell(*row.run, metrics_));
      for (const PublishedRow* one : row.published) {
        if (!one->dataset.empty()) datasets_.insert(one->dataset);
        if (!json) lines_.push_back({&row, one});
      }
    }
    for (std::size_t i = 0; i < figures.columns.size(); ++i) {
      if (!figures.columns[i].optional || computed(i) || printed(i)) columns_.push_back(i);
    }
  }

  [[nodiscard]] Table people() const {
    Table table;
    heads(table);
    const std::vector<Group> groups = grouped();
    const bool one = groups.size() < 2;
    for (const Group& group : groups) {
      for (const std::size_t c : group.columns) {
        const FigureColumn& column = figures_.columns[c];
        const int tied = !one && c != group.columns.front() ? 1 : 0;  // they are counted together
        table.columns.push_back({column.metric, Type::kReal, title_of(column), false, tied});
        if (deviates(c)) table.columns.push_back({column.metric + "_std", Type::kReal, "±", false, 2});
      }
      if (!one) count_columns(table, group.lost, 2);
    }
    if (one) count_columns(table, true, 0);
    tails(table);
    for (const Line& line : lines_) {
      std::vector<Cell> row = head_cells(line);
      for (const Group& group : groups) {
        for (const std::size_t c : group.columns) {
          const auto [value, deviation] = shown(line, c);
          row.push_back(value);
          if (deviates(c)) row.push_back(deviation);
        }
        if (!one) count_cells(row, line, group.columns, group.lost);
      }
      if (one) count_cells(row, line, columns_, true);
      tail_cells(row, line);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  [[nodiscard]] Table file() const {
    Table table;
    heads(table);
    for (const FigureColumn& column : figures_.columns) table.columns.push_back({column.metric, Type::kReal, ""});
    for (const FigureColumn& column : figures_.columns) {
      for (const char* what : {"_low", "_high", "_std"})
        table.columns.push_back({column.metric + what, Type::kReal, ""});
      for (const char* what : {"_n", "_failed", "_missing", "_not_applicable"})
        table.columns.push_back({column.metric + what, Type::kInteger, ""});
      table.columns.push_back({column.metric + "_coverage", Type::kReal, ""});
      if (is_pooled(column)) table.columns.push_back({column.metric + "_units", Type::kInteger, ""});
    }
    tails(table);
    for (const Line& line : lines_) {
      std::vector<Cell> row = head_cells(line);
      for (std::size_t c = 0; c < figures_.columns.size(); ++c) row.push_back(shown(line, c).value);
      for (std::size_t c = 0; c < figures_.columns.size(); ++c) file_cells(row, line, c);
      tail_cells(row, line);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  [[nodiscard]] std::vector<Json> references() const {
    std::vector<Json> all;
    for (const FigureRow& row : figures_.rows) {
      all.push_back(Json::array());
      for (const PublishedRow* one : row.published) all.back().push_back(reference_json(*one));
    }
    return all;
  }

 private:
  // Neighbouring columns that are of the same records in every row.
  struct Group {
    std::vector<std::size_t> columns;
    bool lost = false;  // some record failed or is missing
  };
  struct Pair {
    Cell value, deviation;
  };

  [[nodiscard]] bool computed(std::size_t c) const {
    return std::any_of(figures_.rows.begin(), figures_.rows.end(),
                       [&](const FigureRow& row) { return row.values[c].has_value(); });
  }

  // Whether some paper has a figure in it.
  [[nodiscard]] bool printed(std::size_t c) const {
    return std::any_of(lines_.begin(), lines_.end(), [&](const Line& line) {
      return line.published != nullptr &&
             published_figure(*line.published, figures_.columns[c], line.row->part) != nullptr;
    });
  }

  [[nodiscard]] bool deviates(std::size_t c) const {
    const auto id = query::find_metric(figures_.columns[c].metric);
    if (seeds_ && id && query::needs_attack(query::definition(*id))) return true;
    return std::any_of(lines_.begin(), lines_.end(), [&](const Line& line) {
      return !std::holds_alternative<std::monostate>(shown(line, c).deviation);
    });
  }

  [[nodiscard]] std::vector<Group> grouped() const {
    std::vector<Group> groups;
    std::vector<const MetricValue*> first(figures_.rows.size(), nullptr);
    for (const std::size_t c : columns_) {
      bool fits = !groups.empty();
      for (std::size_t r = 0; r < first.size() && fits; ++r) {
        const auto& value = figures_.rows[r].values[c];
        if (!value || !value->value || first[r] == nullptr) continue;
        fits = value->n == first[r]->n && value->failed == first[r]->failed && value->missing == first[r]->missing;
      }
      if (!fits) {
        groups.emplace_back();
        std::fill(first.begin(), first.end(), nullptr);
      }
      groups.back().columns.push_back(c);
      for (std::size_t r = 0; r < first.size(); ++r) {
        const auto& value = figures_.rows[r].values[c];
        if (!value || !value->value) continue;
        if (first[r] == nullptr) first[r] = &*value;
        groups.back().lost = groups.back().lost || value->failed + value->missing > 0;
      }
    }
    return groups;
  }

  void heads(Table& table) const {
    table.columns = {{"run", Type::kText, "", true}};
    for (const FigureKey& key : figures_.keys) table.columns.push_back({key.name, type_of(key.type), "", true});
  }

  [[nodiscard]] std::vector<Cell> head_cells(const Line& line) const {
    std::string name = line.row->run->run;
    if (line.published != nullptr && form_ != Form::kFile) {
      name = fmt::format("{} ({})", name, short_source(*line.published, datasets_.size() > 1));
    }
    std::vector<Cell> row{Cell(std::move(name))};
    row.insert(row.end(), line.row->keys.begin(), line.row->keys.end());
    return row;
  }

  [[nodiscard]] Pair shown(const Line& line, std::size_t c) const {
    if (line.published != nullptr) {
      const PublishedFigure* figure = published_figure(*line.published, figures_.columns[c], line.row->part);
      return figure == nullptr ? Pair{} : Pair{figure->value, cell(figure->deviation)};
    }
    const auto& value = line.row->values[c];
    if (!value) return {};
    if (!value->value && form_ != Form::kFile) return {Cell(std::string("n/a")), {}};
    if (value->seeds && form_ != Form::kFile)
      return {Cell(real_text(*value->value) + seeds_text(*value, *line.row->report)), cell(value->deviation)};
    return {cell(value->value), cell(value->deviation)};
  }

  static void count_columns(Table& table, bool lost, int tied) {
    table.columns.push_back({"n", Type::kInteger, "", false, tied});
    if (!lost) return;
    for (const char* what : {"failed", "missing"}) table.columns.push_back({what, Type::kInteger, "", false, 2});
  }

  static void count_cells(std::vector<Cell>& row, const Line& line, const std::vector<std::size_t>& columns,
                          bool lost) {
    const MetricValue* of = nullptr;
    for (const std::size_t c : columns) {
      const auto& value = line.row->values[c];
      if (line.published == nullptr && value && (of == nullptr || (!of->value && value->value))) of = &*value;
    }
    row.push_back(of == nullptr ? Cell() : count_cell(of->n));
    if (!lost) return;
    row.push_back(of == nullptr ? Cell() : count_cell(of->failed));
    row.push_back(of == nullptr ? Cell() : count_cell(of->missing));
  }

  void file_cells(std::vector<Cell>& row, const Line& line, std::size_t c) const {
    const MetricValue* value = line.published == nullptr && line.row->values[c] ? &*line.row->values[c] : nullptr;
    row.push_back(value == nullptr ? Cell() : cell(value->low));
    row.push_back(value == nullptr ? Cell() : cell(value->high));
    row.push_back(shown(line, c).deviation);
    for (const auto count :
         {&MetricValue::n, &MetricValue::failed, &MetricValue::missing, &MetricValue::not_applicable})
      row.push_back(value == nullptr ? Cell() : count_cell(value->*count));
    row.push_back(value == nullptr ? Cell() : cell(value->coverage));
    if (is_pooled(figures_.columns[c])) row.push_back(value == nullptr ? Cell() : units_cell(*value));
  }

  // JSON has them beside the rows.
  [[nodiscard]] bool names_papers() const { return form_ == Form::kFile && !json_ && figures_.with_published; }

  // Who answered: on a terminal the heading says so.
  [[nodiscard]] bool names_models() const { return form_ == Form::kFile || (form_ == Form::kDocument && answered_); }

  void tails(Table& table) const {
    if (sampled_) table.columns.push_back({"sample", Type::kInteger, ""});
    if (dropped_) table.columns.push_back({"missing_policy", Type::kText, "policy"});
    if (form_ != Form::kTerminal) {
      for (const char* name : {"protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
    }
    if (names_models()) table.columns.push_back({"model", Type::kText, ""});
    if (form_ == Form::kFile || stale_) table.columns.push_back({"stale", Type::kInteger, ""});
    if (names_papers()) table.columns.push_back({"reference", Type::kText, ""});
  }

  void tail_cells(std::vector<Cell>& row, const Line& line) const {
    const Report& report = *line.row->report;
    const bool ours = line.published == nullptr;
    if (sampled_) row.push_back(!ours || report.sample == 0 ? Cell() : cell(report.sample));
    if (dropped_) {
      row.push_back(ours && report.missing == query::MissingPolicy::kDrop ? Cell("drop") : Cell());
    }
    if (form_ != Form::kTerminal) {
      row.push_back(ours ? Cell(report.protocol) : Cell());
      row.push_back(ours ? Cell(report.judge) : Cell());
    }
    if (names_models()) row.push_back(ours ? answerers_cell(*line.row->run, metrics_) : Cell());
    if (form_ == Form::kFile || stale_) row.push_back(ours ? Cell(std::int64_t{line.row->stale}) : Cell());
    if (names_papers()) row.push_back(ours ? Cell() : Cell(line.published->text()));
  }

  const FigureTable& figures_;
  Form form_;
  bool json_;
  std::vector<std::size_t> columns_;  // that people see
  std::vector<MetricId> metrics_;     // of all columns
  std::vector<Line> lines_;
  std::set<std::string> datasets_;
  bool sampled_ = false, dropped_ = false, stale_ = false, seeds_ = false, answered_ = false;
};

}  // namespace

std::string remedy(const std::string& metric, const std::string& dataset) {
  const auto id = query::find_metric(metric);
  if (!id) return "this program does not compute it";
  if (metric == "embedding_distance") return fmt::format("residue eval {} --metrics ", dataset);  // needs vectors
  switch (query::definition(*id).tier) {
    case query::Tier::kCorpus:
      return fmt::format("residue eval {} --metrics ", dataset);  // and their names
    case query::Tier::kTask:
      return fmt::format("residue ask {0} or residue ingest answers {0} FILE, then residue eval {0}", dataset);
    case query::Tier::kLabel:
      return fmt::format("residue ingest labels {0} FILE --kind span|entity, then residue eval {0}", dataset);
    case query::Tier::kText:
      if (*id == MetricId::kSentimentAccuracy) return fmt::format("residue eval {} --lexicon FILE", dataset);
      break;
    default:
      break;
  }
  return fmt::format("residue eval {}", dataset);
}

Shown figure_table(const FigureTable& figures, Form form, bool json) {
  const Layout layout(figures, form, json);
  Shown shown{form == Form::kFile ? layout.file() : layout.people(), {}};
  if (json && figures.with_published) shown.references = layout.references();
  return shown;
}

std::vector<std::string> figure_notes(const FigureTable& figures, const std::string& dataset) {
  std::vector<std::string> notes;
  std::map<std::string, std::vector<std::string>> absent;   // by remedy
  std::map<std::string, std::vector<std::string>> reasons;  // by reason
  std::vector<std::string> some;                            // means of some of the seeds
  for (std::size_t c = 0; c < figures.columns.size(); ++c) {
    const FigureColumn& column = figures.columns[c];
    const auto id = query::find_metric(column.metric);
    bool any = column.optional;
    for (const FigureRow& row : figures.rows) {
      any = any || row.values[c].has_value();
      if (row.values[c] && row.values[c]->seeds)
        some.push_back(fmt::format("{} of {}{}", column.metric, row.run->run, seeds_text(*row.values[c], *row.report)));
      const query::ReportMetric* metric = id ? metric_of(*row.run, *id) : nullptr;
      if (metric == nullptr || metric->reason.empty() || !row.part.empty()) continue;
      reasons[metric->reason].push_back(fmt::format("{} of {}", column.metric, row.run->run));
    }
    if (!any) absent[remedy(column.metric, dataset)].push_back(column.metric);
  }
  for (const auto& [what, metrics] : absent) {
    notes.push_back(fmt::format("not computed: {}; {}{}", fmt::join(metrics, ", "), what,
                                what.back() == ' ' ? fmt::format("{}", fmt::join(metrics, ",")) : ""));
  }
  if (!some.empty()) notes.push_back(fmt::format("not applicable under every seed: {}", fmt::join(some, ", ")));
  for (const auto& [why, metrics] : reasons) {
    notes.push_back(fmt::format("not applicable: {}: {}", fmt::join(metrics, ", "), why));
  }
  return notes;
}

}  // namespace residue::cli
