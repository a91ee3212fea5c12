#include "cli/report/agreement_json.h"

#include <optional>

namespace residue::cli {
namespace {

Json interval_json(const std::optional<double>& value, const std::optional<numbers::Interval>& interval) {
  Json out = {{"value", nullptr}, {"low", nullptr}, {"high", nullptr}};
  if (value) out["value"] = *value;
  if (interval) {
    out["low"] = interval->low;
    out["high"] = interval->high;
  }
  return out;
}

}  // namespace

Json agreement_json(const query::Agreement& a) {
  Json out = {{"pairs", a.pairs},           {"unrated", a.unrated},
              {"records", a.records},       {"spearman", interval_json(a.spearman, a.spearman_interval)},
              {"rating_spearman", nullptr}, {"quadratic_kappa", interval_json(a.kappa, a.kappa_interval)},
              {"confusion", a.confusion}};
  if (a.rating_spearman) out["rating_spearman"] = *a.rating_spearman;
  return out;
}

}  // namespace residue::cli
