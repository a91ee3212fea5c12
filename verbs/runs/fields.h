// What runs are told apart by: one table of names for conditions, orders, groups, columns and charts.
//
//   tag run sanitizer group seed made param.NAME METRIC[.PART][.low ...] ── with a run ──> text, number, time or
//   nothing
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "query/metric/metrics.h"
#include "query/report/report.h"
#include "verbs/runs/facts.h"

namespace residue::verbs {

struct RunField {
  enum class Of : std::uint8_t { kTag, kRun, kDataset, kKind, kSanitizer, kGroup, kSeed, kMade, kParam, kMetric };
  std::string name;  // as it is written
  Of of = Of::kRun;
  std::string param;         // kParam: its name
  query::MetricId metric{};  // kMetric
  std::string part;          // of the metric: "right", "wrong", "not_linked", a named part; empty: the whole
  std::string number;        // of it: "value", "low", "high", "n", "failed", "missing", "coverage"

  [[nodiscard]] bool of_metric() const { return of == Of::kMetric; }
};

// Several tags stand in one text, separated by ", ". A time is unix milliseconds.
struct RunTime {
  std::int64_t ms = 0;
};
using RunValue = std::variant<std::monostate, std::string, double, RunTime>;

// Which fields the runs have. Parameters and named parts of metrics are those of these runs.
class RunFields {
 public:
  explicit RunFields(const std::vector<RunFacts>& runs);

  // Nothing: there is none of this name.
  [[nodiscard]] std::optional<RunField> find(std::string_view name) const;

  // As find(). Throws Error{usage} that begins with `where` ("--sort") and names the nearest.
  [[nodiscard]] RunField require(std::string_view where, std::string_view name) const;

  // "; did you mean ...?", or nothing.
  [[nodiscard]] std::string suggestion(std::string_view name) const;

  // The names of all but the metrics, in order, for a person: "tag, run, ... param.rate".
  [[nodiscard]] std::string list() const;

 private:
  std::set<std::string, std::less<>> params_;
};

// `numbers`: of the run in a report; null: it has none. A parameter that reads as a number is one. Of a run that was
// not evaluated, and where a metric does not apply, nothing.
RunValue value_of(const RunField& field, const RunFacts& run, const query::ReportRun* numbers);

// The metric behind a field, of which an interval may be drawn; null: not evaluated, or no such part.
const query::MetricValue* metric_value(const RunField& field, const query::ReportRun* numbers);

// Which of two comes first: numbers in front of texts, texts in the order in which people count, nothing last.
bool comes_before(const RunValue& a, const RunValue& b);

}  // namespace residue::verbs
