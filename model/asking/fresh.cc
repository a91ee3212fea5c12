#include "model/asking/fresh.h"

#include <fmt/format.h>

#include "model/server/chat.h"

namespace residue::model {

std::string words(const Fresh& fresh) {
  return fresh.reply.delivery == Delivery::kAnswered ? fmt::format("HTTP {}", fresh.reply.status) : fresh.reply.reason;
}

Outgoing outgoing_of(const Fresh& fresh) {
  Outgoing outgoing;
  outgoing.vote = fresh.flight.pending.question->vote;
  outgoing.attempt = fresh.flight.attempt;
  outgoing.status = fresh.reply.status;
  outgoing.ms = fresh.reply.ms;
  outgoing.left = was_sent(fresh.reply.delivery) && !fresh.reply.untouched;
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
