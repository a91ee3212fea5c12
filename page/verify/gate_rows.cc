#include "page/verify/gate_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "query/gates/gates.h"

namespace residue::page {
namespace {

using query::Gate;
using query::GateResult;
using query::MetricValue;

std::optional<double> field_of(const MetricValue& value, std::string_view field) {
  if (field == "low") return value.low;
  if (field == "high") return value.high;
  if (field == "if_leaked") return value.if_leaked;
  if (field == "if_private") return value.if_private;
  if (field == "n") return value.n;
  if (field == "failed") return value.failed;
  if (field == "missing") return value.missing;
  if (field == "coverage") return value.coverage;
  return value.value;
}

// Null: no contributions are behind the number of this gate.
const MetricValue* computed(const Gate& gate, const std::string& run, const ProvenValues& values) {
  if (gate.baseline || !gate.slice.empty()) return nullptr;
  const auto found = values.find({run, std::string(query::definition(gate.metric).name)});
  return found == values.end() ? nullptr : &found->second;
}

// What is wrong with one row; empty: nothing.
std::string wrong_in(const GateResult& row, const Gate& gate, double least, const MetricValue* of) {
  if (!row.value) return row.failed && !row.reason.empty() ? "" : "it has no number, and did not fail";
  if (of != nullptr && row.value != field_of(*of, gate.field)) return "its records give another number";
  if (of != nullptr && gate.field != "coverage" && row.coverage != of->coverage) {
    return "its records give another coverage";
  }
  const query::GateFailure failure = query::failure_of(gate, *row.value, row.coverage, least);
  const bool same = row.failed && row.reason == failure.reason && row.uncovered == failure.uncovered;
  if (!failure.reason.empty()) return same ? "" : "its number and its limit say FAILED";
  if (row.failed && (row.reason.empty() || !row.uncovered)) return "its number and its limit say passed";
  if (!row.failed && (row.uncovered || !row.reason.empty())) return "it passed, and has a reason why not";
  return "";
}

class Rows {
 public:
  Rows(const verbs::Release& release, const ProvenValues& values, std::size_t& believed)
      : rows_(release.result.gates), values_(values), believed_(believed) {
    const std::vector<std::string> held = release.report().spec.runs();  // an attacker of several releases: those
    for (const query::ReportRun& run : release.report().runs) {
      if (run.control) continue;
      runs_.push_back(run.run);
      if (held.empty() || std::ranges::find(held, run.run) != held.end()) held_.push_back(run.run);
    }
  }

  // Rows stand by gate, then by run, as they are held.
  void take(const Gate& gate, double least) {
    const bool answers = query::definition(gate.metric).tier == query::Tier::kTask && !gate.baseline;
    std::size_t taken = 0;
    for (const std::string& run : answers ? runs_ : held_) {
      if (gate.baseline == run) continue;
      if (!is_next(gate, run)) {
        wrong_.push_back(fmt::format("gate {} was not held against the run {}", gate.text, run));
        continue;
      }
      // Answers of several models are several numbers of a run.
      do {
        look(gate, least);
        ++taken;
      } while (answers && is_next(gate, run));
    }
    // A gate that could be held against nothing has failed.
    if (taken == 0 && !runs_.empty() && is_next(gate, runs_.front())) look(gate, least);
  }

  std::vector<std::string> finish() {
    for (; next_ < rows_.size(); ++next_) {
      wrong_.push_back(fmt::format("gate {}, run {}: nobody asked for it", rows_[next_].gate, rows_[next_].run));
    }
    return std::move(wrong_);
  }

 private:
  [[nodiscard]] bool is_next(const Gate& gate, const std::string& run) const {
    return next_ < rows_.size() && rows_[next_].gate == gate.text && rows_[next_].run == run;
  }
  void look(const Gate& gate, double least) {
    const GateResult& row = rows_[next_++];
    const MetricValue* const of = computed(gate, row.run, values_);
    believed_ += of == nullptr ? 1 : 0;
    const std::string what = wrong_in(row, gate, least, of);
    if (!what.empty()) wrong_.push_back(fmt::format("gate {}, run {}: {}", gate.text, row.run, what));
  }

  const std::vector<GateResult>& rows_;
  const ProvenValues& values_;
  std::size_t& believed_;
  std::size_t next_ = 0;
  std::vector<std::string> runs_, held_, wrong_;
};

}  // namespace

std::vector<std::string> contradictions(const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                                        const ProvenValues& values, std::size_t& believed) {
  Rows rows(release, values, believed);
  for (const Gate& gate : wanted.gates.gates) rows.take(gate, wanted.gates.min_coverage.of(gate.metric));
  return rows.finish();
}

}  // namespace residue::page
