// The named parts of one metric: of every part the value of each run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "query/report/report.h"
#include "query/study/published.h"

namespace residue::verbs {

struct PartQuestion {
  query::MetricId metric{};
  std::string prefix = {};  // parts that begin with it, named without; empty: those without any of `others`
  std::vector<std::string> others = {};
  std::string part;        // what a part is: "category"
  std::string units;       // what the values are shares of: "claims"
  std::string title = {};  // what the values say, in a line
  bool (*before)(const query::ReportRun&, const query::ReportRun&) = nullptr;  // nothing: as the report has them
  std::string published = {};  // the table of ours whose published figures stand beside; empty: none are wanted
};

// Points into the report that it was made of.
struct PartFigures {
  struct OfRun {
    const query::ReportRun* run = nullptr;
    std::map<std::string, const query::MetricValue*> values;  // by name
    std::vector<const query::PublishedRow*> published;        // that have a figure for one of the names
  };

  PartQuestion of;
  std::vector<std::string> names;  // of all parts that any run has, in byte order
  std::vector<OfRun> runs;         // those that were evaluated

  // As published rows call a part: "attribute_accuracy/level city".
  [[nodiscard]] std::string published_key(const std::string& name) const;
};

PartFigures part_figures(const query::Report& report, const PartQuestion& question);

}  // namespace residue::verbs
