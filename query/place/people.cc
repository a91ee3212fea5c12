#include "query/place/people.h"

#include <algorithm>
#include <numeric>

namespace residue::query {

People::People(const DatasetView& dataset, const std::vector<std::size_t>& equal_originals)
    : dataset_(dataset), equal_(equal_originals), of_original_(dataset.records.size()) {
  for (const std::size_t first : equal_) ++of_original_[first];
  if (dataset.independent) return;
  for (const RecordView& record : dataset.records) ++of_person_[record.unit];
}

std::size_t People::record_of(CandidateId candidate) const { return dataset_.position.at(RecordId{candidate.value}); }

bool People::same(CandidateId a, CandidateId b) const {
  const std::size_t one = record_of(a), other = record_of(b);
  return dataset_.records[one].unit == dataset_.records[other].unit || equal_[one] == equal_[other];
}

std::size_t People::same_at_most(CandidateId candidate) const {
  const std::size_t record = record_of(candidate);
  const auto persons = of_person_.find(dataset_.records[record].unit);
  return of_original_[equal_[record]] + (persons == of_person_.end() ? 1 : persons->second);
}

Crowd People::crowd(std::span<const CandidateId> candidates, std::size_t target) const {
  std::vector<std::size_t> records = {target};
  for (const CandidateId one : candidates) records.push_back(record_of(one));
  // Trees of records that are of one person.
  std::vector<std::size_t> above(records.size());
  std::iota(above.begin(), above.end(), 0U);
  const auto top_of = [&](std::size_t i) {
    while (above[i] != i) i = above[i] = above[above[i]];
    return i;
  };
  std::unordered_map<std::uint64_t, std::size_t> by_person;
  std::unordered_map<std::size_t, std::size_t> by_original;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t same_person = by_person.emplace(dataset_.records[records[i]].unit, i).first->second;
    const std::size_t same_original = by_original.emplace(equal_[records[i]], i).first->second;
    for (const std::size_t other : {same_person, same_original}) above[top_of(i)] = top_of(other);
  }
  Crowd crowd;
  for (std::size_t i = 1; i < records.size(); ++i) crowd.own = crowd.own || top_of(i) == top_of(0);
  for (std::size_t i = 0; i < records.size(); ++i) crowd.persons += above[i] == i ? 1 : 0;
  if (!crowd.own) --crowd.persons;  // the target alone
  return crowd;
}

}  // namespace residue::query
