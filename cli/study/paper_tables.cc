#include "cli/study/paper_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "cli/report/report_cells.h"
#include "cli/study/part_table.h"
#include "cli/study/references.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

// Nothing where the text is no number, or holds more than one.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Round 2 of an iterative method is its run NAME@2.
std::optional<std::int64_t> round_of(const ReportRun& run) {
  const auto at = run.run.rfind('@');
  if (at == std::string::npos) return std::nullopt;
  const auto round = number_in<std::int64_t>(std::string_view(run.run).substr(at + 1));
  return round && *round > 0 ? round : std::nullopt;
}

std::string without_round(const ReportRun& run) {
  return round_of(run) ? run.run.substr(0, run.run.rfind('@')) : run.run;
}

// The threshold below which a word's probability redacts it (ZSTS).
std::optional<double> threshold_of(const ReportRun& run) {
  const auto p = run.params.find("p");
  if (p == run.params.end()) return std::nullopt;
  const auto threshold = number_in<double>(p->second);
  return threshold && std::isfinite(*threshold) ? threshold : std::nullopt;
}

using Order = bool (*)(const ReportRun&, const ReportRun&);

bool by_round(const ReportRun& a, const ReportRun& b) {
  return std::tuple(a.control, without_round(a), round_of(a).value_or(0)) <
         std::tuple(b.control, without_round(b), round_of(b).value_or(0));
}

bool by_threshold(const ReportRun& a, const ReportRun& b) {
  return std::tuple(a.control, a.sanitizer.value_or(""), threshold_of(a).value_or(-1)) <
         std::tuple(b.control, b.sanitizer.value_or(""), threshold_of(b).value_or(-1));
}

struct PartSection {
  std::string title;
  PartTable table;
};

struct Definition {
  std::string_view name;
  std::vector<FigureColumn> columns;
  std::vector<FigureKey> keys = {};
  std::vector<Cell> (*key_cells)(const ReportRun&) = nullptr;
  Order before = nullptr;               // nothing: as the report has them
  std::vector<PartSection> parts = {};  // for people, below the runs; files have a row for each part
};

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = {
      {"privacy-utility",
       {{"lexical_distance_linked"},
        {"semantic_distance"},
        {"task_accuracy", "accuracy", true},
        {"category_preservation", "categories", true},
        {"utility_combined", "utility", true},
        {"coherence", "coherence", true}}},
      {"metrics",
       {{"mauve"},
        {"embedding_distance"},
        {"pii_existence"},
        {"lexical_distance_linked"},
        {"lexical_distance", "", true},
        {"semantic_distance"}}},
      {"adversarial",
       {{"attribute_accuracy", "accuracy↓"},
        {"attribute_accuracy_any", "any of 3↓"},
        {"attribute_accuracy_certain", "certain↓"},
        {"accuracy_at_certainty", "of certain", true},
        {"mean_certainty", "certainty↓"},
        {"utility_combined", "utility"},
        {"task_accuracy", "task", true}},
       {{"round", Type::kInteger}},
       [](const ReportRun& run) { return std::vector<Cell>{cell(round_of(run))}; },
       by_round,
       {{"share of labels guessed right, by attribute",
         {MetricId::kAttributeAccuracy, "", {"level ", "hardness "}, "attribute", "labels"}},
        {"by location level", {MetricId::kAttributeAccuracy, "level ", {}, "level", "labels"}},
        {"by hardness", {MetricId::kAttributeAccuracy, "hardness ", {}, "hardness", "labels"}},
        {"share of guesses of a certainty that are right",
         {MetricId::kAccuracyAtCertainty, "", {}, "certainty", "guesses"}}}},
      {"redaction",
       {{"redaction_recall", "recall"},
        {"redaction_precision", "precision"},
        {"redaction_f1", "F1"},
        {"sentiment_accuracy", "sentiment"},
        {"topic_distance", "topic"},
        {"qa_accuracy", "Q&A"},
        {"qa_accuracy_true", "Q&A true"}},
       {{"p", Type::kReal}},
       [](const ReportRun& run) { return std::vector<Cell>{cell(threshold_of(run))}; },
       by_threshold},
      {"pseudonymization",
       {{"response_rouge1_f", "ROUGE-1"},
        {"response_rouge2_f", "ROUGE-2"},
        {"response_rougeL_f", "ROUGE-L"},
        {"response_bleu1", "BLEU-1"},
        {"response_bleu2", "BLEU-2"},
        {"response_bleu3", "BLEU-3"},
        {"response_bleu4", "BLEU-4"},
        {"privacy_error"},
        {"utility_error"},
        {"detectability"}},
       {},
       nullptr,
       nullptr,
       {{"privacy_error: entities that should have been replaced and were not, by type",
         {MetricId::kPrivacyError, "", {}, "type", "entities"}},
        {"utility_error: entities that should have stayed and did not, by type",
         {MetricId::kUtilityError, "", {}, "type", "entities"}}}},
  };
  return all;
}

std::vector<std::optional<MetricValue>> values_of(const ReportRun& run, const Definition& of, const std::string& part) {
  std::vector<std::optional<MetricValue>> values;
  for (const FigureColumn& column : of.columns) {
    values.push_back(figure_of(run, column.metric, part));
  }
  return values;
}

bool any_stale(const ReportRun& run, const Definition& of) {
  return std::any_of(of.columns.begin(), of.columns.end(), [&](const FigureColumn& column) {
    const auto id = query::find_metric(column.metric);
    return id && is_stale(run, *id);
  });
}

// The parts that a run has of any of the columns.
std::set<std::string> parts_of(const ReportRun& run, const Definition& of) {
  std::set<std::string> parts;
  for (const FigureColumn& column : of.columns) {
    const auto id = query::find_metric(column.metric);
    const ReportMetric* metric = id ? metric_of(run, *id) : nullptr;
    if (metric == nullptr) continue;
    for (const auto& [name, value] : metric->cuts) {
      parts.insert((id == MetricId::kAccuracyAtCertainty ? "certainty " : "") + name);
    }
  }
  return parts;
}

FigureTable figures_of(const std::vector<const Report*>& reports, const Definition& of, const TableRequest& request) {
  FigureTable figures{of.keys, of.columns, {}, request.reference ? std::string(of.name) : std::string()};
  const bool with_parts = request.form == Form::kFile && !of.parts.empty();
  if (with_parts) figures.keys.push_back({"part", Type::kText});
  for (const Report* report : reports) {
    std::vector<const ReportRun*> runs;
    for (const ReportRun& run : report->runs) runs.push_back(&run);
    if (of.before != nullptr) {
      std::stable_sort(runs.begin(), runs.end(), [&](const auto* a, const auto* b) { return of.before(*a, *b); });
    }
    for (const ReportRun* run : runs) {
      const auto add = [&](const std::string& part) {
        FigureRow row{report, run, part, {}, values_of(*run, of, part), any_stale(*run, of)};
        if (of.key_cells != nullptr) row.keys = of.key_cells(*run);
        if (with_parts) row.keys.emplace_back(part);
        figures.rows.push_back(std::move(row));
      };
      add("");
      if (!with_parts) continue;
      for (const std::string& part : parts_of(*run, of)) add(part);
    }
  }
  return figures;
}

// FSP Figure 5.
Table distribution(const Report& report) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  for (int bin = 0; bin < 10; ++bin) {
    table.columns.push_back({fmt::format("from_0_{}", bin), Type::kInteger, fmt::format("{}.{}-", bin / 10, bin % 10)});
  }
  for (const char* count : {"n", "failed", "missing"}) table.columns.push_back({count, Type::kInteger, ""});
  for (const ReportRun& run : report.runs) {
    std::vector<Cell> row{Cell(run.run)};
    const ReportMetric* metric = metric_of(run, MetricId::kDistanceHistogram);
    const auto counts = metric == nullptr ? std::vector<double>() : bin_counts(*metric);
    for (std::size_t bin = 0; bin < 10; ++bin) {
      row.push_back(bin < counts.size() ? count_cell(counts[bin]) : Cell());
    }
    for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing}) {
      row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.*count));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Whose numbers they are; the rows are the report's runs.
void add_context(Table& table, const Report& report, Form form, bool stale) {
  if (form != Form::kTerminal) {
    for (const char* name : {"protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
  }
  if (stale) table.columns.push_back({"stale", Type::kInteger, ""});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (form != Form::kTerminal) table.rows[i].insert(table.rows[i].end(), {report.protocol, report.judge});
    if (stale) table.rows[i].push_back(std::int64_t{is_stale(report.runs[i], MetricId::kDistanceHistogram)});
  }
}

Table distributions(const std::vector<Report>& reports, Form form) {
  const auto any = [&](const auto& of) { return std::any_of(reports.begin(), reports.end(), of); };
  const bool sampled = any([](const Report& report) { return report.sample != 0; });
  const bool stale = form == Form::kFile || any([](const Report& report) {
                       return std::any_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
                         return is_stale(run, MetricId::kDistanceHistogram);
                       });
                     });
  Table all;
  for (const Report& report : reports) {
    Table one = with_sample(distribution(report), report, sampled);
    add_context(one, report, form, stale);
    all.columns = std::move(one.columns);
    for (auto& row : one.rows) all.rows.push_back(std::move(row));
  }
  return all;
}

PaperTable categories(const std::vector<Report>& reports, Form form) {
  PaperTable result;
  if (form == Form::kFile) {
    Table all;
    for (const Report& report : reports) {
      Table one = long_categories(report);
      all.columns = std::move(one.columns);
      for (auto& row : one.rows) all.rows.push_back(std::move(row));
    }
    result.sections.push_back({"", {std::move(all), {}}});
    return result;
  }
  for (const Report& report : reports) {
    PartTable wanted{MetricId::kLeakByCategory, "", {}, "category", "claims"};
    result.sections.push_back({fmt::format("shares of claims that leaked; categories by {}", report.categorizer),
                               {part_table(report, wanted, nullptr), {}}});
  }
  return result;
}

void add_reference_notes(const std::set<const query::PublishedRow*>& rows, const TableRequest& request,
                         PaperTable& result) {
  const auto published = query::published_rows();
  const bool any =
      std::any_of(published.begin(), published.end(), [&](const auto& row) { return row.table == request.name; });
  if (!any) {
    result.notes.push_back(fmt::format("--reference: the papers print no figures for the table {}; they do for {}",
                                       request.name, tables_with_figures()));
  } else if (rows.empty()) {
    result.notes.emplace_back(
        "--reference: no run is named as a row of the papers' tables; --param reference=NAME of residue ingest run "
        "says which one it is (docs/tables.md)");
  }
  for (std::string& note : reference_notes(rows)) result.notes.push_back(std::move(note));
}

}  // namespace

bool shows_judgments(std::string_view table) {
  const auto& all = definitions();
  const auto of = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == table; });
  return of == all.end() || std::any_of(of->columns.begin(), of->columns.end(), [](const FigureColumn& column) {
           const auto id = query::find_metric(column.metric);
           return id && query::definition(*id).tier == query::Tier::kJudge;
         });
}

PaperTable paper_table(const std::vector<Report>& reports, const TableRequest& request) {
  PaperTable result;
  std::set<const query::PublishedRow*> published;
  if (request.name == "distribution") {
    result.sections.push_back({"", {distributions(reports, request.form), {}}});
  } else if (request.name == "categories") {
    result = categories(reports, request.form);
  } else {
    const auto& all = definitions();
    const auto of = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == request.name; });
    if (of == all.end()) throw Error(Code::kInternal, fmt::format("the table {} has no definition", request.name));
    std::vector<const Report*> them;
    for (const Report& report : reports) them.push_back(&report);
    const FigureTable figures = figures_of(them, *of, request);
    result.sections.push_back({"", figure_table(figures, request.form, request.json)});
    result.notes = figure_notes(figures, reports.front().dataset);
    for (const Report& report : reports) {
      for (const ReportRun& run : report.runs) {
        if (!request.reference) break;
        for (const auto* row : references_of(request.name, report, run)) published.insert(row);
      }
      for (const PartSection& section : of->parts) {
        if (request.form == Form::kFile) break;
        PartTable wanted = section.table;
        wanted.before = of->before;
        if (request.reference) wanted.published = of->name;
        Table table = part_table(report, wanted, &published);
        if (!table.rows.empty()) result.sections.push_back({section.title, {std::move(table), {}}});
      }
    }
  }
  if (request.reference) add_reference_notes(published, request, result);
  return result;
}

}  // namespace residue::cli
