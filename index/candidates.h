// What an attack can point at: every candidate of a run and its rank by key, which decides ties.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

namespace residue::index {

struct Candidate {
  CandidateId id;
  std::string_view key;
};

// An immutable table of candidates in byte order of their keys. Owns its keys.
class Candidates {
 public:
  // Any order. Throws Error{internal} if an id or a key occurs twice: the catalog forbids both.
  explicit Candidates(std::span<const Candidate> candidates) {
    std::vector<Candidate> sorted(candidates.begin(), candidates.end());
    std::sort(sorted.begin(), sorted.end(), [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
    ids_.reserve(sorted.size());
    keys_.reserve(sorted.size());
    for (const Candidate& candidate : sorted) {
      const bool new_key = keys_.empty() || keys_.back() != candidate.key;
      const bool new_id = rank_.emplace(candidate.id, static_cast<std::uint32_t>(ids_.size())).second;
      if (!new_key || !new_id)
        throw Error(Code::kInternal, "a candidate occurs twice in one run", "please report this");
      ids_.push_back(candidate.id);
      keys_.emplace_back(candidate.key);
    }
  }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] CandidateId id(std::uint32_t rank) const { return ids_[rank]; }
  [[nodiscard]] std::string_view key(std::uint32_t rank) const { return keys_[rank]; }

  // Position by key, from 0.
  [[nodiscard]] std::optional<std::uint32_t> rank(CandidateId id) const {
    const auto found = rank_.find(id);
    if (found == rank_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<CandidateId> ids_;
  std::vector<std::string> keys_;
  std::unordered_map<CandidateId, std::uint32_t> rank_;
};

// Shared by the linkers of one run.
using CandidateTable = std::shared_ptr<const Candidates>;

}  // namespace residue::index
