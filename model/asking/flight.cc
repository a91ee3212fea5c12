#include "model/asking/flight.h"

#include <fmt/format.h>

#include "model/asking/answer.h"

namespace residue::model {
namespace {

constexpr std::int64_t kAssumedAnswerTokens = 512;

}  // namespace

double price(const Endpoint& endpoint, double tokens_in, double tokens_out) {
  return (tokens_in * endpoint.transport.price_in + tokens_out * endpoint.transport.price_out) / 1e6;
}

double estimate(const Endpoint& endpoint, std::string_view body) {
  const auto out = endpoint.asking.max_tokens.value_or(kAssumedAnswerTokens);
  return price(endpoint, static_cast<double>(body.size()) / kBytesPerToken, static_cast<double>(out));
}

std::string words(const Fresh& fresh) {
  return fresh.reply.delivery == Delivery::kAnswered ? fmt::format("HTTP {}", fresh.reply.status) : fresh.reply.reason;
}

Outgoing outgoing_of(const Fresh& fresh) {
  Outgoing outgoing;
  outgoing.vote = fresh.flight.pending.question->vote;
  outgoing.attempt = fresh.flight.attempt;
  outgoing.status = fresh.reply.status;
  outgoing.ms = fresh.reply.ms;
  outgoing.left = was_sent(fresh.reply.delivery);
  return outgoing;
}

Error refusal(const Fresh& fresh, const std::string& model) {
  std::string reason = words(fresh);
  const std::string said = safe_reason(fresh.reply.body);
  if (!said.empty()) reason += ": " + said;
  return {Code::kIo, fmt::format("model {} refuses to answer: {}", model, reason),
          fmt::format("residue model show {} has its settings; residue model test {} tries them", model, model)};
}

}  // namespace residue::model
