#include "query/study/abstention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "numbers/stats/bootstrap.h"
#include "query/inputs/auxiliary.h"
#include "query/link/linking.h"
#include "query/link/releases.h"
#include "query/report/report_seeds.h"
#include "query/stored/current_evaluation.h"

namespace residue::query {
namespace {

// Records of one margin, the surest first.
struct Level {
  double margin = 0;
  std::uint64_t records = 0, right = 0;
};

std::vector<Level> levels_of(std::span<const Certainty> records) {
  std::vector<Certainty> sorted(records.begin(), records.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.margin > b.margin; });
  std::vector<Level> levels;
  for (const Certainty& one : sorted) {
    if (levels.empty() || levels.back().margin != one.margin) levels.push_back({one.margin, 0, 0});
    ++levels.back().records;
    levels.back().right += one.right ? 1 : 0;
  }
  return levels;
}

Certainty certainty_of(const std::vector<index::Hit>& hits, const LinkView& link, RecordId record) {
  if (hits.empty()) return {-1, false};
  const double second = hits.size() > 1 ? hits[1].score : 0;
  return {hits[0].tied > 0 ? 0 : hits[0].score - second, link.linked.value == record.value};
}

using Curve = std::vector<std::optional<Precision>>;

// Of one seed, into `line`; nothing where its evaluation is not current: then `line` says why.
std::optional<Curve> curve_of(storage::Store& store, const Lens& lens, const DatasetView& dataset, const RunHead& head,
                              MissingPolicy missing, AbstentionLine& line) {
  const auto evaluation = current_evaluation(store.db(), head.id, Tier::kLink, lens.protocol, {});
  if (!evaluation || !evaluation->changed.empty()) {
    line.reason = evaluation ? evaluation->changed : "was not evaluated";
    return std::nullopt;
  }
  const storage::Lock lock = store.lock_run(head.id);
  const storage::Lock texts = store.hold_texts();
  const RunView run = load_run(store, dataset, head);
  const OtherReleases others(store, dataset, head, lens.spec);
  const std::vector<LinkView> links = load_links(store, dataset, head.id, lens.protocol);
  AuxiliaryView attacked = sync_auxiliary(store, dataset, lens.spec.policy);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!links[i].attacked || dataset.records[i].empty) attacked.known[i].query = TextId{};
  }
  std::vector<Certainty> records;
  std::uint64_t failed = 0;
  for_hits(store, dataset, others.with(run), attacked, lens.spec, {},
           [&](std::size_t i, const std::vector<index::Hit>& hits) {
             if (run.variants[i].ok) {
               records.push_back(certainty_of(hits, to_link(hits, {}), dataset.records[i].id));
             } else {
               ++failed;
             }
           });
  if (line.records == 0) {
    line.records = records.size() + failed;
    line.failed = failed;
  }
  Curve curve = abstention_curve(records, missing == MissingPolicy::kDrop ? 0 : failed);
  for (auto& point : curve) {
    if (point && !dataset.independent) point->low = point->high = std::nullopt;
  }
  return curve;
}

AbstentionLine line_of(storage::Store& store, const std::vector<Lens>& seeds, const DatasetView& dataset,
                       const RunHead& head, MissingPolicy missing) {
  AbstentionLine line;
  line.run = head.name;
  std::vector<Curve> curves;
  for (const Lens& lens : seeds) {
    auto curve = curve_of(store, lens, dataset, head, missing, line);
    if (!curve) return {head.name, 0, 0, {}, line.reason};
    curves.push_back(*std::move(curve));
  }
  line.precision = mean_curve(curves);
  return line;
}

}  // namespace

Curve abstention_curve(std::span<const Certainty> records, std::uint64_t lost) {
  const std::vector<Level> levels = levels_of(records);
  const std::uint64_t all = records.size() + lost;
  Curve curve(kCoverages);
  for (std::size_t tenth = 1; tenth <= kCoverages && all > 0; ++tenth) {
    const std::uint64_t named = (all * tenth + kCoverages - 1) / kCoverages;
    std::uint64_t left = named - std::min(named, lost);
    auto right = static_cast<double>(named - left);
    for (const Level& level : levels) {
      const std::uint64_t taken = std::min(left, level.records);
      right += static_cast<double>(taken * level.right) / static_cast<double>(level.records);
      left -= taken;
    }
    const double share = right / static_cast<double>(named);
    const numbers::Interval interval = numbers::wilson_interval_of(share, static_cast<std::int64_t>(named));
    curve[tenth - 1] = {share, interval.low, interval.high, {}};
  }
  return curve;
}

Curve mean_curve(std::span<const Curve> curves) {
  Curve mean = curves.front();
  if (curves.size() < 2) return mean;
  const auto count = static_cast<double>(curves.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) { return !curve[i]; })) {
      mean[i].reset();
      continue;
    }
    const auto over = [&](auto value_of) {
      double sum = 0;
      for (const Curve& curve : curves) sum += value_of(*curve[i]);
      return sum / count;
    };
    Precision& point = *mean[i];
    std::vector<SeedValue> seeds;
    for (const Curve& curve : curves) seeds.push_back({curve[i]->value, curve[i]->low, curve[i]->high});
    if (const auto interval = interval_over_seeds(seeds, 0, 1)) {
      point.low = interval->low;
      point.high = interval->high;
    }
    point.value = over([](const Precision& one) { return one.value; });
    const double squares =
        over([&](const Precision& one) { return (one.value - point.value) * (one.value - point.value); });
    point.deviation = std::sqrt(squares * count / (count - 1));
  }
  return mean;
}

Abstention load_abstention(storage::Store& store, const AbstentionOptions& options) {
  Abstention result;
  result.lens = find_lens(store.db(), options.dataset, options.protocol, options.judge);
  if (result.lens.spec.linker->control()) {
    throw Error(Code::kUsage, fmt::format("the control linker {} is never in doubt", result.lens.spec.linker->name),
                "--protocol bm25/random:3");
  }
  const std::vector<Lens> seeds = seed_lenses(store.db(), result.lens, options.seeds);
  result.seeds = static_cast<std::uint32_t>(seeds.size());
  const DatasetView view =
      load_dataset(store, result.lens.dataset, options.dataset,
                   find_claim_set(store.db(), result.lens.dataset, options.dataset, result.lens.spec.claim_set));
  result.independent = view.independent;
  const std::vector<std::string> held = result.lens.spec.runs();
  for (const bool controls : {false, true}) {
    for (const RunHead& run : list_runs(store.db(), result.lens.dataset)) {
      const bool control = run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll;
      const bool read = held.empty() || std::find(held.begin(), held.end(), run.name) != held.end();
      if (control != controls || run.kind == RunKind::kSynthetic || !read) continue;
      result.runs.push_back(line_of(store, seeds, view, run, options.missing));
    }
  }
  return result;
}

}  // namespace residue::query
