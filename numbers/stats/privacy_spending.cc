#include "numbers/stats/privacy_spending.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "base/error.h"
#include "numbers/stats/loss_distribution.h"

namespace residue::numbers {
namespace {

constexpr double kMargin = 1e-9;     // above all errors of rounding
constexpr double kDecimals = 1e-12;  // sums of decimals are not a digit more for the last bits of theirs
constexpr double kCutShare = 1e-6;   // of delta, that the tight account may give to losses without bound

// The most that one count moves, of the `n`-th largest move, from 1.
std::uint64_t most_moved(const Contribution& unit, std::uint64_t n) {
  const std::uint64_t in_all = unit.total == 0 ? unit.items * unit.each : unit.total;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(unit.squared / n)));
  while ((root + 1) * (root + 1) * n <= unit.squared) ++root;
  return std::min({unit.each, in_all / n, root});
}

double rho_of(const Spending& spending) {
  if (spending.noise.empty()) return spending.epsilon * spending.epsilon / 2;
  double rho = 0;
  for (const NoisyNumbers& numbers : spending.noise) {
    const auto shift = static_cast<double>(numbers.shift);
    rho += static_cast<double>(numbers.times) * shift * shift / (2 * numbers.variance.value());
  }
  return rho;
}

// Of delta, what is not paid for by noise.
double tail_of(const Spending& spending) { return spending.noise.empty() ? spending.delta : spending.tail; }

std::optional<double> tight_epsilon(std::span<const Spending> releases, double delta) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> noise;  // (variance, shift) -> times
  std::map<double, std::uint64_t> guarantees;
  for (const Spending& release : releases) {
    if (release.noise.empty()) ++guarantees[release.epsilon];
    for (const NoisyNumbers& one : release.noise) noise[{one.variance.scaled, one.shift}] += one.times;
  }
  // Four cuts for each: of the noise itself, of its copies, of the product.
  const double cut = delta * kCutShare / (4.0 * static_cast<double>(noise.size() + guarantees.size()));
  std::optional<LossDistribution> sum;
  const auto add = [&](const LossDistribution& one) { sum = sum ? sum->with(one, cut) : one; };
  for (const auto& [kind, times] : noise) {
    const double each = cut / static_cast<double>(times);
    add(LossDistribution::of_noise({kind.first}, kind.second, each).times(times, cut));
  }
  for (const auto& [epsilon, times] : guarantees) {
    add(LossDistribution::of_guarantee(epsilon, 0).times(times, cut));
  }
  const double epsilon = sum->epsilon(delta * (1 - kMargin));
  if (!std::isfinite(epsilon)) return std::nullopt;
  return epsilon * (1 + kMargin) + kMargin * delta;
}

}  // namespace

Spending spending_of(const PrivacyBudget& budget, std::span<const Contribution> contributions,
                     const Accounting& accounting) {
  Spending out{budget.epsilon, budget.delta, accounting.table_delta * static_cast<double>(contributions.size()), {}};
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const Variance variance = accounting.tables[i].variance;
    for (std::uint64_t n = 1; n <= contributions[i].items; ++n) {
      const std::uint64_t shift = most_moved(contributions[i], n);
      if (shift == 0) break;
      if (n > 1 && out.noise.back().shift == shift) {
        ++out.noise.back().times;
      } else {
        out.noise.push_back({variance, shift, 1});
      }
    }
  }
  return out;
}

Json json_of(const Spending& spending) {
  Json noise = Json::array();
  for (const NoisyNumbers& one : spending.noise) {
    noise.push_back({{"variance_65536", one.variance.scaled}, {"shift", one.shift}, {"times", one.times}});
  }
  return {{"epsilon", std::isfinite(spending.epsilon) ? Json(spending.epsilon) : Json("inf")},
          {"delta", spending.delta},
          {"tail", spending.tail},
          {"noise", noise}};
}

std::optional<Spending> spending_from(const Json& json) {
  try {
    Spending out;
    const Json& epsilon = json.at("epsilon");
    out.epsilon = epsilon.is_string() ? std::numeric_limits<double>::infinity() : epsilon.get<double>();
    out.delta = json.at("delta").get<double>();
    out.tail = json.at("tail").get<double>();
    const Json& noise = json.at("noise");
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const Json& one = noise.at(i);
      out.noise.push_back({{one.at("variance_65536").get<std::uint64_t>()},
                           one.at("shift").get<std::uint64_t>(),
                           one.at("times").get<std::uint64_t>()});
      if (out.noise.back().variance.scaled == 0 || out.noise.back().times == 0) return std::nullopt;
    }
    if (!(out.epsilon >= 0) || !(out.delta >= 0) || !(out.tail >= 0)) return std::nullopt;
    return out;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

Spending stored_spending(std::string_view json) {
  const auto spending = spending_from(Json::parse(json).value_or(Json()));
  if (!spending) throw Error(Code::kCorrupt, "the ledger of private releases is damaged", "restore the last backup");
  return *spending;
}

Composition compose(std::span<const Spending> releases, std::optional<double> delta) {
  Composition out;
  double tail = 0;
  for (const Spending& release : releases) {
    out.epsilon += release.epsilon;
    out.basic_delta += release.delta;
    tail += tail_of(release);
    out.rho += rho_of(release);
  }
  out.delta = delta.value_or(out.basic_delta);
  if (releases.empty()) {
    out.zcdp = out.tight = 0;
    return out;
  }
  const double left = out.delta - tail;
  if (out.delta >= 1) {
    out.zcdp = out.tight = 0;  // whatever a release says, it promises this
    return out;
  }
  const bool pure = std::ranges::all_of(releases, [](const Spending& one) { return one.noise.empty(); });
  if (left <= out.delta * kDecimals) {
    // Sums of epsilons need no part of delta, those of noise do.
    if (pure && left >= -out.delta * kDecimals) out.tight = out.epsilon;
    return out;
  }
  out.zcdp = out.rho + 2 * std::sqrt(out.rho * -natural_log(left));
  const auto tight = tight_epsilon(releases, left);
  out.tight = tight ? std::min(*tight, *out.zcdp) : *out.zcdp;
  if (pure && out.delta >= out.basic_delta) out.tight = std::min(*out.tight, out.epsilon);
  return out;
}

double rounded_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  double power = 1;  // of ten: value * power, or value / power, has four digits in front of its point
  if (value < 1000) {
    while (value * power < 1000 * (1 - kDecimals)) power *= 10;
    return std::ceil(value * power * (1 - kDecimals)) / power;
  }
  while (value / power >= 10'000) power *= 10;
  return std::ceil(value / power * (1 - kDecimals)) * power;
}

}  // namespace residue::numbers
