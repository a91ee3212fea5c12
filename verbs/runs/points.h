// A chart of runs as numbers: one field over another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "query/report/report.h"
#include "verbs/runs/facts.h"
#include "verbs/runs/fields.h"

namespace residue::verbs {

// A number on one axis, with the ends of its 95 % interval where it is the value of a metric. Of `made` unix
// milliseconds.
struct Coordinate {
  std::optional<double> value, low, high;
};

struct PlotPoint {
  std::string run;
  bool control = false;
  bool stale = false;  // `eval` has something to do
  Coordinate x, y;
};

struct Plot {
  RunField x, y;
  std::string dataset, protocol, judge;
  std::vector<PlotPoint> points;  // with both values, in the report's order; controls without x, or made when the
                                  // dataset was: with y alone
  std::map<std::string, std::string> left_out;  // runs without one of the values: what each lacks
};

// "X,Y". Throws Error{usage} where that is not two fields that are numbers, "--plot" in front.
struct PlotFields {
  RunField x, y;
};
PlotFields plot_fields(const std::string& words, const std::vector<RunFacts>& runs);

Plot plot_of(const query::Report& report, const PlotFields& fields, const std::vector<RunFacts>& runs);

}  // namespace residue::verbs
