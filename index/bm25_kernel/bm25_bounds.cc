#include "index/bm25_kernel/bm25_bounds.h"

#include <algorithm>
#include <cmath>

#include "index/bm25_kernel/bm25_rows.h"

namespace residue::index {
namespace {

// Beyond it rounding up once per term would fill the 16 bits.
constexpr std::size_t kMaxTerms = 4096;

constexpr double kMaxBound = 65'535;
constexpr double kMaxProduct = 16'383;  // two of them are added with sign
constexpr double kMaxRowWeight = 127;

// More than all rounding of doubles on the way to a bound, relatively.
constexpr double kSlack = 1e-9;

}  // namespace

bool QueryBounds::set(std::span<const std::uint32_t> terms, std::span<const double> weights,
                      std::span<const TermFacts> facts) {
  lists_.clear();
  rows_.clear();
  groups_.clear();
  members_.clear();
  group_scales_.clear();
  group_sums_.clear();
  if (terms.size() > kMaxTerms) return false;

  double best = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    best += weights[i] * facts[i].max_impact / 255;
    if (facts[i].row == kNoRow) {
      lists_.push_back({terms[i], 0});
    } else {
      rows_.push_back({facts[i].row, 0});
      members_.push_back({weights[i], facts[i].max_impact});
    }
  }
  scale_ = (kMaxBound - 2.0 * static_cast<double>(terms.size())) / best;
  for (std::size_t first = 0; first < members_.size(); first += kMaxRows) {
    const std::size_t count = std::min(kMaxRows, members_.size() - first);
    groups_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), 0});
    group_scales_.push_back(add_group(std::span(members_).subspan(first, count)));
    scale_ = std::min(scale_, group_scales_.back() * 0.999);
  }
  for (double total = rescale(weights, facts); total > kMaxBound; total = rescale(weights, facts)) {
    scale_ *= kMaxBound / total * 0.999;
  }
  return true;
}

double QueryBounds::add_group(std::span<const Member> members) {
  double scale = kMaxBound * 255;
  double total = 0;
  double rounding = 0;
  for (const Member& member : members) {
    const double most = std::min(kMaxRowWeight, std::floor(kMaxProduct / member.max_impact));
    scale = std::min(scale, (most - 1) * 255 / member.weight);
    total += member.weight * member.max_impact / 255;
    rounding += member.max_impact;
  }
  scale = std::min(scale, (kMaxBound - 1 - rounding) / total);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto weight = static_cast<std::uint8_t>(std::ceil(members[i].weight * scale / 255 * (1 + kSlack)));
    rows_[groups_.back().first + i].weight = weight;
    sum += std::uint32_t{weight} * members[i].max_impact;
  }
  group_sums_.push_back(sum);
  return scale;
}

double QueryBounds::rescale(std::span<const double> weights, std::span<const TermFacts> facts) {
  std::uint64_t total = 0;
  for (std::size_t i = 0, list = 0; i < weights.size(); ++i) {
    if (facts[i].row != kNoRow) continue;
    List& mine = lists_[list++];
    mine.weight = static_cast<std::uint32_t>(std::ceil(weights[i] * scale_ * 256 / 255 * (1 + kSlack)));
    total += (facts[i].max_impact * mine.weight + 255) >> 8;
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& mine = groups_[g];
    mine.factor = static_cast<std::uint16_t>(std::ceil(scale_ / group_scales_[g] * 65'536 * (1 + kSlack)));
    total += (group_sums_[g] * mine.factor >> 16) + 1;
  }
  return static_cast<double>(total);
}

std::uint32_t QueryBounds::units(double score) const {
  return std::max(1U, static_cast<std::uint32_t>(std::ceil(score * scale_ * (1 - kSlack))));
}

}  // namespace residue::index
