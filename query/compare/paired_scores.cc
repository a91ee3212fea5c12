#include "query/compare/paired_scores.h"

#include <algorithm>
#include <map>

#include "storage/catalog/results/score.h"

namespace residue::query {
namespace {

bool counts(const ScoredRecord& one, MissingPolicy missing) {
  return missing == MissingPolicy::kDrop ? one.state == State::kValue : one.state != State::kNotApplicable;
}

struct Pair {
  PairedUnit sums;
  bool compared = false;
  bool failed_a = false, failed_b = false, missing_a = false, missing_b = false;
};

void add(const ScoredRecord* a, const ScoredRecord* b, MissingPolicy missing, std::map<RecordId, Pair>& pairs) {
  const ScoredRecord& either = a != nullptr ? *a : *b;
  const bool any =
      (a != nullptr && a->state != State::kNotApplicable) || (b != nullptr && b->state != State::kNotApplicable);
  if (!any) return;
  Pair& pair = pairs[either.record];
  pair.sums.unit = either.unit;
  if (a == nullptr || b == nullptr || !counts(*a, missing) || !counts(*b, missing)) return;
  pair.compared = true;
  pair.sums.num_a += a->num;
  pair.sums.den_a += a->den;
  pair.sums.num_b += b->num;
  pair.sums.den_b += b->den;
  pair.failed_a = pair.failed_a || a->state == State::kFailed;
  pair.failed_b = pair.failed_b || b->state == State::kFailed;
  pair.missing_a = pair.missing_a || a->state == State::kMissing;
  pair.missing_b = pair.missing_b || b->state == State::kMissing;
}

void join(const std::vector<ScoredRecord>& a, const std::vector<ScoredRecord>& b, MissingPolicy missing,
          std::map<RecordId, Pair>& pairs) {
  auto one = a.begin();
  auto other = b.begin();
  while (one != a.end() || other != b.end()) {
    const bool from_a = other == b.end() || (one != a.end() && one->record <= other->record);
    const bool from_b = one == a.end() || (other != b.end() && other->record <= one->record);
    add(from_a ? &*one : nullptr, from_b ? &*other : nullptr, missing, pairs);
    if (from_a) ++one;
    if (from_b) ++other;
  }
}

}  // namespace

std::vector<ScoredRecord> load_scored(storage::Db& db, EvaluationId evaluation, MetricId metric, std::string_view cut) {
  storage::Statement find = db.prepare(storage::sql::kScoresOfCutByRecord);
  find.bind(evaluation, static_cast<std::int64_t>(metric), cut);
  std::vector<ScoredRecord> rows;
  while (find.step()) {
    rows.push_back({find.id<RecordId>(0), static_cast<std::uint64_t>(find.integer(1)),
                    static_cast<State>(find.integer(2)), find.integer(3), find.integer(4)});
  }
  return rows;
}

std::vector<std::string> cuts_of(storage::Db& db, EvaluationId evaluation, MetricId metric) {
  storage::Statement find = db.prepare(storage::sql::kScoreCutNames);
  find.bind(evaluation, static_cast<std::int64_t>(metric));
  std::vector<std::string> names;
  while (find.step()) names.emplace_back(find.text(0));
  return names;
}

Pairing pair_records(std::span<const std::vector<ScoredRecord>> a, std::span<const std::vector<ScoredRecord>> b,
                     MissingPolicy missing, const std::optional<std::vector<RecordId>>& only) {
  std::map<RecordId, Pair> pairs;
  for (std::size_t seed = 0; seed < a.size() && seed < b.size(); ++seed) join(a[seed], b[seed], missing, pairs);
  Pairing result;
  std::map<std::uint64_t, PairedUnit> units;
  for (const auto& [record, pair] : pairs) {
    if (!pair.compared || (only && !std::binary_search(only->begin(), only->end(), record))) {
      ++result.left_out;
      continue;
    }
    ++result.records;
    result.a.failed += pair.failed_a;
    result.b.failed += pair.failed_b;
    result.a.missing += pair.missing_a;
    result.b.missing += pair.missing_b;
    PairedUnit& unit = units[pair.sums.unit];
    unit.unit = pair.sums.unit;
    unit.num_a += pair.sums.num_a;
    unit.den_a += pair.sums.den_a;
    unit.num_b += pair.sums.num_b;
    unit.den_b += pair.sums.den_b;
  }
  for (const auto& [unit, sums] : units) result.units.push_back(sums);
  return result;
}

std::vector<PairedRecord> paired_records(const std::vector<ScoredRecord>& a, const std::vector<ScoredRecord>& b,
                                         MissingPolicy missing, const std::optional<std::vector<RecordId>>& only) {
  std::map<RecordId, Pair> pairs;
  join(a, b, missing, pairs);
  std::vector<PairedRecord> records;
  for (const auto& [record, pair] : pairs) {
    if (!pair.compared || (only && !std::binary_search(only->begin(), only->end(), record))) continue;
    records.push_back({pair.sums.unit, pair.sums.num_a, pair.sums.num_b});
  }
  return records;
}

std::vector<RecordId> common_records(std::span<const std::vector<ScoredRecord>> lists, MissingPolicy missing) {
  std::map<RecordId, std::size_t> found;
  for (const auto& list : lists) {
    for (const ScoredRecord& one : list) found[one.record] += counts(one, missing);
  }
  std::vector<RecordId> common;
  for (const auto& [record, times] : found) {
    if (times == lists.size()) common.push_back(record);
  }
  return common;
}

}  // namespace residue::query
