// How long a prompt an endpoint reads to its end: longer and longer passages with a fact at the beginning and one at
// the end, until one is not read whole, or as long as the user says.
//
//   1,000 words ─> 2,000 ─> 4,000 ─ not read whole ─> 3,000 ─> 3,500 ... ─> the longest that was
//
// A passage counts as read whole if the model says that both facts are in it, and its server counted as many tokens as
// the shorter passages lead to expect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/probe/probe.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::model {

inline constexpr std::uint64_t kFirstWords = 1'000;
inline constexpr std::uint64_t kWordsByDefault = 16'000;
inline constexpr std::uint64_t kMostWords = 200'000;

struct LengthProbe {
  std::vector<Probe> probes;
  std::uint64_t read = 0;  // words of the longest passage that was read whole
  // Of the longest prompt that was read whole (Transport::longest_prompt), where a longer one was not; nothing where no
  // end was found.
  std::optional<std::int64_t> longest_prompt;
};

// What it sends at most.
struct LengthCost {
  std::uint64_t tokens = 0;
  double usd = 0;
};
LengthCost most_length_cost(const Endpoint& endpoint, std::uint64_t words);

// Passages of up to so many words; the endpoint has answered shorter questions in its form.
LengthProbe probe_length(storage::Store& store, const Endpoint& endpoint, std::uint64_t words);

}  // namespace residue::model
