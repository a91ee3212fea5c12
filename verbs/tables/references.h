// Which rows of the papers' tables a run of ours means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/report/report.h"
#include "query/study/published.h"

namespace residue::verbs {

// The run's `--param reference=NAME`; without one its name, its sanitizer, and "SANITIZER p=P" of a threshold.
std::vector<std::string> reference_names(const query::ReportRun& run);

// Rows of the papers for a table of ours. They live as long as the program.
std::vector<const query::PublishedRow*> references_of(std::string_view table, const query::Report& report,
                                                      const query::ReportRun& run);

// The tables of ours that papers print figures for, by name.
std::vector<std::string_view> tables_with_figures();

}  // namespace residue::verbs
