#include "model/limits/spending.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace residue::model {
namespace {

// Of a chat's frame, and of what servers say to the model before what they were sent: the longest that is known has
// about 100 (gpt-oss).
constexpr double kFrameTokens = 256;

}  // namespace

double price(const Endpoint& endpoint, double tokens_in, double tokens_out) {
  return (tokens_in * endpoint.transport.price_in + tokens_out * endpoint.transport.price_out) / 1e6;
}

std::optional<std::int64_t> most_answer_tokens(const Endpoint& endpoint) {
  if (endpoint.embedding) return 0;
  for (const auto& limit :
       {answer_limit(endpoint.asking), endpoint.transport.output_limit, endpoint.transport.context}) {
    if (limit) return limit;
  }
  return std::nullopt;
}

double planned_cost(const Endpoint& endpoint, double bytes, double requests) {
  if (requests == 0) return 0;
  const std::optional<std::int64_t> longest = most_answer_tokens(endpoint);
  if (!longest && endpoint.transport.price_out > 0) return std::numeric_limits<double>::quiet_NaN();
  return price(endpoint, bytes / kBytesPerToken, static_cast<double>(longest.value_or(0)) * requests);
}

MostCost most_cost(const Endpoint& endpoint, std::size_t body_bytes, std::optional<std::int64_t> answer_tokens) {
  return {price(endpoint, static_cast<double>(body_bytes) + kFrameTokens, 0),
          price(endpoint, 0, static_cast<double>(answer_tokens.value_or(0))),
          answer_tokens || endpoint.transport.price_out <= 0};
}

std::optional<double> booked_cost(const Endpoint& endpoint, const MostCost& most, std::optional<std::int64_t> tokens_in,
                                  std::optional<std::int64_t> tokens_out) {
  if (!tokens_out && !most.known) return std::nullopt;
  return (tokens_in ? price(endpoint, static_cast<double>(*tokens_in), 0) : most.in) +
         (tokens_out ? price(endpoint, 0, static_cast<double>(*tokens_out)) : most.out);
}

void check_budget(const Endpoint& endpoint, const Budget& budget, std::optional<std::int64_t> answer_tokens) {
  if (!budget.max_cost) return;
  if (endpoint.transport.price_in + endpoint.transport.price_out <= 0) {
    throw Error(Code::kUsage, fmt::format("--max-cost: the prices of model {} are not known", endpoint.name),
                "give them to residue model add with --price-in and --price-out, or limit --max-calls");
  }
  if (endpoint.transport.price_out <= 0 || answer_tokens || most_answer_tokens(endpoint)) return;
  throw Error(Code::kUsage,
              fmt::format("--max-cost: nobody said how long the answers of model {} can be", endpoint.name),
              "that depends on the model, so no preset knows it: give residue model add what the model's page says, "
              "--output-limit or --context in tokens; or ask for "
              "shorter answers with --max-tokens or --max-completion-tokens, which makes another judge");
}

}  // namespace residue::model
