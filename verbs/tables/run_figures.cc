#include "verbs/tables/run_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "query/report/report_values.h"
#include "verbs/tables/references.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

// Parts of accuracy_at_certainty are numbers; beside parts of other metrics they say of what.
constexpr std::string_view kCertainty = "certainty ";

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

template <class Number>
KeyValue key_of(const std::optional<Number>& number) {
  return number ? KeyValue(*number) : KeyValue();
}

struct Definition {
  std::string_view name;
  std::vector<FigureColumn> columns;
  std::vector<FigureKey> keys = {};
  std::vector<KeyValue> (*key_values)(const ReportRun&) = nullptr;
  Order before = nullptr;                // nothing: as the report has them
  std::vector<PartQuestion> parts = {};  // below the runs
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
       {{"round", KeyType::kInteger}},
       [](const ReportRun& run) { return std::vector<KeyValue>{key_of(round_of(run))}; },
       by_round,
       {{MetricId::kAttributeAccuracy,
         "",
         {"level ", "hardness "},
         "attribute",
         "labels",
         "share of labels guessed right, by attribute"},
        {MetricId::kAttributeAccuracy, "level ", {}, "level", "labels", "by location level"},
        {MetricId::kAttributeAccuracy, "hardness ", {}, "hardness", "labels", "by hardness"},
        {MetricId::kAccuracyAtCertainty,
         "",
         {},
         "certainty",
         "guesses",
         "share of guesses of a certainty that are right"}}},
      {"redaction",
       {{"redaction_recall", "recall"},
        {"redaction_precision", "precision"},
        {"redaction_f1", "F1"},
        {"sentiment_accuracy", "sentiment"},
        {"topic_distance", "topic"},
        {"qa_accuracy", "Q&A"},
        {"qa_accuracy_true", "Q&A true"}},
       {{"p", KeyType::kReal}},
       [](const ReportRun& run) { return std::vector<KeyValue>{key_of(threshold_of(run))}; },
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
       {{MetricId::kPrivacyError,
         "",
         {},
         "type",
         "entities",
         "privacy_error: entities that should have been replaced and were not, by type"},
        {MetricId::kUtilityError,
         "",
         {},
         "type",
         "entities",
         "utility_error: entities that should have stayed and did not, by type"}}},
  };
  return all;
}

const Definition* find_definition(std::string_view table) {
  const auto& all = definitions();
  const auto found = std::ranges::find(all, table, &Definition::name);
  return found == all.end() ? nullptr : &*found;
}

const Definition& definition_of(std::string_view table) {
  const Definition* found = find_definition(table);
  if (found == nullptr) throw Error(Code::kInternal, fmt::format("the table {} has no definition", table));
  return *found;
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
      parts.insert((id == MetricId::kAccuracyAtCertainty ? std::string(kCertainty) : "") + name);
    }
  }
  return parts;
}

// Those that have a figure for one of the columns.
std::vector<const query::PublishedRow*> published_for(const FigureRow& row, const Definition& of) {
  auto rows = references_of(of.name, *row.report, *row.run);
  std::erase_if(rows, [&](const query::PublishedRow* one) {
    return std::ranges::none_of(
        of.columns, [&](const FigureColumn& column) { return published_figure(*one, column, row.part) != nullptr; });
  });
  return rows;
}

}  // namespace

std::optional<MetricValue> figure_of(const ReportRun& run, std::string_view metric, std::string_view part) {
  const auto id = query::find_metric(metric);
  const ReportMetric* found = id ? metric_of(run, *id) : nullptr;
  if (found == nullptr) return std::nullopt;
  if (part.empty()) return found->all;
  const bool by_certainty = id == MetricId::kAccuracyAtCertainty;
  if (by_certainty != part.starts_with(kCertainty)) return std::nullopt;
  const auto cut = found->cuts.find(std::string(by_certainty ? part.substr(kCertainty.size()) : part));
  return cut == found->cuts.end() ? std::nullopt : std::optional(cut->second);
}

const query::PublishedFigure* published_figure(const query::PublishedRow& row, const FigureColumn& column,
                                               const std::string& part) {
  const auto found = row.figures.find(part.empty() ? column.metric : column.metric + "/" + part);
  return found == row.figures.end() ? nullptr : &found->second;
}

FigureTable run_figures(const std::vector<const Report*>& reports, const FigureRequest& request) {
  const Definition& of = definition_of(request.table);
  FigureTable figures{of.keys, of.columns, {}, request.published};
  const bool by_part = request.by_part && !of.parts.empty();
  if (by_part) figures.keys.push_back({"part", KeyType::kText});
  for (const Report* report : reports) {
    std::vector<const ReportRun*> runs;
    for (const ReportRun& run : report->runs) runs.push_back(&run);
    if (of.before != nullptr) {
      std::ranges::stable_sort(runs, [&](const auto* a, const auto* b) { return of.before(*a, *b); });
    }
    for (const ReportRun* run : runs) {
      const auto add = [&](const std::string& part) {
        FigureRow row{report, run, part, {}, values_of(*run, of, part), any_stale(*run, of)};
        if (of.key_values != nullptr) row.keys = of.key_values(*run);
        if (by_part) row.keys.emplace_back(part);
        if (request.published) row.published = published_for(row, of);
        figures.rows.push_back(std::move(row));
      };
      add("");
      if (!by_part) continue;
      for (const std::string& part : parts_of(*run, of)) add(part);
    }
  }
  return figures;
}

std::vector<PartFigures> part_sections(const Report& report, const FigureRequest& request) {
  const Definition& of = definition_of(request.table);
  std::vector<PartFigures> sections;
  for (PartQuestion question : of.parts) {
    question.before = of.before;
    if (request.published) question.published = of.name;
    sections.push_back(part_figures(report, question));
    if (sections.back().names.empty()) sections.pop_back();
  }
  return sections;
}

bool shows_judgments(std::string_view table) {
  const Definition* of = find_definition(table);
  return of == nullptr || std::ranges::any_of(of->columns, [](const FigureColumn& column) {
           const auto id = query::find_metric(column.metric);
           return id && query::definition(*id).tier == query::Tier::kJudge;
         });
}

}  // namespace residue::verbs
