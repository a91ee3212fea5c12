// The papers' tables that set attackers side by side as numbers: one report per attacker becomes one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/report/report.h"
#include "query/study/published.h"

namespace residue::verbs {

// linkage, linkers, aux-size, paraphrased-aux: these look at all attackers that were evaluated.
bool is_attack_table(std::string_view name);

// Whether a judge rated some of its values; the linkage rate needs none. All other tables need one.
bool needs_judge(std::string_view name);

// Whether the report's attacker has a place in that attack table.
bool fits_table(const query::Report& report, std::string_view name);

// A value with what it is of: its own attacker's population, not its row's.
struct AttackValue {
  query::MetricValue metric;
  std::uint64_t sample = 0;
  bool stale = false;
};

struct AttackFigures {
  // How attackers differ: "random:3@42", "bm25", "k=2".
  struct Column {
    std::string name;
    bool deviates = false;  // some value is a mean over seeds
  };
  // A run, and what its attackers have in common.
  struct Row {
    std::optional<std::string> run;  // nothing: what claims alone give away, whatever the run
    std::string attack;
    query::MetricId metric{};
    std::vector<std::optional<AttackValue>> values;     // by column; nothing: not evaluated; at least one is
    std::vector<const query::PublishedRow*> published;  // with a figure for one of the columns
  };
  std::vector<Column> columns;  // at least one
  std::vector<Row> rows;        // at least one; by run, then attack, then metric
  bool several_metrics = false;
};

// `reports`: at least one; of several judges only for tables that need none. `published`: with the papers' figures.
// Throws Error{not found} where no attacker fits.
AttackFigures attack_figures(const std::vector<query::Report>& reports, std::string_view table, bool published);

// What a paper printed for a metric in a column of ours. Null: nothing.
const query::PublishedFigure* published_figure(const query::PublishedRow& row, query::MetricId metric,
                                               const std::string& column);

}  // namespace residue::verbs
