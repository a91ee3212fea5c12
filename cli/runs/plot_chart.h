// A chart of runs in the terminal: marks with their intervals, and a table that says which mark is which run.
#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "cli/print/table.h"
#include "verbs/runs/points.h"

namespace residue::cli {

// Whether what reads our output takes more than ASCII: LC_ALL, LC_CTYPE, LANG, the first that is set.
bool takes_unicode();

// Axes, marks a, b ... and intervals. A control without x is a dashed line at its y. Where two meet, the mark is #.
// `width`: columns; 0: 80.
std::string plot_chart(const verbs::Plot& plot, std::size_t width, bool unicode);

// A row a point, in the chart's order: its mark, the run, both values and their intervals.
Table plot_table(const verbs::Plot& plot);

// {dataset, protocol, judge, x, y, points: [{run, control, stale, x: {value, low, high}, y: ...}], left_out: {run:
// why}}. Times are as they are printed: "2026-11-28T16:20:00Z".
Json plot_json(const verbs::Plot& plot);

}  // namespace residue::cli
