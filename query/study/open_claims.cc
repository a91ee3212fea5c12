#include "query/study/open_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/report/report_seeds.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/results/link_place.h"

namespace residue::query {
namespace {

using Curve = std::vector<OpenPoint>;

// Of one seed; nothing where its evaluation is not current: then `line` says why.
std::optional<Curve> curve_of(storage::Db& db, const Lens& lens, const RunHead& head, const OpenClaimsOptions& options,
                              OpenClaimsLine& line) {
  const auto evaluation = current_evaluation(db, head.id, Tier::kLink, lens.protocol, {});
  if (!evaluation || !evaluation->changed.empty()) {
    line.reason = evaluation ? evaluation->changed : "was not evaluated";
    return std::nullopt;
  }
  std::vector<OpenTarget> targets;
  std::uint64_t lost = 0;
  storage::Statement rows = db.prepare(storage::sql::kLinkPlacesOfEvaluation);
  rows.bind(evaluation->id, static_cast<std::int64_t>(MetricId::kMeanRisk));
  while (rows.step()) {
    const auto state = static_cast<State>(rows.integer(1));
    if (state == State::kNotApplicable) continue;
    if (state != State::kValue) {
      ++lost;
      continue;
    }
    targets.push_back({static_cast<std::uint64_t>(rows.integer(0)), rows.integer_or_null(3), rows.integer_or_null(4),
                       rows.integer(2)});
  }
  if (line.records == 0) {
    line.records = targets.size() + lost;
    line.lost = lost;
  }
  const auto absent = static_cast<std::int64_t>(std::lround(options.absent_share * static_cast<double>(kShareOne)));
  return open_curve(targets, options.missing == MissingPolicy::kDrop ? 0 : lost, absent);
}

Curve mean_curve(const std::vector<Curve>& seeds) {
  Curve mean = seeds.front();
  for (std::size_t i = 0; i < mean.size() && seeds.size() > 1; ++i) {
    std::vector<std::optional<double>> precision, recall;
    std::uint64_t claims = 0;
    for (const Curve& seed : seeds) {
      precision.push_back(seed[i].precision);
      recall.push_back(seed[i].recall);
      claims += seed[i].claims;
    }
    const auto known = [](const auto& values) { return std::ranges::any_of(values, [](auto one) { return !!one; }); };
    mean[i].precision = known(precision) ? mean_over_seeds(precision) : std::nullopt;
    mean[i].recall = known(recall) ? mean_over_seeds(recall) : std::nullopt;
    mean[i].claims = (claims + seeds.size() / 2) / seeds.size();
  }
  return mean;
}

OpenClaims claims_of(storage::Db& db, const OpenClaimsOptions& options, const std::string& protocol) {
  OpenClaims result;
  result.lens = find_lens(db, options.dataset, protocol, options.judge);
  if (result.lens.spec.linker->control()) {
    throw Error(Code::kUsage,
                fmt::format("beside the control linker {} there is no absent attack", result.lens.spec.linker->name),
                "--protocol bm25/random:3");
  }
  const std::vector<Lens> seeds = seed_lenses(db, result.lens, options.seeds);
  result.seeds = static_cast<std::uint32_t>(seeds.size());
  const std::vector<std::string> held = result.lens.spec.runs();
  for (const bool controls : {false, true}) {
    for (const RunHead& run : list_runs(db, result.lens.dataset)) {
      const bool read = held.empty() || std::find(held.begin(), held.end(), run.name) != held.end();
      if (run.control() != controls || run.kind == RunKind::kSynthetic || !read) continue;
      OpenClaimsLine line{run.name, 0, 0, {}, {}};
      std::vector<Curve> curves;
      for (const Lens& lens : seeds) {
        auto curve = curve_of(db, lens, run, options, line);
        if (curve) curves.push_back(*std::move(curve));
      }
      if (line.reason.empty()) line.points = mean_curve(curves);
      result.runs.push_back(std::move(line));
    }
  }
  return result;
}

}  // namespace

std::vector<OpenClaims> load_open_claims(storage::Store& store, const OpenClaimsOptions& options) {
  const storage::ReadTransaction snapshot(store.db());
  std::vector<std::string> protocols = {options.protocols};
  if (!options.protocols.empty()) {
    protocols.clear();
    for (const ProtocolSpec& spec : parse_protocols(options.protocols)) protocols.push_back(spec.name());
  }
  std::vector<OpenClaims> all;
  for (const std::string& protocol : protocols) all.push_back(claims_of(store.db(), options, protocol));
  return all;
}

}  // namespace residue::query
