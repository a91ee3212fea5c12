#include "query/people/intruder_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "query/people/intruder_strata.h"
#include "query/report/judged_run.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/sources/intruder.h"

namespace residue::query {
namespace {

bool counts(const IntruderAttempt& attempt) {
  return attempt.state != AttemptState::kOpen && attempt.state != AttemptState::kOutdated;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// What attempts are weighed by: the strata of the population, or nothing.
struct Population {
  Strata strata;
  StratumShares shares;
  std::string unknown;  // why shares are not

  [[nodiscard]] std::size_t stratum_of(const IntruderAttempt& attempt) const {
    return strata.of_record.empty() ? 0 : strata.of_record[attempt.record];
  }
  void add(SampledValues& to, const IntruderAttempt& attempt, double value, bool counted = true) const {
    to.add(value, attempt.unit, stratum_of(attempt), counted);
  }
};

Population population_of(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts) {
  Population population;
  if (test.mixed) {
    population.unknown = "targets were drawn by strata of several kinds";
  } else if (test.by != StrataBy::kNothing) {
    population.strata = count_strata(test);
    for (const std::uint64_t targets : population.strata.targets) {
      population.shares.of.push_back(static_cast<double>(targets) / static_cast<double>(test.targets.size()));
    }
    std::vector<std::uint64_t> tried(population.strata.names.size());
    std::uint64_t moved = 0;
    for (const IntruderAttempt& attempt : attempts) {
      if (!counts(attempt)) continue;
      ++tried[population.stratum_of(attempt)];
      if (!attempt.stratum.empty() && attempt.stratum != test.strata[attempt.record]) ++moved;
    }
    for (std::size_t h = 0; h < tried.size(); ++h) {
      if (population.strata.targets[h] > 0 && tried[h] == 0 && population.unknown.empty()) {
        population.unknown = fmt::format("nobody attempted a target of the stratum {} yet", population.strata.names[h]);
      }
    }
    if (moved > 0) {
      population.unknown = fmt::format("{} attempts were drawn when their targets were of another stratum", moved);
    }
  }
  population.shares.known = population.unknown.empty();
  return population;
}

// Claims of people, or of the machine, at each confidence. A text that failed since was claimed by nobody, and what the
// machine would have done is not known of every absent target.
template <class Claim, class Known>
std::vector<SureStep> steps_of(const std::vector<IntruderAttempt>& attempts, const Population& population,
                               const Claim& claim, const Known& known) {
  std::vector<SureStep> steps;
  for (const std::uint32_t sure : kSureSteps) {
    SampledValues precision, recall;
    for (const IntruderAttempt& attempt : attempts) {
      if (!counts(attempt) || attempt.state == AttemptState::kFailed || !known(attempt)) continue;
      const std::optional<double> value = claim(attempt, sure);
      population.add(precision, attempt, value.value_or(0), value.has_value());
      if (attempt.present) population.add(recall, attempt, value.value_or(0));
    }
    SureStep step{sure, 0, rate_of(precision, population.shares), rate_of(recall, population.shares)};
    step.claims = step.precision.n;
    steps.push_back(step);
  }
  return steps;
}

std::vector<SureStep> sure_of_people(const std::vector<IntruderAttempt>& attempts, const Population& population) {
  const auto claim = [](const IntruderAttempt& attempt, std::uint32_t sure) {
    return attempt.claims && attempt.sure >= sure ? std::optional(attempt.person) : std::nullopt;
  };
  return steps_of(attempts, population, claim, [](const IntruderAttempt&) { return true; });
}

std::vector<SureStep> sure_of_machine(const std::vector<IntruderAttempt>& attempts, const Population& population) {
  const auto claim = [](const IntruderAttempt& attempt, std::uint32_t sure) {
    const IntruderAttempt::Machine& machine = attempt.machine;
    return machine.claims && machine.sure && *machine.sure * 100 >= sure ? std::optional(machine.person) : std::nullopt;
  };
  return steps_of(attempts, population, claim, [](const IntruderAttempt& attempt) { return attempt.machine.known; });
}

std::vector<IntruderReport::Stratum> strata_rows(const std::vector<IntruderAttempt>& attempts,
                                                 const Population& population) {
  std::vector<IntruderReport::Stratum> rows;
  const Strata& strata = population.strata;
  for (std::size_t h = 0; h < strata.names.size(); ++h)
    rows.push_back({strata.names[h], strata.targets[h], 0, 0, 0, 0});
  for (const IntruderAttempt& attempt : attempts) {
    if (!counts(attempt) || rows.empty()) continue;
    IntruderReport::Stratum& row = rows[population.stratum_of(attempt)];
    ++row.attempts;
    if (!attempt.present) continue;
    ++row.present;
    row.person += attempt.person;
    if (attempt.machine.known) row.machine_person += attempt.machine.person;
  }
  return rows;
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
    if (attempt.blind) ++(*attempt.blind ? one.blind : one.after_look);
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
  report.named_changed += attempt.named_changed ? 1 : 0;
  ++(attempt.present ? report.present : report.absent);
  if (attempt.blind) ++(*attempt.blind ? report.blind : report.after_look);
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
  const Population population = population_of(test, attempts);
  report.by = test.by;
  report.unweighted = population.unknown;
  report.strata = strata_rows(attempts, population);
  SampledValues person, there, own, machine_person, machine_own, both, false_claim, machine_false, blind, after_look;
  std::set<std::uint64_t> persons;
  std::set<std::size_t> attempted;
  std::vector<double> seconds;
  for (const IntruderAttempt& attempt : attempts) {
    report.told += attempt.told ? 1 : 0;
    count(attempt, report);
    if (!counts(attempt)) continue;
    persons.insert(attempt.unit);
    attempted.insert(attempt.record);
    if (attempt.seconds) seconds.push_back(*attempt.seconds);
    const IntruderAttempt::Machine& machine = attempt.machine;
    const auto add = [&](SampledValues& to, double value) { population.add(to, attempt, value); };
    if (!attempt.present) {
      add(false_claim, attempt.claims ? 1 : 0);
      if (machine.known) add(machine_false, machine.claims ? 1 : 0);
      continue;
    }
    add(person, attempt.person);
    if (attempt.state != AttemptState::kFailed) add(there, attempt.person);
    add(own, attempt.own ? 1 : 0);
    if (attempt.blind) add(*attempt.blind ? blind : after_look, attempt.person);
    if (!machine.known) continue;
    add(machine_person, machine.person);
    add(machine_own, machine.own ? 1 : 0);
    add(both, attempt.person - machine.person);
  }
  report.persons = persons.size();
  report.attempted = attempted.size();
  report.median_seconds = median(std::move(seconds));
  const StratumShares& shares = population.shares;
  report.person = rate_of(person, shares);
  report.own = rate_of(own, shares);
  report.machine_person = rate_of(machine_person, shares);
  report.machine_own = rate_of(machine_own, shares);
  report.person_blind = rate_of(blind, shares);
  report.person_after_look = rate_of(after_look, shares);
  report.false_claim = rate_of(false_claim, shares);
  report.machine_false_claim = rate_of(machine_false, shares);
  const IntruderRate difference = rate_of(both, shares, -1);
  report.difference = difference.value;
  report.difference_low = difference.low;
  report.difference_high = difference.high;
  // Targets whose text failed count as found, each once: attempts on them say nothing of the others.
  if (const IntruderRate found = rate_of(there, shares); found.value) {
    const auto drawn = static_cast<double>(report.targets), lost = static_cast<double>(report.failed_targets);
    const auto of_all = [&](double rate) { return (lost + drawn * rate) / (lost + drawn); };
    report.person_of_all = of_all(*found.value);
    report.person_of_all_low = of_all(*found.low);
    report.person_of_all_high = of_all(*found.high);
  }
  report.sure = sure_of_people(attempts, population);
  report.machine_sure = sure_of_machine(attempts, population);
  report.annotators = annotators_of(attempts);
  return report;
}

IntruderReport held_back(IntruderReport report) {
  report.held = true;
  report.present = report.right = report.shared = report.wrong = report.none = report.failed = 0;
  report.absent = report.false_claims = report.rightly_none = 0;
  report.named_changed = 0;
  report.person = report.own = report.machine_person = report.machine_own = {};
  report.person_blind = report.person_after_look = report.false_claim = report.machine_false_claim = {};
  report.difference = report.difference_low = report.difference_high = std::nullopt;
  report.person_of_all = report.person_of_all_low = report.person_of_all_high = std::nullopt;
  report.sure.clear();
  report.machine_sure.clear();
  report.unweighted.clear();
  for (IntruderReport::Stratum& one : report.strata) one = {one.name, one.targets, 0, 0, 0, 0};
  for (IntruderReport::Annotator& one : report.annotators) one.right = one.wrong = one.none = one.rightly_none = 0;
  return report;
}

IntruderReport load_intruder_report(storage::Store& store, const IntruderTest& test,
                                    const std::vector<IntruderAttempt>& attempts) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  IntruderReport report = report_of(test, attempts);
  report.chance = intruder_chance(test);
  storage::Statement find = db.prepare(storage::sql::kIntruderLooksOfTest);
  find.bind(test.release.run.id, test.protocol, static_cast<std::int64_t>(test.lens.sample));
  while (find.step()) report.readers.emplace_back(find.text(0));
  if (const auto evaluation = evaluation_of(db, test.lens, test.release.run.id, Tier::kLink)) {
    report.machine_all_person = of_whole_run(db, *evaluation, MetricId::kLinkageRatePerson);
    report.machine_all_own = of_whole_run(db, *evaluation, MetricId::kLinkageRate);
  }
  return report;
}

}  // namespace residue::query
