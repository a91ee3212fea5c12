#include "query/absent/absence.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "query/inputs/chunks.h"

namespace residue::query {
namespace {

// Of originals that are all alike, each is near to each other one.
constexpr std::size_t kMostKept = std::size_t{1} << 25U;
constexpr std::size_t kAtOnce = 512;

std::vector<std::vector<std::size_t>> all_near(const NearOriginals& near, std::size_t records,
                                               const ProgressFunction& checkpoint) {
  std::vector<std::vector<std::size_t>> all(records);
  std::size_t kept = 0;
  in_chunks(records, kAtOnce, checkpoint, [&](std::size_t begin, std::size_t end) {
    if (kept > kMostKept) return;
    parallel_ranges(end - begin, 16, [&](const auto& range) {
      for (std::size_t i = begin + range.begin(); i < begin + range.end(); ++i) all[i] = near.of(i);
    });
    for (std::size_t i = begin; i < end; ++i) kept += all[i].size();
  });
  if (kept > kMostKept) all.clear();
  return all;
}

}  // namespace

Absence::Absence(const storage::Store& store, const DatasetView& dataset,
                 const std::vector<std::size_t>& equal_originals, const ProgressFunction& checkpoint)
    : dataset_(dataset),
      equal_(equal_originals),
      near_(store, dataset),
      known_near_(all_near(near_, dataset.records.size(), checkpoint)) {
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    if (!dataset.independent) of_person_[dataset.records[i].unit].push_back(i);
    if (equal_[i] == i) continue;
    std::vector<std::size_t>& same = of_original_[equal_[i]];
    if (same.empty()) same.push_back(equal_[i]);
    same.push_back(i);
  }
}

std::vector<CandidateId> Absence::left_out(std::size_t record) const {
  std::vector<std::size_t> records = known_near_.empty() ? near_.of(record) : known_near_[record];
  records.push_back(record);
  const auto add = [&](const Groups& groups, std::uint64_t group) {
    const auto found = groups.find(group);
    if (found != groups.end()) records.insert(records.end(), found->second.begin(), found->second.end());
  };
  add(of_person_, dataset_.records[record].unit);
  add(of_original_, equal_[record]);
  std::sort(records.begin(), records.end());
  records.erase(std::unique(records.begin(), records.end()), records.end());
  // Records ascend by id, and so do their candidates.
  std::vector<CandidateId> candidates;
  candidates.reserve(records.size());
  for (const std::size_t one : records) candidates.push_back(CandidateId{dataset_.records[one].id.value});
  return candidates;
}

std::vector<CandidateId> Absence::also_left_out(std::vector<CandidateId> left_out, CandidateId found) const {
  const std::vector<CandidateId> more = this->left_out(dataset_.position.at(RecordId{found.value}));
  left_out.insert(left_out.end(), more.begin(), more.end());
  std::sort(left_out.begin(), left_out.end());
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  return left_out;
}

std::uint64_t fingerprint_of(const std::vector<CandidateId>& left_out) {
  return hash_bytes(
      std::string_view(reinterpret_cast<const char*>(left_out.data()), left_out.size() * sizeof(CandidateId)));
}

}  // namespace residue::query
