#include "query/people/intruder_strata.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "query/link/linked_persons.h"
#include "storage/catalog/sources/intruder.h"
#include "storage/catalog/sources/record.h"

namespace residue::query {
namespace {

constexpr std::string_view kMachineFound = "machine:found", kMachineNotFound = "machine:not found";
constexpr std::string_view kLabel = "label";

std::vector<std::string> by_machine(const IntruderTest& test) {
  const LinkedPersons persons(test.dataset(), test.release.run, test.equal_originals());
  std::vector<std::string> strata;
  for (std::size_t i = 0; i < test.links.size(); ++i) {
    strata.emplace_back(persons.share(i, test.links[i]) > 0 ? kMachineFound : kMachineNotFound);
  }
  return strata;
}

std::vector<std::string> by_label(storage::Db& db, const IntruderTest& test) {
  std::vector<std::string> strata(test.dataset().records.size(), std::string(kLabel));
  storage::Statement find = db.prepare(storage::sql::kRecordLabelsOfDataset);
  find.bind(test.lens.dataset);
  while (find.step()) {
    const auto place = test.dataset().position.find(find.id<RecordId>(0));
    if (place != test.dataset().position.end()) strata[place->second] += ":" + std::string(find.text(1));
  }
  return strata;
}

}  // namespace

std::string_view name_of(StrataBy by) { return kStrataNames[static_cast<std::size_t>(by)]; }

std::optional<StrataBy> strata_named(std::string_view name) {
  const auto* found = std::ranges::find(kStrataNames, name);
  if (found == std::end(kStrataNames)) return std::nullopt;
  return static_cast<StrataBy>(found - std::begin(kStrataNames));
}

StrataBy strata_of(std::string_view stratum) {
  return strata_named(stratum.substr(0, stratum.find(':'))).value_or(StrataBy::kNothing);
}

DrawnStrata drawn_strata(storage::Db& db, const IntruderTest& test) {
  storage::Statement find = db.prepare(storage::sql::kIntruderStrataOfTest);
  find.bind(test.release.run.id, test.protocol, static_cast<std::int64_t>(test.lens.sample));
  DrawnStrata drawn;
  while (find.step()) {
    const StrataBy by = strata_of(find.text(0));
    drawn.mixed = drawn.mixed || (drawn.by && *drawn.by != by);
    drawn.by = by;
  }
  return drawn;
}

std::vector<std::string> strata_of_records(storage::Db& db, const IntruderTest& test, StrataBy by) {
  if (by == StrataBy::kMachine) return by_machine(test);
  if (by == StrataBy::kLabel) return by_label(db, test);
  return std::vector<std::string>(test.dataset().records.size());
}

void order_by_strata(std::vector<IntruderTest::Target>& targets, const std::vector<std::string>& strata) {
  // A round keeps the order of the draw.
  std::map<std::string_view, std::size_t> rounds;
  std::vector<std::pair<std::size_t, IntruderTest::Target>> order;
  for (IntruderTest::Target& target : targets) {
    target.stratum = strata[target.record];
    order.emplace_back(rounds[strata[target.record]]++, target);
  }
  std::ranges::stable_sort(order, {}, [](const auto& one) { return one.first; });
  for (std::size_t i = 0; i < order.size(); ++i) targets[i] = std::move(order[i].second);
}

Strata count_strata(const IntruderTest& test) {
  Strata strata;
  std::map<std::string_view, std::size_t> places;
  for (const std::string& name : test.strata) places.emplace(name, 0);
  for (auto& [name, place] : places) {
    place = strata.names.size();
    strata.names.emplace_back(name);
  }
  strata.targets.resize(places.size());
  for (const std::string& name : test.strata) strata.of_record.push_back(places.at(name));
  for (const IntruderTest::Target& target : test.targets) ++strata.targets[strata.of_record[target.record]];
  return strata;
}

}  // namespace residue::query
