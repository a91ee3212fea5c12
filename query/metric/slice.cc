#include "query/metric/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace residue::query {
namespace {

constexpr std::array<std::string_view, kOutcomes> kOutcomeNames = {"", "right", "wrong", "not_linked"};
constexpr std::array<std::string_view, 2> kStatisticNames = {"median", "std"};

// The place of a name; the number of names where it is none of them.
template <std::size_t N>
std::size_t place_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

Slice::Slice(Outcome outcome) {
  if (outcome != Outcome::kNone) value_ = outcome;
}

Slice::Slice(Cut cut) {
  if (!cut.name.empty()) value_ = std::move(cut);
}

Slice::Slice(std::string_view name, const MetricDefinition& metric) {
  if (name.empty()) return;
  if (metric.kind == Kind::kHistogram) {
    value_ = Bin{static_cast<std::size_t>(name.back() - '0') % kBins};
  } else if (metric.cuts != Cuts::kNone) {
    value_ = Cut{std::string(name)};
  } else if (const std::size_t outcome = place_of(name, kOutcomeNames); outcome < kOutcomeNames.size()) {
    value_ = static_cast<Outcome>(outcome);
  } else if (const std::size_t statistic = place_of(name, kStatisticNames); statistic < kStatisticNames.size()) {
    value_ = static_cast<Statistic>(statistic);
  }
}

std::string Slice::name() const {
  if (const auto* outcome = as<Outcome>()) return std::string(kOutcomeNames[static_cast<std::size_t>(*outcome)]);
  if (const auto* bin = as<Bin>()) return fmt::format("bin:{}", bin->number);
  if (const auto* cut = as<Cut>()) return cut->name;
  if (const auto* statistic = as<Statistic>()) {
    return std::string(kStatisticNames[static_cast<std::size_t>(*statistic)]);
  }
  return {};
}

}  // namespace residue::query
