#include "query/gates/gate_parts.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "query/score/category_scores.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/label.h"
#include "text/support/categories.h"

namespace residue::query {
namespace {

constexpr std::string_view kComputed = storage::sql::kMetricSlicesOfDataset;
constexpr std::string_view kCategories = storage::sql::kClaimCategoryNamesOfDataset;
constexpr std::string_view kLabels = storage::sql::kLabelNamePayloadsOfDataset;

// The names that labels give: of attributes, or of types of entities.
void add_labels(storage::Store& store, DatasetId dataset, const char* field, std::set<std::string>& names) {
  const auto reader = store.facts().read();
  storage::Statement labels = store.db().prepare(kLabels);
  labels.bind(dataset);
  while (labels.step()) {
    const Json payload = Json::parse(reader->text(labels.id<TextId>(0))).value_or(Json());
    const Json* name = payload.find(field);
    if (name != nullptr && name->is_string()) names.insert(name->string());
  }
}

}  // namespace

std::set<std::string> known_parts(storage::Store& store, DatasetId dataset, MetricId metric) {
  std::set<std::string> names;
  storage::Statement computed = store.db().prepare(kComputed);
  computed.bind(dataset, static_cast<std::int64_t>(metric));
  while (computed.step()) names.emplace(computed.text(0));
  if (metric == MetricId::kLeakByCategory) {
    storage::Statement categories = store.db().prepare(kCategories);
    categories.bind(dataset);
    while (categories.step()) names.emplace(categories.text(0));
    if (names.empty()) return names;
    for (const auto list : {text::CategoryList::kGeneral, text::CategoryList::kMedical}) {
      for (const std::string_view name : text::category_names(list)) names.emplace(name);
    }
    names.emplace(kNoCategory);
    names.emplace(kNotCategorized);
    return names;
  }
  if (metric == MetricId::kAccuracyAtCertainty) {
    for (int certainty = 1; certainty <= 5; ++certainty) names.insert(std::to_string(certainty));
    return names;
  }
  if (definition(metric).tier == Tier::kLabel) {
    add_labels(store, dataset, "type", names);
  } else if (definition(metric).tier == Tier::kTask) {
    add_labels(store, dataset, "attribute", names);
    if (names.empty()) return names;
    for (int hardness = 1; hardness <= 5; ++hardness) names.insert(fmt::format("hardness {}", hardness));
    for (const char* level : {"level country", "level state", "level city"}) names.emplace(level);
  }
  return names;
}

}  // namespace residue::query
