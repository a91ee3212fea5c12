// Which of a metric's numbers a row is: over all records, over those of one outcome, in one bin, of one named part, or
// another statistic over the same records.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "query/metric/contribution.h"
#include "query/metric/metrics.h"

namespace residue::query {

inline constexpr std::size_t kBins = 10;

class Slice {
 public:
  struct All {
    friend bool operator==(const All&, const All&) = default;
  };
  struct Bin {
    std::size_t number = 0;  // below kBins
    friend bool operator==(const Bin&, const Bin&) = default;
  };
  struct Cut {
    std::string name;  // "Age"; of copies "max"
    friend bool operator==(const Cut&, const Cut&) = default;
  };
  enum class Statistic { kMedian, kDeviation };
  using Value = std::variant<All, Outcome, Bin, Cut, Statistic>;

  Slice() = default;
  Slice(Outcome outcome);                            // NOLINT(google-explicit-constructor): kNone: all
  Slice(Statistic statistic) : value_(statistic) {}  // NOLINT(google-explicit-constructor)
  Slice(Bin bin) : value_(bin) {}                    // NOLINT(google-explicit-constructor)
  Slice(Cut cut);                                    // NOLINT(google-explicit-constructor): no name: all
  // Back from name(). The metric says how: a type of entities may be called "right" or "bin:3".
  Slice(std::string_view name, const MetricDefinition& metric);

  [[nodiscard]] bool all() const { return std::holds_alternative<All>(value_); }
  // nullptr: it is no such slice.
  template <class Kind>
  [[nodiscard]] const Kind* as() const {
    return std::get_if<Kind>(&value_);
  }
  // As the table `metric` has it: "", "right", "wrong", "not_linked", "bin:0" ... "bin:9", "Age", "median", "std",
  // "max".
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Slice&, const Slice&) = default;

 private:
  Value value_;
};

}  // namespace residue::query
