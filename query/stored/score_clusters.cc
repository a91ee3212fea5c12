#include "query/stored/score_clusters.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "storage/catalog/results/score.h"

namespace residue::query {
namespace {

constexpr std::string_view kScores = storage::sql::kScoreStatesOfCut;

}  // namespace

ClusterSource score_clusters(storage::Db& db, EvaluationId evaluation, MetricId metric, std::string cut) {
  const auto known = std::make_shared<std::optional<Clusters>>();
  return [&db, evaluation, metric, cut = std::move(cut), known]() -> const Clusters& {
    if (*known) return **known;
    Clusters& all = known->emplace();
    storage::Statement rows = db.prepare(kScores);
    rows.bind(evaluation, static_cast<std::int64_t>(metric), cut);
    while (rows.step()) {
      Contribution one;
      one.slice = static_cast<Outcome>(rows.integer(1));
      one.state = static_cast<State>(rows.integer(2));
      one.den = rows.integer(3);
      all.add(one, static_cast<std::uint64_t>(rows.integer(0)));
    }
    return all;
  };
}

}  // namespace residue::query
