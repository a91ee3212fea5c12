// A report as tables and as JSON: docs/read-a-report.md says how to read them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/print/table.h"
#include "query/agree/agreement_report.h"
#include "query/report/report.h"
#include "query/study/corrected_rates.h"
#include "query/study/noise.h"
#include "query/study/task_accuracy.h"

namespace residue::cli {

// The shape that is a contract: {"dataset","protocol","judge","runs":[...]}, and "definitions" of the metrics.
Json report_json(const query::Report& report);

// For a terminal: heading, headline metrics as rows and runs as columns (many runs: in blocks), the control linkers.
std::string report_text(const query::Report& report, const Look& look);

// One row per run; of each headline metric value, interval and where they are its own counts: for md and latex, which
// have no heading and say in a column who answered tasks.
Table wide_table(const query::Report& report);

// One row per run, metric and split: for csv, tsv and --table metrics-long.
Table long_table(const std::vector<query::Report>& reports);

// Who reads a table. On a terminal the heading says who judged; elsewhere a column does, and files (csv, json) always
// have the same columns.
enum class Form { kTerminal, kDocument, kFile };

// Dataset, protocol, judge, who answered tasks, sample and how failures count, in lines; `judged`: false where no
// number of the table is a judge's.
std::string report_heading(const query::Report& report, bool judged = true);

// What arrows and (c) mean, in lines below a table.
std::string report_legend(const query::Report& report);

// The judge, his version, and how far people have confirmed him.
inline std::string judge_lines(const query::Report& report) {
  std::string validation = report.validation.text;
  if (const auto next = validation.find("; "); next != std::string::npos) validation.replace(next, 2, "\n");
  return fmt::format("judge {} ({}), {}\n", report.judge, report.judge_version, validation);
}

// Which kinds of claims leak (FSP Table 7, Figure 3), for files: a row for each category of each run.
Table long_categories(const query::Report& report);

// Right answers of models per run.
Table task_table(const std::vector<query::TaskAccuracy>& lines, bool drop_missing);

// Leak rates as people would have counted them.
Table corrected_table(const query::CorrectedRates& rates);

// Standard deviations of `semantic_distance` by where they come from.
Table noise_table(const query::Noise& noise);

// Of an attacker who knows every claim: which records have none that a judge could rate. Empty where all have, and for
// all other attackers (query/inputs/uncovered.h).
std::string not_judged(const query::Report& report);

}  // namespace residue::cli
