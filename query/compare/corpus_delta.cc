#include "query/compare/corpus_delta.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "query/compare/value_delta.h"
#include "query/corpus/corpus_evaluation.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/metric.h"

namespace residue::query {
namespace {

struct Side : WholeValue {
  std::string embedder;
};

Side side_of(storage::Db& db, const std::string& dataset, const std::string& run, MetricId metric,
             MissingPolicy missing, std::string_view part) {
  const std::string_view name = definition(metric).name;
  const std::string remedy = fmt::format("residue eval {}/{} --metrics {}", dataset, run, name);
  const auto evaluation = current_corpus(db, storage::find_run(db, dataset, run), metric);
  if (!evaluation)
    throw Error(Code::kNotFound, fmt::format("{} of {}/{} was not computed", name, dataset, run), remedy);
  if (!evaluation->changed.empty()) {
    throw Error(Code::kUsage, fmt::format("{} of {}/{} is stale: {}", name, dataset, run, evaluation->changed), remedy);
  }
  storage::Statement find = db.prepare(storage::sql::kMetricValuesAndCounts);
  Side side;
  side.embedder = evaluation->embedder;
  if (!find.bind(evaluation->id, static_cast<std::int64_t>(metric), part).step()) return side;
  const int column = missing == MissingPolicy::kDrop ? 1 : 0;
  if (!find.is_null(column)) side.value = find.real(column);
  side.records = static_cast<std::uint64_t>(find.integer(2));
  if (missing == MissingPolicy::kDrop) return side;
  side.lost = {static_cast<std::uint64_t>(find.integer(3)), static_cast<std::uint64_t>(find.integer(4))};
  side.records += side.lost.failed + side.lost.missing;
  return side;
}

}  // namespace

MetricDelta corpus_delta(storage::Db& db, const CorpusPair& runs, MetricId metric, MissingPolicy missing,
                         std::string_view part) {
  const Side a = side_of(db, runs.dataset, runs.baseline, metric, missing, part);
  const Side b = side_of(db, runs.dataset, runs.run, metric, missing, part);
  if (a.embedder != b.embedder) {
    const auto name = [](const std::string& embedder) {
      return embedder.empty() ? std::string("no vectors") : "vectors of " + embedder;
    };
    throw Error(Code::kUsage,
                fmt::format("{} uses {} in {} and {} in {}: these numbers cannot be compared", definition(metric).name,
                            name(a.embedder), runs.baseline, name(b.embedder), runs.run),
                fmt::format("residue eval {} --metrics {} --embedder NAME", runs.dataset, definition(metric).name));
  }
  return delta_of(metric, part, a, b);
}

}  // namespace residue::query
