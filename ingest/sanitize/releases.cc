#include "ingest/sanitize/releases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "storage/catalog/privacy_ledger.h"

namespace residue::ingest {
namespace {

using numbers::Spending;

std::string shown(std::optional<double> epsilon) {
  return epsilon ? fmt::format("{:g}", numbers::rounded_up(*epsilon)) : "without bound";
}

// At that delta, so that what is spent only grows; the sums of epsilon are at the sums of deltas.
std::string words_of(const std::vector<Spending>& releases, double delta) {
  std::vector<Spending> bounded;
  std::ranges::copy_if(releases, std::back_inserter(bounded),
                       [](const Spending& one) { return std::isfinite(one.epsilon); });
  const std::size_t others = releases.size() - bounded.size();
  const std::string without =
      others == 0 ? "" : fmt::format("{} release{} without bound", others, others == 1 ? "" : "s");
  if (bounded.empty()) return others == 0 ? "nothing" : without;
  const numbers::Composition sum = numbers::compose(bounded, delta);
  return fmt::format("epsilon {} (tight), {} (zcdp), {} (basic){}{}", shown(sum.tight), shown(sum.zcdp),
                     shown(sum.epsilon), others == 0 ? "" : " beside ", without);
}

struct Counted {
  std::vector<Spending> spent;
  double delta = 0;  // their sum
};

Counted counted(const std::vector<storage::PrivacyRelease>& releases) {
  Counted all;
  for (const storage::PrivacyRelease& one : releases) {
    all.spent.push_back(numbers::stored_spending(one.spending));
    all.delta += all.spent.back().delta;
  }
  return all;
}

std::string at_delta(std::string line, double delta) {
  return delta > 0 ? fmt::format("{}; at delta {}", line, shown(delta)) : std::move(line);
}

}  // namespace

std::string spending_line(storage::Store& store, std::string_view dataset, const Promise& promise) {
  const auto before = storage::counted_releases(storage::privacy_releases(store.db(), dataset), promise.unit);
  auto [spent, delta] = counted(before);
  const bool known = std::ranges::find(before, promise.release, &storage::PrivacyRelease::release) != before.end();
  if (!known) delta = promise.spending.delta + delta;
  std::string line = fmt::format("spent of each {} so far: {}", promise.unit, words_of(spent, delta));
  if (known) {
    line += "; this release is among it and costs nothing more";
  } else {
    spent.push_back(promise.spending);
    line += fmt::format("; with this release: {}", words_of(spent, delta));
  }
  return at_delta(std::move(line), delta);
}

std::string spent_line(storage::Store& store, std::string_view dataset, std::string_view unit) {
  const auto [spent, delta] = counted(storage::counted_releases(storage::privacy_releases(store.db(), dataset), unit));
  return at_delta(fmt::format("spent of each {} by {} release{}: {}", unit, spent.size(), spent.size() == 1 ? "" : "s",
                              words_of(spent, delta)),
                  delta);
}

void keep_release(storage::Db& db, std::string_view dataset, std::string_view run, const Promise& promise) {
  storage::keep_privacy_release(db, dataset,
                                {.run = std::string(run),
                                 .release = promise.release,
                                 .unit = promise.unit,
                                 .units = static_cast<std::int64_t>(promise.units),
                                 .noise = promise.noise,
                                 .spending = numbers::json_of(promise.spending).dump(),
                                 .made_at = now_ms(),
                                 .struck_at = std::nullopt});
}

}  // namespace residue::ingest
