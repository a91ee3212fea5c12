// What requests cost: what plans say, and what a budget sets aside for a request before it is sent.
//
//   request ─> most_cost ─ set aside ─> in flight ─> reply ─> what its server counted; what it did not count, at most
//
// A budget holds at any concurrency because nothing is sent for which the most that it can cost is not set aside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/limits/read_whole.h"
#include "model/limits/usability.h"
#include "model/server/endpoint.h"

namespace residue::model {

// For plans, of what is not yet counted by a server.
inline constexpr double kBytesPerToken = 3.5;

// What a run may spend, over all that it asks.
struct Budget {
  std::optional<std::uint64_t> max_calls;
  std::optional<double> max_cost;  // USD
  std::uint64_t calls = 0;
  double cost = 0;
  std::map<std::string, Usability> usability;  // of answers, by the model's name
  std::map<std::string, CutPrompts> cut;       // by the same
};

// USD.
double price(const Endpoint& endpoint, double tokens_in, double tokens_out);

// The most tokens that an answer can have: what it is asked to keep to, else what the user declares of the model (its
// output limit, else its context). 0 of a model that makes vectors. Nothing where nobody said.
std::optional<std::int64_t> most_answer_tokens(const Endpoint& endpoint);

// What requests of so many bytes in all cost, with the longest answers. NaN where nobody said how long they can be.
double planned_cost(const Endpoint& endpoint, double bytes, double requests);

// The most that one request can cost, in parts.
struct MostCost {
  double in = 0, out = 0;
  bool known = true;  // false: nobody said how long an answer can be, so `out` is not the most
  [[nodiscard]] double sum() const { return in + out; }
};

// No tokenizer makes more tokens of a text than it has bytes, and servers put little around it. `answer_tokens`: as
// most_answer_tokens().
MostCost most_cost(const Endpoint& endpoint, std::size_t body_bytes, std::optional<std::int64_t> answer_tokens);

// What a request cost by what its server counted; of what it did not count the most. Nothing where that is not known.
std::optional<double> booked_cost(const Endpoint& endpoint, const MostCost& most, std::optional<std::int64_t> tokens_in,
                                  std::optional<std::int64_t> tokens_out);

// Throws Error{usage} where the budget has a limit of costs that cannot be kept: the endpoint has no prices, or nobody
// said how long its answers can be. `answer_tokens`: of requests that say it themselves.
void check_budget(const Endpoint& endpoint, const Budget& budget,
                  std::optional<std::int64_t> answer_tokens = std::nullopt);

}  // namespace residue::model
