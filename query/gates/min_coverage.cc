#include "query/gates/min_coverage.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/nearest.h"

namespace residue::query {
namespace {

double share_in(const std::string& option, std::string_view word) {
  double share = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
  if (error == std::errc() && end == word.data() + word.size() && share >= 0 && share <= 1) return share;
  throw Error(Code::kUsage, fmt::format("--min-coverage {}: that is not a share of the records", option),
              "a number from 0 to 1, for all metrics or for one: --min-coverage linkage_rate=0.5");
}

}  // namespace

double MinCoverage::of(MetricId metric) const {
  const auto own = metrics.find(metric);
  return own == metrics.end() ? all : own->second;
}

MinCoverage parse_min_coverage(const std::vector<std::string>& options) {
  MinCoverage least;
  for (const std::string& option : options) {
    const std::size_t equal = option.find('=');
    if (equal == std::string::npos) {
      least.all = share_in(option, option);
      continue;
    }
    const std::string name = option.substr(0, equal);
    const auto metric = find_metric(name);
    if (!metric) {
      std::vector<std::string> names;
      for (const MetricDefinition& one : metric_definitions()) names.emplace_back(one.name);
      throw Error(Code::kUsage,
                  fmt::format("--min-coverage {}: no metric is called {}{}", option, name, did_you_mean(name, names)),
                  "docs/metrics.md lists them; so does residue report --format json, under definitions");
    }
    least.metrics[*metric] = share_in(option, std::string_view(option).substr(equal + 1));
  }
  return least;
}

}  // namespace residue::query
