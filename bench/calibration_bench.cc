// How often intervals of numbers beside people from outside hold the truth. Persons who were never released are split
// at random into members and controls: there is nothing to find, so membership_auc is 0.5 and a net is 0 (the null).
// Then the members are people who were released as they are: no interval may hold that (the power).
//
//   bench/calibration_runs.sh build/dev/residue ../shared DIR; build/release/bench/calibration_bench DIR [SPLITS]
//
// Prints one line for each number and size: the share of intervals that hold 0.5 or 0, its Monte Carlo error, the mean
// width, and the share that holds it where the members were released.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "query/inputs/snapshot.h"
#include "query/outside/likeness.h"
#include "query/outside/two_samples.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::query {
namespace {

struct Person {
  Ranked rank;
  Units leaks, full_leaks;
};

struct Read {
  DatasetView dataset;
  std::map<RecordId, Units> leaks, full_leaks;
};

Read read(storage::Store& store, const std::string& dataset, const std::string& run) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  Read all{load_dataset(store, id, dataset, ClaimSetHead{}), {}, {}};
  for (auto* units : {&all.leaks, &all.full_leaks}) {
    storage::Statement rows = store.db().prepare(
        "SELECT s.record_id, s.num, s.den FROM evaluation e JOIN run u ON u.id = e.run_id JOIN protocol p ON p.id = "
        "e.protocol_id JOIN score s ON s.evaluation_id = e.id JOIN metric_definition f ON f.id = s.metric WHERE "
        "u.dataset_id = ?1 AND u.name = ?2 AND e.tier = 'judge' AND p.linker = 'bm25' AND f.name = ?3 AND s.state = 0");
    rows.bind(id, run, units == &all.leaks ? "leak_rate" : "full_leak_rate");
    while (rows.step()) (*units)[rows.id<RecordId>(0)] = {rows.integer(1), rows.integer(2), 0};
  }
  return all;
}

// Those with numbers of the attack, each a person of its own.
std::vector<Person> persons(const Read& read, const std::vector<std::int64_t>& ranks) {
  std::vector<Person> all;
  for (std::size_t i = 0; i < read.dataset.records.size(); ++i) {
    const RecordView& record = read.dataset.records[i];
    const auto leaks = read.leaks.find(record.id), full = read.full_leaks.find(record.id);
    if (leaks == read.leaks.end() || full == read.full_leaks.end() || ranks[i] < 0) continue;
    Person one{{ranks[i], record.unit}, leaks->second, full->second};
    one.leaks.unit = one.full_leaks.unit = record.unit;
    all.push_back(one);
  }
  return all;
}

struct Population {
  std::vector<Person> released, others;
};

Population load(const std::filesystem::path& dir) {
  storage::Store store(dir / ".residue");
  const storage::Lock texts = store.hold_texts();
  const Read released = read(store, "released", "none"), others = read(store, "others", "release");
  std::vector<TextId> records, release;
  for (const RecordView& record : released.dataset.records) records.push_back(record.text);
  release = records;
  for (const RecordView& record : others.dataset.records) records.push_back(record.text);
  const auto likeness = likeness_of(store, records, release, {});
  std::map<Likeness, std::int64_t> order;
  for (const auto& one : likeness) {
    if (one) order.emplace(*one, 0);
  }
  std::int64_t next = 0;
  for (auto& [value, rank] : order) rank = next++;
  std::vector<std::int64_t> ranks;
  for (const auto& one : likeness) ranks.push_back(one ? order.at(*one) : -1);
  const auto middle = ranks.begin() + static_cast<std::ptrdiff_t>(released.dataset.records.size());
  return {persons(released, {ranks.begin(), middle}), persons(others, {middle, ranks.end()})};
}

struct Sample {
  std::vector<Ranked> ranks;
  std::vector<Units> leaks, full_leaks;
};

Sample sample_of(const std::vector<Person>& from, std::size_t begin, std::size_t end) {
  Sample sample;
  for (std::size_t i = begin; i < end; ++i) {
    sample.ranks.push_back(from[i].rank);
    sample.leaks.push_back(from[i].leaks);
    sample.full_leaks.push_back(from[i].full_leaks);
  }
  return sample;
}

std::vector<Estimate> estimates(const Sample& members, const Sample& controls) {
  return {membership_auc(members.ranks, controls.ranks), *unpaired_net(members.leaks, controls.leaks),
          *unpaired_net(members.full_leaks, controls.full_leaks)};
}

void simulate(const Population& all, std::size_t n, std::uint64_t splits) {
  constexpr const char* kNames[] = {"membership_auc", "leak_rate_net_outside", "full_leak_rate_net_outside"};
  constexpr double kNull[] = {0.5, 0, 0};
  struct Count {
    std::uint64_t null = 0, power = 0;
    double width = 0, power_low = 1;
  };
  std::vector<Count> counts(3);
  std::mt19937_64 random(42);
  std::vector<Person> others = all.others, released = all.released;
  for (std::uint64_t split = 0; split < splits; ++split) {
    std::ranges::shuffle(others, random);
    std::ranges::shuffle(released, random);
    const Sample controls = sample_of(others, n, 2 * n);
    const auto nothing = estimates(sample_of(others, 0, n), controls);
    const auto everything = estimates(sample_of(released, 0, n), controls);
    for (std::size_t m = 0; m < counts.size(); ++m) {
      const auto holds = [&](const Estimate& one) {
        return one.interval.low <= kNull[m] && kNull[m] <= one.interval.high;
      };
      counts[m].null += holds(nothing[m]) ? 1 : 0;
      counts[m].power += holds(everything[m]) ? 1 : 0;
      counts[m].width += nothing[m].interval.high - nothing[m].interval.low;
      counts[m].power_low = std::min(counts[m].power_low, everything[m].interval.low);
    }
  }
  const auto total = static_cast<double>(splits);
  for (std::size_t m = 0; m < counts.size(); ++m) {
    const double holds = static_cast<double>(counts[m].null) / total;
    fmt::print("{:<27} {:>4}  {:.4f}  {:.4f}  {:.4f}  {:.4f}  {:.4f}\n", kNames[m], n, holds,
               std::sqrt(holds * (1 - holds) / total), counts[m].width / total,
               static_cast<double>(counts[m].power) / total, counts[m].power_low);
  }
}

}  // namespace
}  // namespace residue::query

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "calibration_bench DIR [SPLITS]: bench/calibration_runs.sh makes DIR\n");
    return 2;
  }
  const std::uint64_t splits = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const residue::query::Population all = residue::query::load(argv[1]);
  fmt::print("{} released, {} others\n", all.released.size(), all.others.size());
  fmt::print("{:<27} {:>4}  {:<6}  {:<6}  {:<6}  {:<6}  {}\n", "number", "n", "null", "error", "width", "power",
             "least low");
  for (const std::size_t n : {20U, 100U, 390U}) residue::query::simulate(all, n, splits);
  return 0;
}
