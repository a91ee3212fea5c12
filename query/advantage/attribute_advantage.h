// What guesses of attributes are worth beyond what anyone could say without a text: the best constant guess. Pure.
//
//   labels of all persons ── the guess that is right most often, for each attribute ──> baseline
//   (accuracy - baseline) / (1 - baseline)                               METRICS.md section 9
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "query/metric/aggregate.h"
#include "query/metric/order_statistics.h"

namespace residue::query {

// With fewer persons the best guess is that of the few, and the advantage says nothing.
inline constexpr std::size_t kFewestPersons = 30;

struct AttributeLabel {
  RecordId record;
  std::uint64_t unit = 0;  // resampling unit: the person
  std::string attribute, value;
};

// The contributions to attribute_accuracy of one attribute, or of all.
struct GuessedPart {
  std::string attribute;  // "": the whole
  std::vector<std::pair<RecordId, Weighted>> records = {};
};

// One row for each part. `labels`: all that count, of the records that the accuracies are of, lost ones too. The
// baseline takes the guess that is right most often by text::same_attribute(), of all true values and, of ages, the
// numbers from 15 to 90; lost records' guesses count as right in the value. The interval draws the baseline anew in
// each replicate; its phantom is guessed right for one end, and by the constant guess for the other. Not applicable,
// with the reason, below kFewestPersons persons and where a constant guess gets all right. Cost: for each attribute,
// distinct values times labels comparisons, and 1,000 sums of those that are right.
std::vector<MetricRow> attribute_advantage(std::span<const AttributeLabel> labels, std::span<const GuessedPart> parts);

}  // namespace residue::query
