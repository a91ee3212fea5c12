#include "cli/report/compare_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"

namespace residue::cli {
namespace {

using query::Compared;
using query::Flip;
using query::Frontier;
using query::FrontierRun;
using query::MetricDelta;
using query::RunDelta;

std::string label(query::MetricId id) {
  const auto& metric = query::definition(id);
  const std::string_view arrow = metric.direction == "higher = more private"   ? "↑"
                                 : metric.direction == "higher = less private" ? "↓"
                                                                               : "";
  return fmt::format("{}{}", metric.name, arrow);
}

std::string corrected_name(query::Correction correction) {
  return correction == query::Correction::kHolm ? "p_holm" : "p_bh";
}

// Three decimals; what rounds to zero has no sign.
std::string rounded(const std::optional<double>& value) {
  if (!value) return "-";
  std::string text = fmt::format("{:.3f}", *value);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return text;
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.001 ? "<.001" : fmt::format("{:.3f}", *p);
}

std::optional<double> low_of(const MetricDelta& metric) {
  return metric.delta.interval ? std::optional(metric.delta.interval->low) : std::nullopt;
}
std::optional<double> high_of(const MetricDelta& metric) {
  return metric.delta.interval ? std::optional(metric.delta.interval->high) : std::nullopt;
}

// `first`: what the rows are.
Table terminal_deltas(const std::vector<MetricDelta>& metrics, const std::string& first, query::Correction correction,
                      bool power) {
  Table table;
  table.columns.push_back({first, Type::kText, "", true});
  for (const char* name : {"baseline", "value", "delta", "low", "high"}) {
    table.columns.push_back({name, Type::kReal, std::string_view(name) == "baseline" ? "base" : ""});
  }
  table.columns.push_back({corrected_name(correction), Type::kReal, ""});
  table.columns.push_back({"effect", Type::kReal, "d"});
  table.columns.push_back({"n", Type::kReal, ""});
  if (power) table.columns.push_back({"detectable", Type::kReal, ""});
  for (const MetricDelta& metric : metrics) {
    table.rows.push_back({Cell(metric.cut.empty() ? label(metric.metric) : metric.cut), Cell(rounded(metric.delta.a)),
                          Cell(rounded(metric.delta.b)), Cell(rounded(metric.delta.difference)),
                          Cell(rounded(low_of(metric))), Cell(rounded(high_of(metric))),
                          Cell(p_text(metric.corrected_p)),
                          Cell(metric.effect ? fmt::format("{:.2f}", *metric.effect) : std::string("-")),
                          Cell(fmt::format("{}", metric.records))});
    if (power) table.rows.back().emplace_back(rounded(query::detectable_difference(metric.delta)));
  }
  return table;
}

// A table for each metric that has parts.
std::string terminal_parts(const RunDelta& run, query::Correction correction, const Look& look, bool power) {
  std::string text;
  for (std::size_t begin = 0; begin < run.parts.size();) {
    std::size_t end = begin;
    while (end < run.parts.size() && run.parts[end].metric == run.parts[begin].metric) ++end;
    std::vector<MetricDelta> changed;
    for (std::size_t i = begin; i < end; ++i) {
      if (run.parts[i].delta.difference.value_or(0) != 0) changed.push_back(run.parts[i]);
    }
    const std::string name = label(run.parts[begin].metric);
    if (!changed.empty()) text += "\n" + render_table(terminal_deltas(changed, name, correction, power), look);
    if (const std::size_t same = end - begin - changed.size(); same > 0) {
      text += fmt::format("\n{}: {} {} without change, or without common records\n", name, same,
                          same == 1 ? "part" : "parts");
    }
    begin = end;
  }
  return text;
}

std::string claim_reference(const Compared& compared, const Flip& flip) {
  return fmt::format("{}/{}#{}", compared.what.lens.dataset_name, flip.record, flip.n);
}

// The record as the run left it that gives the claim away.
std::string look_command(const Compared& compared, const RunDelta& run, const Flip& flip, const std::string& flags) {
  return fmt::format("residue show {} --run {}{}",
                     shell_word(fmt::format("{}/{}", compared.what.lens.dataset_name, flip.record)),
                     flip.leaked ? run.run : compared.baseline, flags);
}

Table flips_of(const Compared& compared, const std::vector<const RunDelta*>& runs, const std::string& flags,
               bool with_run) {
  bool categories = false;
  for (const RunDelta* run : runs) {
    if (!run->flips) continue;
    for (const Flip& flip : run->flips->flips) categories = categories || !flip.categories.empty();
  }
  Table table;
  if (with_run) table.columns.push_back({"run", Type::kText, "", true});
  table.columns.push_back({"claim", Type::kText, "", true});
  table.columns.push_back({"became", Type::kText, ""});
  table.columns.push_back({"rating", Type::kInteger, ""});
  if (categories) table.columns.push_back({"categories", Type::kText, ""});
  table.columns.push_back({"look", Type::kText, ""});
  for (const RunDelta* run : runs) {
    if (!run->flips) continue;
    for (const Flip& flip : run->flips->flips) {
      std::vector<Cell> row;
      if (with_run) row.emplace_back(run->run);
      row.emplace_back(claim_reference(compared, flip));
      row.emplace_back(std::string(flip.leaked ? "leaked" : "private"));
      row.emplace_back(std::int64_t{flip.rating});
      if (categories) row.emplace_back(fmt::format("{}", fmt::join(flip.categories, ", ")));
      row.emplace_back(look_command(compared, *run, flip, flags));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string lost_words(const RunDelta& run, const Compared& compared) {
  std::uint64_t records = 0;
  query::Lost a, b;
  const bool only_whole = std::ranges::all_of(run.metrics, [](const MetricDelta& metric) { return metric.whole; });
  for (const MetricDelta& metric : run.metrics) {
    if (metric.records < records || (metric.whole && !only_whole)) continue;
    records = metric.records;
    a = metric.lost_baseline;
    b = metric.lost;
  }
  if (only_whole) {
    return fmt::format("failed {} and {}, missing {} and {}: each run's own, {}", a.failed, b.failed, a.missing,
                       b.missing, compared.missing == query::MissingPolicy::kDrop ? "left out" : "counted as leaked");
  }
  if (compared.missing == query::MissingPolicy::kDrop) return "only records with a value in both";
  return fmt::format("failed {} and {}, missing {} and {}: counted as leaked", a.failed, b.failed, a.missing,
                     b.missing);
}

// Which numbers have no test, and why.
std::string whole_words(const RunDelta& run) {
  std::vector<std::string_view> names;
  for (const MetricDelta& metric : run.metrics) {
    if (metric.whole) names.push_back(query::definition(metric.metric).name);
  }
  if (names.empty()) return {};
  return fmt::format("\nof whole runs, each by its own records, so without interval and test: {}\n",
                     fmt::join(names, ", "));
}

std::string flip_words(const query::Flips& flips) {
  std::string words =
      fmt::format("{} claims became leaked, {} became private, {} leak in both\n", grouped(flips.became_leaked),
                  grouped(flips.became_private), grouped(flips.leaked_in_both));
  if (flips.lost + flips.gained > 0) {
    words +=
        fmt::format("{} claims private in the baseline are of records without a rating here, {} the other way round\n",
                    grouped(flips.lost), grouped(flips.gained));
  }
  return words;
}

Json json_of(const MetricDelta& metric) {
  Json json = {{"baseline", metric.delta.a},
               {"value", metric.delta.b},
               {"delta", metric.delta.difference},
               {"low", low_of(metric)},
               {"high", high_of(metric)},
               {"detectable", query::detectable_difference(metric.delta)},
               {"p", metric.test ? Json(metric.test->p) : nullptr},
               {"p_corrected", metric.corrected_p},
               {"exact", metric.test ? Json(metric.test->exact) : nullptr},
               {"effect", metric.effect},
               {"dominance", metric.dominance},
               {"n", metric.records},
               {"units", metric.units},
               {"left_out", metric.left_out}};
  json["failed_baseline"] = metric.lost_baseline.failed;
  json["missing_baseline"] = metric.lost_baseline.missing;
  json["failed"] = metric.lost.failed;
  json["missing"] = metric.lost.missing;
  if (metric.whole) json["whole"] = true;
  return json;
}

Json flips_json(const Compared& compared, const RunDelta& run, const std::string& flags) {
  if (!run.flips) return nullptr;
  const query::Flips& flips = *run.flips;
  Json json = {{"became_leaked", flips.became_leaked},
               {"became_private", flips.became_private},
               {"leaked_in_both", flips.leaked_in_both},
               {"unrated_here", flips.lost},
               {"unrated_in_baseline", flips.gained}};
  json["claims"] = Json::array();
  for (const Flip& flip : flips.flips) {
    json["claims"].push_back({{"claim", claim_reference(compared, flip)},
                              {"became", flip.leaked ? "leaked" : "private"},
                              {"rating", flip.rating},
                              {"categories", flip.categories},
                              {"look", look_command(compared, run, flip, flags)}});
  }
  return json;
}

}  // namespace

Table deltas_table(const Compared& compared, Form form, bool power) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}, {"metric", Type::kText, "", true}};
  const bool slices = form == Form::kFile || std::any_of(compared.runs.begin(), compared.runs.end(),
                                                         [](const RunDelta& run) { return !run.parts.empty(); });
  if (slices) table.columns.push_back({"slice", Type::kText, "", true});
  for (const char* name : {"baseline", "value", "delta", "low", "high"})
    table.columns.push_back({name, Type::kReal, ""});
  const bool file = form == Form::kFile;
  if (file) table.columns.push_back({"p", Type::kReal, ""});
  table.columns.push_back({file ? "p_corrected" : corrected_name(compared.correction), Type::kReal, ""});
  table.columns.push_back({"effect", Type::kReal, ""});
  table.columns.push_back({"n", Type::kInteger, ""});
  if (file) {
    table.columns.push_back({"dominance", Type::kReal, ""});
    for (const char* name :
         {"exact", "units", "left_out", "failed_baseline", "missing_baseline", "failed", "missing"}) {
      table.columns.push_back({name, Type::kInteger, ""});
    }
    for (const char* name : {"correction", "baseline_run", "dataset", "protocol", "judge", "missing_policy"}) {
      table.columns.push_back({name, Type::kText, ""});
    }
  }
  if (file || power) table.columns.push_back({"detectable", Type::kReal, ""});
  for (const RunDelta& run : compared.runs) {
    std::vector<MetricDelta> rows = run.metrics;
    rows.insert(rows.end(), run.parts.begin(), run.parts.end());
    for (const MetricDelta& metric : rows) {
      std::vector<Cell> row{Cell(run.run),
                            Cell(file ? std::string(query::definition(metric.metric).name) : label(metric.metric))};
      if (slices) row.emplace_back(metric.cut);
      row.insert(row.end(), {cell(metric.delta.a), cell(metric.delta.b), cell(metric.delta.difference),
                             cell(low_of(metric)), cell(high_of(metric))});
      if (file) row.push_back(metric.test ? Cell(metric.test->p) : Cell());
      row.push_back(cell(metric.corrected_p));
      row.push_back(cell(metric.effect));
      row.push_back(cell(metric.records));
      if (file) {
        row.push_back(cell(metric.dominance));
        row.push_back(metric.test ? Cell(std::int64_t{metric.test->exact}) : Cell());
        for (const std::uint64_t count : {metric.units, metric.left_out, metric.lost_baseline.failed,
                                          metric.lost_baseline.missing, metric.lost.failed, metric.lost.missing}) {
          row.push_back(cell(count));
        }
        row.emplace_back(std::string(compared.correction == query::Correction::kHolm ? "holm" : "bh"));
        row.emplace_back(compared.baseline);
        row.emplace_back(compared.what.lens.dataset_name);
        row.emplace_back(compared.protocol);
        row.emplace_back(compared.what.lens.judge_name);
        row.emplace_back(std::string(compared.missing == query::MissingPolicy::kDrop ? "drop" : "leaked"));
      }
      if (file || power) row.push_back(cell(query::detectable_difference(metric.delta)));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table flips_table(const Compared& compared, const std::string& look_flags) {
  std::vector<const RunDelta*> runs;
  for (const RunDelta& run : compared.runs) runs.push_back(&run);
  return flips_of(compared, runs, look_flags, true);
}

std::string compare_text(const Compared& compared, const Frontier& frontier, const Look& look,
                         const std::string& look_flags, bool power) {
  const query::Lens& lens = compared.what.lens;
  std::string text =
      fmt::format("{}  against {}, protocol {}{}\n", lens.dataset_name, compared.baseline, compared.protocol,
                  compared.what.seeds > 1 ? fmt::format(", {} seeds", compared.what.seeds) : "");
  std::string validation = compared.validation;
  if (const auto next = validation.find("; "); next != std::string::npos) validation.replace(next, 2, "\n");
  text += fmt::format("judge {} ({}), {}\n", lens.judge_name, compared.judge_version, validation);
  if (lens.sample != 0) text += fmt::format("SAMPLE of {} target records\n", lens.sample);
  if (compared.common_to_all) text += "on the records common to all of these runs\n";
  for (const RunDelta& run : compared.runs) {
    text += fmt::format("\n{} against {}: {}\n\n", run.run, compared.baseline, lost_words(run, compared));
    if (!run.metrics.empty())
      text += render_table(terminal_deltas(run.metrics, "metric", compared.correction, power), look);
    text += whole_words(run);
    text += terminal_parts(run, compared.correction, look, power);
    if (!run.flips) continue;
    text += "\n" + flip_words(*run.flips);
    if (!run.flips->flips.empty()) text += "\n" + render_table(flips_of(compared, {&run}, look_flags, false), look);
  }
  if (power) {
    text += "\ndetectable: the least true difference that a comparison of this size finds in four of five cases\n";
  }
  return text + "\n" + frontier_words(frontier) + "\n";
}

Json compare_json(const Compared& compared, const Frontier& frontier, const std::string& look_flags) {
  const query::Lens& lens = compared.what.lens;
  Json json = {{"dataset", lens.dataset_name},
               {"protocol", compared.protocol},
               {"judge", lens.judge_name},
               {"judge_version", compared.judge_version},
               {"validation", compared.validation}};
  if (lens.sample != 0) json["sample"] = lens.sample;
  json["seeds"] = compared.what.seeds;
  json["baseline"] = compared.baseline;
  json["missing_policy"] = compared.missing == query::MissingPolicy::kDrop ? "drop" : "leaked";
  json["correction"] = compared.correction == query::Correction::kHolm ? "holm" : "bh";
  json["records"] = compared.common_to_all ? "common to all" : "common to each pair";
  json["comparisons"] = Json::array();
  for (const RunDelta& run : compared.runs) {
    Json one = {{"run", run.run}, {"metrics", Json::object()}};
    for (const MetricDelta& metric : run.metrics) {
      one["metrics"][std::string(query::definition(metric.metric).name)] = json_of(metric);
    }
    for (const MetricDelta& part : run.parts) {
      auto& metric = one["metrics"][std::string(query::definition(part.metric).name)];
      // As in reports: one that is called like another field stands under "parts".
      const bool taken = part.cut == "parts" || part.cut == "whole" || json_of(part).contains(part.cut);
      (taken ? metric["parts"] : metric)[part.cut] = json_of(part);
    }
    one["flips"] = flips_json(compared, run, look_flags);
    json["comparisons"].push_back(std::move(one));
  }
  json["pareto"] = frontier_json(frontier);
  return json;
}

}  // namespace residue::cli
