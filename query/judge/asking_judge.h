// Judges that ask elsewhere: what asking costs, and where texts would go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>

#include "model/asking/asker.h"
#include "query/judge/judge.h"

namespace residue::query {

using model::AskSession;

// What rating would ask.
struct NotAsked {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;  // of their bodies
  double cost_usd = 0;      // NaN: not known (model/limits/spending.h)
  // Hashes of the texts that would be sent: passages and claims. Canaries are none: they are invented, or sentences of
  // their passage, which is.
  std::unordered_set<std::uint64_t> texts;

  NotAsked& operator+=(const NotAsked& other) {
    requests += other.requests;
    bytes += other.bytes;
    cost_usd += other.cost_usd;
    texts.insert(other.texts.begin(), other.texts.end());
    return *this;
  }
};

class AskingJudge : public Judge {
 public:
  [[nodiscard]] bool embedded() const override { return false; }

  // What rate() would ask of these.
  [[nodiscard]] virtual NotAsked not_asked(std::span<const Request> requests) const = 0;

  // Requests for one pair, or for all that are put together with it, at most.
  [[nodiscard]] virtual std::uint32_t votes() const = 0;

  // Requests for one passage besides, at most.
  [[nodiscard]] virtual std::uint32_t checks() const = 0;

  // Where texts would go; nothing for a judge that asks nothing.
  struct Destination {
    std::string host, dataset;
    bool loopback = false, allowed = false;
  };
  [[nodiscard]] virtual std::optional<Destination> destination() const = 0;
};

}  // namespace residue::query
