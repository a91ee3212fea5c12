#include "query/report/privacy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/json.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/privacy_ledger.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {
namespace {

using numbers::Spending;

std::vector<ReleaseCard> cards_of(const std::vector<storage::PrivacyRelease>& all) {
  std::vector<ReleaseCard> out;
  std::map<std::string, std::size_t> places;
  for (const storage::PrivacyRelease& one : all) {
    const auto [at, fresh] = places.try_emplace(one.release, out.size());
    if (!fresh) {
      ReleaseCard& card = out[at->second];
      card.runs.push_back(one.run);
      card.struck = card.struck && one.struck_at.has_value();
      continue;
    }
    ReleaseCard card;
    card.runs = {one.run};
    card.unit = one.unit;
    card.noise = one.noise;
    card.units = one.units;
    card.struck = one.struck_at.has_value();
    card.spending = numbers::stored_spending(one.spending);
    card.mechanism = Json::parse(one.spending).value_or(Json()).value("mechanism", "");
    if (std::isfinite(card.spending.epsilon)) {
      const numbers::Composition alone = numbers::compose(std::array{card.spending});
      card.rho = alone.rho;
      card.tight = alone.tight;
    }
    out.push_back(std::move(card));
  }
  return out;
}

}  // namespace

PrivacyCard load_privacy(storage::Store& store, const std::string& dataset, std::optional<double> delta) {
  storage::Db& db = store.db();
  const DatasetId id = storage::find_dataset(db, dataset);
  const auto all = storage::privacy_releases(db, dataset);
  PrivacyCard card;
  card.releases = cards_of(all);
  for (const char* unit : {"person", "record"}) {
    SpentCard spent;
    spent.unit = unit;
    std::vector<Spending> bounded;
    for (const ReleaseCard& release : card.releases) {
      if (release.struck || release.unit != unit) continue;
      spent.units = std::max(spent.units, release.units);
      if (std::isfinite(release.spending.epsilon)) {
        bounded.push_back(release.spending);
      } else {
        spent.unbounded.push_back(release.runs.front());
      }
    }
    if (bounded.empty() && spent.unbounded.empty()) continue;
    spent.counted = static_cast<std::int64_t>(bounded.size());
    spent.sum = numbers::compose(bounded, delta);
    card.spent.push_back(std::move(spent));
  }
  storage::Statement runs = db.prepare(storage::sql::kRunsInNameOrderWithSanitizer);
  runs.bind(id);
  while (runs.step()) {
    const std::string name(runs.text(0));
    if (std::ranges::find(all, name, &storage::PrivacyRelease::run) != all.end()) continue;
    if (runs.text(1) == "dp-ngram") card.unknown.push_back(name);
    // Params of files are as they were given; those of methods are a level deeper.
    const auto params = Json::parse(runs.text(2));
    if (params && params->is_object() && params->contains("epsilon")) card.outside.push_back(name);
  }
  return card;
}

}  // namespace residue::query
