// The papers' tables of runs as numbers: which metrics stand beside each other, of which runs, in which order.
//
//   reports ── run_figures ──> a row for each run (and part), a value for each metric
//           └─ part_sections ─> values of single attributes, levels, types
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "query/report/report.h"
#include "verbs/tables/part_figures.h"

namespace residue::verbs {

struct FigureColumn {
  std::string metric;      // an id of docs/metrics.md; one that nothing computes stays empty
  std::string title = {};  // for people; empty: the id will do
  bool optional = false;   // people see it only where some run has it
};

// What a row is of beside its run.
enum class KeyType : std::uint8_t { kText, kInteger, kReal };
struct FigureKey {
  std::string name;
  KeyType type = KeyType::kText;
};
using KeyValue = std::variant<std::monostate, std::string, std::int64_t, double>;

// Points into the report that it is of.
struct FigureRow {
  const query::Report* report = nullptr;
  const query::ReportRun* run = nullptr;
  std::string part = {};                                   // all values are of this part of their metric; empty: whole
  std::vector<KeyValue> keys;                              // by FigureTable::keys
  std::vector<std::optional<query::MetricValue>> values;   // by column; nothing: not computed
  bool stale = false;                                      // some value of the run is older than what it is of
  std::vector<const query::PublishedRow*> published = {};  // of the papers, with a figure for one of the columns
};

struct FigureTable {
  std::vector<FigureKey> keys;
  std::vector<FigureColumn> columns;
  std::vector<FigureRow> rows;
  bool with_published = false;  // published figures were asked for
};

// What the run has of this metric, or of its part ("certainty 3" of accuracy_at_certainty). Nothing where it was not
// computed.
std::optional<query::MetricValue> figure_of(const query::ReportRun& run, std::string_view metric,
                                            std::string_view part);

// What a paper printed for a column, or a part of it. Null: nothing.
const query::PublishedFigure* published_figure(const query::PublishedRow& row, const FigureColumn& column,
                                               const std::string& part);

struct FigureRequest {
  std::string_view table;  // of kind kRuns (table_names.h) but distribution and categories, which have no such columns
  bool by_part = false;    // a row for each part behind its run's
  bool published = false;  // with the papers' figures
};

// Runs in the order of the table: rounds and thresholds by number, controls last. The reports outlive the figures.
// Throws Error{internal} for other tables.
FigureTable run_figures(const std::vector<const query::Report*>& reports, const FigureRequest& request);

// Below the runs: by attribute, level, certainty, type. Parts that no run has are left out.
std::vector<PartFigures> part_sections(const query::Report& report, const FigureRequest& request);

// Whether any number of the table is a judge's.
bool shows_judgments(std::string_view table);

}  // namespace residue::verbs
