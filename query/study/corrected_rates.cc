#include "query/study/corrected_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>

#include "base/error.h"
#include "query/agree/agreement_report.h"
#include "query/compare/paired_scores.h"
#include "query/inputs/snapshot.h"
#include "query/stored/current_evaluation.h"

namespace residue::query {
namespace {

using Frequencies = std::array<double, 3>;  // of the judge's ratings
using numbers::ReplicateSums;
using Cells = std::array<std::array<std::int64_t, 3>, 3>;  // [people's rating - 1][the judge's rating - 1]
using Judge = std::optional<numbers::Misclassification>;

enum class End { kPrivate, kLeaky };  // of an interval, whatever the metric's direction

// What is asked of a rating: is it at most `limit`? 1: all of the claim can be learnt; 2: something.
struct Question {
  std::size_t limit;

  [[nodiscard]] bool yes(std::size_t index) const { return index < limit; }  // index: rating - 1
};
constexpr Question kLeaked{2}, kFull{1};

// Each of the judge's ratings gets the frequency it has among what the judge rated.
Judge errors_of(const Cells& cells, const Frequencies& frequencies, Question question) {
  std::array<std::array<double, 2>, 2> matrix{};
  for (std::size_t rating = 0; rating < 3; ++rating) {
    const auto labels = static_cast<double>(cells[0][rating] + cells[1][rating] + cells[2][rating]);
    if (frequencies[rating] <= 0) continue;
    if (labels == 0) return std::nullopt;
    for (std::size_t people = 0; people < 3; ++people) {
      matrix[question.yes(people) ? 1 : 0][question.yes(rating) ? 1 : 0] +=
          static_cast<double>(cells[people][rating]) / labels * frequencies[rating];
    }
  }
  return numbers::misclassification(matrix);
}

// Sums over units, as a whole and in every replicate.
struct Sum {
  std::int64_t all = 0;
  ReplicateSums in{};

  void add(const numbers::Weights& weights, std::int64_t value) {
    all += value;
    numbers::add_weighted(weights, value, in);
  }
};

// What is rated, and what of it leaks: claims, or records, whose claims weigh one together.
struct Rated {
  Sum leaked, full, rated, lost;
};

struct RunSums {
  Rated claims, records;
  std::set<std::uint64_t> units;
};

void add_run(const std::vector<ScoredRecord>& rates, const std::vector<ScoredRecord>& full, MissingPolicy missing,
             RunSums& sums, CorrectedRate& line) {
  numbers::Weights weights;
  auto fully = full.begin();
  for (const ScoredRecord& one : rates) {
    if (one.state == State::kNotApplicable) continue;
    while (fully != full.end() && fully->record < one.record) ++fully;
    const std::int64_t whole = fully != full.end() && fully->record == one.record ? fully->num : 0;
    numbers::draw_weights(one.unit, weights);
    if (one.state == State::kValue) {
      ++line.records;
      if (one.den == 0) continue;
      sums.units.insert(one.unit);
      sums.claims.leaked.add(weights, one.num);
      sums.claims.full.add(weights, whole);
      sums.claims.rated.add(weights, one.den);
      sums.records.leaked.add(weights, fixed(one.num, one.den));
      sums.records.full.add(weights, fixed(whole, one.den));
      sums.records.rated.add(weights, kOne);
      continue;
    }
    ++(one.state == State::kFailed ? line.failed : line.missing);
    if (missing == MissingPolicy::kDrop) continue;
    sums.units.insert(one.unit);
    sums.claims.lost.add(weights, one.den);
    sums.records.lost.add(weights, kOne);
  }
}

struct Labels {
  Cells cells{};
  std::array<std::array<Sum, 3>, 3> sampled{};
  std::set<std::uint64_t> units;
};

std::unique_ptr<Labels> count_labels(const std::vector<RatedLabel>& labels) {
  auto counted = std::make_unique<Labels>();
  numbers::Weights weights;
  for (const RatedLabel& label : labels) {
    ++counted->cells[label.people - 1U][label.judge - 1U];
    numbers::draw_weights(label.unit, weights);
    counted->sampled[label.people - 1U][label.judge - 1U].add(weights, 1);
    counted->units.insert(label.unit);
  }
  return counted;
}

// The labels of replicate b, with a phantom of whom the judge is as wrong as can be towards one end.
Judge errors_in(std::size_t b, const Labels& labels, const Frequencies& frequencies, Question question, End end) {
  Cells cells{};
  for (std::size_t rating = 0; rating < 3; ++rating) {
    std::int64_t total = 0;
    for (std::size_t people = 0; people < 3; ++people) {
      cells[people][rating] = labels.sampled[people][rating].in[b];
      total += labels.sampled[people][rating].all;
    }
    // Towards "private" people see nothing in what the judge found; towards "leaky" all in what it did not find.
    const bool contradicts = question.yes(rating) == (end == End::kPrivate);
    const std::size_t says = !contradicts ? rating : end == End::kPrivate ? 2 : 0;
    cells[says][rating] += numbers::phantom_share(b, total, static_cast<std::int64_t>(labels.units.size()));
  }
  return errors_of(cells, frequencies, question);
}

// The share that people would have found, of what was rated; 0 or 1 where labels leave the judge no better than chance.
double share(double leaked, double rated, const Judge& judge, End end) {
  const std::optional<double> found = judge && rated > 0 ? numbers::rogan_gladen(leaked / rated, *judge) : std::nullopt;
  return found.value_or(end == End::kLeaky ? 1 : 0);
}

struct Part {
  double leaked, full, rated, lost;
};

// Of `part`, by errors of "leaked" and of "full"; a phantom weighs `phantom` and is as the end says.
double metric_of(MetricId metric, const Part& part, const Judge& leaked, const Judge& full, End end, double phantom) {
  const double all = part.rated + part.lost + phantom;
  const double leaks = part.lost + (end == End::kLeaky ? phantom : 0);
  if (metric == MetricId::kLeakRate) return (share(part.leaked, part.rated, leaked, end) * part.rated + leaks) / all;
  const double fully = share(part.full, part.rated, full, end);
  if (metric == MetricId::kFullLeakRate) return (fully * part.rated + leaks) / all;
  const double some = std::max(share(part.leaked, part.rated, leaked, end), fully);
  return 1 - ((some + fully) / 2 * part.rated + leaks) / all;  // a rating of 2 is half of the distance
}

Frequencies frequencies_of(const std::vector<RunSums>& runs, const std::vector<CorrectedRate>& lines) {
  Frequencies frequencies{};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (lines[i].control) continue;
    const Rated& claims = runs[i].claims;
    frequencies[0] += static_cast<double>(claims.full.all);
    frequencies[1] += static_cast<double>(claims.leaked.all - claims.full.all);
    frequencies[2] += static_cast<double>(claims.rated.all - claims.leaked.all);
  }
  return frequencies;
}

// Errors in every replicate, towards either end: the same for all runs.
struct SampledErrors {
  std::vector<Judge> leaked, full;
};

SampledErrors sample_errors(const Labels& labels, const Frequencies& frequencies, End end) {
  SampledErrors out;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    out.leaked.push_back(errors_in(b, labels, frequencies, kLeaked, end));
    out.full.push_back(errors_in(b, labels, frequencies, kFull, end));
  }
  return out;
}

void correct(const RunSums& run, const CorrectedRates& rates, const SampledErrors& lower, const SampledErrors& upper,
             CorrectedRate& line) {
  const bool mean = line.metric == MetricId::kSemanticDistance;
  const Rated& sums = mean ? run.records : run.claims;
  const std::int64_t total = sums.rated.all + sums.lost.all;
  if (total == 0) return;
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  const Part whole{real(sums.leaked.all), real(sums.full.all), real(sums.rated.all), real(sums.lost.all)};
  constexpr numbers::Misclassification kRight;
  line.observed = metric_of(line.metric, whole, kRight, kRight, End::kLeaky, 0);
  const auto usable = [](const Judge& judge) { return judge && numbers::rogan_gladen(0, *judge).has_value(); };
  const bool needs_leaked = line.metric != MetricId::kFullLeakRate, needs_full = line.metric != MetricId::kLeakRate;
  if (sums.rated.all > 0 && ((needs_leaked && !usable(rates.leaked)) || (needs_full && !usable(rates.full)))) return;
  line.corrected = metric_of(line.metric, whole, rates.leaked, rates.full, End::kLeaky, 0);
  std::vector<double> lows, highs;
  const auto units = static_cast<std::int64_t>(run.units.size());
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    const Part part{real(sums.leaked.in[b]), real(sums.full.in[b]), real(sums.rated.in[b]), real(sums.lost.in[b])};
    const double phantom = real(numbers::phantom_share(b, total, units));
    const double kept = metric_of(line.metric, part, lower.leaked[b], lower.full[b], End::kPrivate, phantom);
    const double told = metric_of(line.metric, part, upper.leaked[b], upper.full[b], End::kLeaky, phantom);
    lows.push_back(mean ? told : kept);
    highs.push_back(mean ? kept : told);
  }
  line.interval = numbers::phantom_interval(lows, highs, *line.corrected);
}

}  // namespace

CorrectedRates load_corrected(storage::Store& store, const std::string& dataset, const std::string& protocol,
                              const std::optional<std::string>& judge, MissingPolicy missing) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  CorrectedRates result;
  result.lens = find_lens(db, dataset, protocol, judge);
  result.missing = missing;
  const std::vector<RatedLabel> rated = rated_labels(store, dataset, result.lens.judge_name);
  result.labels = rated.size();
  if (rated.size() < kFewestCorrecting) {
    throw Error(
        Code::kNotFound,
        fmt::format(
            "people and the judge {2} both rated {0} claims of {1}; {3} are needed to estimate the judge's errors",
            rated.size(), dataset, result.lens.judge_name, kFewestCorrecting),
        fmt::format("residue label {}/RUN draws pairs for people to rate", dataset));
  }
  const std::unique_ptr<Labels> labels = count_labels(rated);
  std::vector<RunSums> runs;
  std::vector<CorrectedRate> lines;
  for (const bool controls : {false, true}) {
    for (const RunHead& run : list_runs(db, result.lens.dataset)) {
      const bool control = run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll;
      if (control != controls) continue;
      CorrectedRate& line = lines.emplace_back();
      line.run = run.name;
      line.control = control;
      RunSums& sums = runs.emplace_back();
      const auto found = current_evaluation(db, run.id, Tier::kJudge, result.lens.protocol, result.lens.judge);
      if (!found || !found->changed.empty()) continue;
      add_run(load_scored(db, found->id, MetricId::kLeakRate), load_scored(db, found->id, MetricId::kFullLeakRate),
              missing, sums, line);
    }
  }
  const Frequencies frequencies = frequencies_of(runs, lines);
  result.leaked = errors_of(labels->cells, frequencies, kLeaked);
  result.full = errors_of(labels->cells, frequencies, kFull);
  const SampledErrors lower = sample_errors(*labels, frequencies, End::kPrivate);
  const SampledErrors upper = sample_errors(*labels, frequencies, End::kLeaky);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const MetricId metric : {MetricId::kSemanticDistance, MetricId::kLeakRate, MetricId::kFullLeakRate}) {
      lines[i].metric = metric;
      CorrectedRate& line = result.runs.emplace_back(lines[i]);
      correct(runs[i], result, lower, upper, line);
    }
  }
  return result;
}

}  // namespace residue::query
