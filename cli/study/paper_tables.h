// The papers' tables that are of a report's runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/study/run_figures.h"
#include "query/report/report.h"

namespace residue::cli {

struct Section {
  std::string title;  // above the table; empty: the first one
  Shown shown;
};

struct PaperTable {
  std::vector<Section> sections;   // for files one
  std::vector<std::string> notes;  // what was not computed, and where published figures are from
};

struct TableRequest {
  std::string_view name;  // of kind kRuns (verbs/tables/table_names.h)
  Form form = Form::kTerminal;
  bool json = false;
  bool reference = false;  // with published figures
};

// Of several reports one below the other.
PaperTable paper_table(const std::vector<query::Report>& reports, const TableRequest& request);

}  // namespace residue::cli
