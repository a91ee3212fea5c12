#include "query/people/intruder_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "numbers/stats/bootstrap.h"
#include "query/metric/contribution.h"
#include "query/report/judged_run.h"
#include "storage/catalog/results/metric.h"

namespace residue::query {
namespace {

// Values of targets, and who is resampled with whom.
struct Values {
  std::vector<double> values;
  std::vector<std::uint64_t> units;

  void add(const IntruderAttempt& attempt, double value) {
    values.push_back(value);
    units.push_back(attempt.unit);
  }
  [[nodiscard]] std::size_t persons() const { return std::set<std::uint64_t>(units.begin(), units.end()).size(); }
  [[nodiscard]] double sum() const {
    double all = 0;
    for (const double value : values) all += value;
    return all;
  }
};

struct Interval {
  double low = 0, high = 0;
};

// The mean's, persons resampled, with a phantom of value `least` at one end and of 1 at the other.
Interval resampled_mean(const Values& of, double least) {
  numbers::ReplicateSums num{}, den{};
  numbers::Weights weights{};
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    numbers::draw_weights(of.units[i], weights);
    numbers::add_weighted(weights, std::llround(of.values[i] * static_cast<double>(kOne)), num);
    numbers::add_weighted(weights, 1, den);
  }
  const auto n = static_cast<std::int64_t>(of.values.size());
  const numbers::SampledRatio ratio{.num = num,
                                    .den = den,
                                    .total = n,
                                    .units = static_cast<std::int64_t>(of.persons()),
                                    .least = std::llround(least * static_cast<double>(kOne)),
                                    .greatest = kOne,
                                    .one = static_cast<double>(kOne)};
  const numbers::Interval found = numbers::ratio_interval(ratio, of.sum() / static_cast<double>(n));
  return {found.low, found.high};
}

IntruderRate rate_of(const Values& of) {
  IntruderRate rate;
  rate.hits = of.sum();
  rate.n = of.values.size();
  if (rate.n < kFewestAttempts) return rate;
  rate.value = rate.hits / static_cast<double>(rate.n);
  const bool whole = std::ranges::all_of(of.values, [](double value) { return value == 0 || value == 1; });
  if (whole && of.persons() == of.values.size()) {
    const numbers::Interval wilson =
        numbers::wilson_interval(std::llround(rate.hits), static_cast<std::int64_t>(rate.n));
    rate.low = wilson.low;
    rate.high = wilson.high;
  } else {
    const Interval interval = resampled_mean(of, 0);
    rate.low = interval.low;
    rate.high = interval.high;
  }
  return rate;
}

bool counts(const IntruderAttempt& attempt) {
  return attempt.state != AttemptState::kOpen && attempt.state != AttemptState::kOutdated;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Claims of people, or of the machine, at each confidence. A text that failed since was claimed by nobody, and what the
// machine would have done is not known of every absent target.
template <class Claim, class Known>
std::vector<SureStep> steps_of(const std::vector<IntruderAttempt>& attempts, const Claim& claim, const Known& known) {
  std::vector<SureStep> steps;
  for (const std::uint32_t sure : kSureSteps) {
    Values precision, recall;
    for (const IntruderAttempt& attempt : attempts) {
      if (!counts(attempt) || attempt.state == AttemptState::kFailed || !known(attempt)) continue;
      const std::optional<double> value = claim(attempt, sure);
      if (value) precision.add(attempt, *value);
      if (attempt.present) recall.add(attempt, value.value_or(0));
    }
    steps.push_back({sure, precision.values.size(), rate_of(precision), rate_of(recall)});
  }
  return steps;
}

std::vector<SureStep> sure_of_people(const std::vector<IntruderAttempt>& attempts) {
  const auto claim = [](const IntruderAttempt& attempt, std::uint32_t sure) {
    return attempt.claims && attempt.sure >= sure ? std::optional(attempt.person) : std::nullopt;
  };
  return steps_of(attempts, claim, [](const IntruderAttempt&) { return true; });
}

std::vector<SureStep> sure_of_machine(const std::vector<IntruderAttempt>& attempts) {
  const auto claim = [](const IntruderAttempt& attempt, std::uint32_t sure) {
    const IntruderAttempt::Machine& machine = attempt.machine;
    return machine.claims && machine.sure && *machine.sure * 100 >= sure ? std::optional(machine.person) : std::nullopt;
  };
  return steps_of(attempts, claim, [](const IntruderAttempt& attempt) { return attempt.machine.known; });
}

std::vector<IntruderReport::Annotator> annotators_of(const std::vector<IntruderAttempt>& attempts) {
  std::map<std::string, IntruderReport::Annotator> by_name;
  std::map<std::string, std::vector<double>> seconds, searches;
  for (const IntruderAttempt& attempt : attempts) {
    IntruderReport::Annotator& one = by_name[attempt.annotator];
    one.name = attempt.annotator;
    one.open += attempt.state == AttemptState::kOpen ? 1 : 0;
    one.told += attempt.told ? 1 : 0;
    if (!counts(attempt)) continue;
    ++one.attempts;
    one.right += attempt.state == AttemptState::kRight ? 1 : 0;
    one.wrong += attempt.state == AttemptState::kWrong ? 1 : 0;
    one.none += attempt.state == AttemptState::kNone ? 1 : 0;
    one.rightly_none += attempt.state == AttemptState::kRightlyNone ? 1 : 0;
    if (attempt.seconds) seconds[attempt.annotator].push_back(*attempt.seconds);
    if (attempt.searches) searches[attempt.annotator].push_back(*attempt.searches);
  }
  std::vector<IntruderReport::Annotator> all;
  for (auto& [name, one] : by_name) {
    one.median_seconds = median(std::move(seconds[name]));
    one.median_searches = median(std::move(searches[name]));
    all.push_back(std::move(one));
  }
  return all;
}

void count(const IntruderAttempt& attempt, IntruderReport& report) {
  switch (attempt.state) {
    case AttemptState::kOpen:
      ++report.open;
      return;
    case AttemptState::kOutdated:
      ++report.outdated;
      return;
    case AttemptState::kFailed:
      ++report.failed;
      break;
    case AttemptState::kRight:
      ++report.right;
      break;
    case AttemptState::kShared:
      ++report.shared;
      break;
    case AttemptState::kWrong:
      ++(attempt.present ? report.wrong : report.false_claims);
      break;
    case AttemptState::kNone:
      ++report.none;
      break;
    case AttemptState::kRightlyNone:
      ++report.rightly_none;
      break;
  }
  ++report.attempts;
  ++(attempt.present ? report.present : report.absent);
}

IntruderRate of_whole_run(storage::Db& db, EvaluationId evaluation, MetricId metric) {
  storage::Statement find = db.prepare(storage::sql::kMetricFieldsForGates);
  if (!find.bind(evaluation, static_cast<std::int64_t>(metric), "").step()) return {};
  IntruderRate rate;
  rate.n = static_cast<std::uint64_t>(find.real(8) + find.real(9) + find.real(10));
  if (find.is_null(0)) return rate;
  rate.value = find.real(0);
  rate.hits = *rate.value * static_cast<double>(rate.n);
  if (!find.is_null(1)) rate.low = find.real(1);
  if (!find.is_null(2)) rate.high = find.real(2);
  return rate;
}

}  // namespace

IntruderReport report_of(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts) {
  IntruderReport report;
  report.dataset = test.lens.dataset_name;
  report.run = test.release.run.name;
  report.protocol = test.protocol;
  report.sample = test.lens.sample;
  report.stale = test.stale;
  report.targets = test.targets.size();
  report.failed_targets = test.failed;
  Values person, own, machine_person, machine_own, both, false_claim, machine_false;
  std::set<std::uint64_t> persons;
  std::vector<double> seconds;
  for (const IntruderAttempt& attempt : attempts) {
    report.told += attempt.told ? 1 : 0;
    count(attempt, report);
    if (!counts(attempt)) continue;
    persons.insert(attempt.unit);
    if (attempt.seconds) seconds.push_back(*attempt.seconds);
    const IntruderAttempt::Machine& machine = attempt.machine;
    if (!attempt.present) {
      false_claim.add(attempt, attempt.claims ? 1 : 0);
      if (machine.known) machine_false.add(attempt, machine.claims ? 1 : 0);
      continue;
    }
    person.add(attempt, attempt.person);
    own.add(attempt, attempt.own ? 1 : 0);
    if (!machine.known) continue;
    machine_person.add(attempt, machine.person);
    machine_own.add(attempt, machine.own ? 1 : 0);
    both.add(attempt, attempt.person - machine.person);
  }
  report.persons = persons.size();
  report.median_seconds = median(std::move(seconds));
  report.person = rate_of(person);
  report.own = rate_of(own);
  report.machine_person = rate_of(machine_person);
  report.machine_own = rate_of(machine_own);
  report.false_claim = rate_of(false_claim);
  report.machine_false_claim = rate_of(machine_false);
  if (both.values.size() >= kFewestAttempts) {
    report.difference = both.sum() / static_cast<double>(both.values.size());
    const Interval interval = resampled_mean(both, -1);
    report.difference_low = interval.low;
    report.difference_high = interval.high;
  }
  if (report.person.value) {
    const auto drawn = static_cast<double>(report.targets), lost = static_cast<double>(report.failed_targets);
    const auto of_all = [&](double rate) { return (lost + drawn * rate) / (lost + drawn); };
    report.person_of_all = of_all(*report.person.value);
    report.person_of_all_low = of_all(*report.person.low);
    report.person_of_all_high = of_all(*report.person.high);
  }
  report.sure = sure_of_people(attempts);
  report.machine_sure = sure_of_machine(attempts);
  report.annotators = annotators_of(attempts);
  return report;
}

IntruderReport load_intruder_report(storage::Store& store, const IntruderTest& test,
                                    const std::optional<std::string>& annotator) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  IntruderReport report = report_of(test, load_attempts(store, test, annotator));
  if (const auto evaluation = evaluation_of(db, test.lens, test.release.run.id, Tier::kLink)) {
    report.machine_all_person = of_whole_run(db, *evaluation, MetricId::kLinkageRatePerson);
    report.machine_all_own = of_whole_run(db, *evaluation, MetricId::kLinkageRate);
  }
  return report;
}

}  // namespace residue::query
