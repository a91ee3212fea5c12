#include "query/outside/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "query/outside/likeness.h"
#include "query/outside/too_few.h"
#include "query/outside/two_samples.h"

namespace residue::query {
namespace {

constexpr std::int64_t kMostAlike = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLeastAlike = -1;

struct Samples {
  std::vector<Ranked> members, controls;
  std::vector<std::uint64_t> failed;  // persons of the members whose texts are not known
  std::int64_t not_applicable = 0;

  // The members, and those that failed as if they were of this rank.
  [[nodiscard]] std::vector<Ranked> with_failed(std::int64_t rank) const {
    std::vector<Ranked> all = members;
    for (const std::uint64_t unit : failed) all.push_back({rank, unit});
    return all;
  }
};

Samples ranked(const DatasetView& released, const RunView& run, const DatasetView& control,
               const std::vector<std::optional<Likeness>>& likeness) {
  std::map<Likeness, std::int64_t> ranks;
  for (const auto& one : likeness) {
    if (one) ranks.emplace(*one, 0);
  }
  std::int64_t next = 0;
  for (auto& [value, rank] : ranks) rank = next++;
  Samples samples;
  const std::size_t members = released.records.size();
  for (std::size_t i = 0; i < likeness.size(); ++i) {
    const bool member = i < members;
    const RecordView& record = member ? released.records[i] : control.records[i - members];
    if (!likeness[i]) {
      ++samples.not_applicable;
    } else if (member && (run.aligned() ? !run.variants[i].ok : run.lost)) {
      samples.failed.push_back(record.unit);
    } else {
      (member ? samples.members : samples.controls).push_back({ranks.at(*likeness[i]), record.unit});
    }
  }
  return samples;
}

std::vector<TextId> released_texts(const RunView& run) {
  std::vector<TextId> texts;
  for (const VariantView& variant : run.variants) {
    if (variant.ok) texts.push_back(variant.text);
  }
  for (const RunView::Synthetic& variant : run.synthetic) texts.push_back(variant.text);
  return texts;
}

}  // namespace

std::vector<MetricRow> membership_rows(const storage::Store& store, const DatasetView& released, const RunView& run,
                                       const DatasetView& control, const ProgressFunction& checkpoint) {
  std::vector<TextId> records;
  for (const DatasetView* side : {&released, &control}) {
    for (const RecordView& record : side->records) records.push_back(record.empty ? TextId{} : record.text);
  }
  const Samples samples = ranked(released, run, control, likeness_of(store, records, released_texts(run), checkpoint));
  const std::vector<Ranked> worst = samples.with_failed(kMostAlike), best = samples.with_failed(kLeastAlike);
  MetricRow row;
  row.n = static_cast<std::int64_t>(samples.members.size() + samples.controls.size());
  row.failed = static_cast<std::int64_t>(samples.failed.size());
  row.not_applicable = samples.not_applicable;
  const std::string few = too_few(persons_in(worst), persons_in(samples.controls));
  std::vector<MetricRow> rows;
  using Statistic = Estimate (*)(std::span<const Ranked>, std::span<const Ranked>);
  const auto add = [&](MetricId metric, Statistic statistic, std::string reason) {
    rows.push_back(row);
    MetricRow& now = rows.back();
    now.metric = metric;
    now.reason = std::move(reason);
    if (!now.reason.empty()) return;
    const Estimate all = statistic(worst, samples.controls);
    now.value = now.if_leaked = all.value;
    now.low = all.interval.low;
    now.high = all.interval.high;
    now.if_private = statistic(best, samples.controls).value;
    if (samples.members.empty()) return;
    const Estimate known = statistic(samples.members, samples.controls);
    now.drop_value = known.value;
    now.drop_low = known.interval.low;
    now.drop_high = known.interval.high;
  };
  add(MetricId::kMembershipAuc, membership_auc, few);
  const std::size_t controls = samples.controls.size();
  add(MetricId::kMembershipTpr01, membership_tpr_01,
      !few.empty() || controls >= kLeastForTpr
          ? few
          : fmt::format("too few controls: {}, and 1 % of fewer than {} is nobody", controls, kLeastForTpr));
  return rows;
}

}  // namespace residue::query
