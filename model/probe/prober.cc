#include "model/probe/prober.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "model/asking/vote_key.h"
#include "model/limits/spending.h"
#include "model/server/chat.h"
#include "model/server/embeddings.h"
#include "model/server/request.h"
#include "model/tasks/claim_support.h"
#include "model/values/token_probabilities.h"

namespace residue::model {

std::string together_name(const Endpoint& endpoint) { return fmt::format("{} claims", endpoint.claims_per_request); }

Prober::Prober(storage::Store& store, const Endpoint& endpoint)
    : store_(store),
      endpoint_(endpoint),
      in_flight_(hold_in_flight(store, endpoint.name)),
      sender_{endpoint.name, std::nullopt, receiver_of(endpoint.transport)},
      key_(load_api_key(endpoint.transport)),
      http_(HttpLimits{.total_ms = std::int64_t{endpoint.transport.timeout_s} * 1000}) {}

Json Prober::body(AnswerForm form) const { return body(form, kProbePassage, std::span(&kProbeClaim, 1)); }

Json Prober::body(AnswerForm form, std::string_view passage, std::span<const std::string_view> claims) const {
  Asking asking = endpoint_.asking;
  asking.form = form;
  const std::string_view instructions =
      endpoint_.instructions ? std::string_view(*endpoint_.instructions) : support_template();
  const Messages messages = support_messages(instructions, spec_digest("probe"), passage, claims);
  return *Json::parse(chat_body(asking, 0, messages.system, messages.user, support_schema(claims.size())));
}

Probe Prober::send(const std::string& tried, const Json& body) {
  return exchange(tried, body.dump(), "/chat/completions", [&](int status, std::string_view reply) {
    const ChatReply chat = read_chat(status, reply);
    content_ = chat.content;
    return Reading{chat.problem, chat.tokens_in, chat.tokens_out, chat.tokens_read};
  });
}

Probe Prober::vectors(const std::string& tried, std::string body, std::size_t texts) {
  const Embedding& embedding = *endpoint_.embedding;
  const auto wanted = static_cast<std::size_t>(embedding.dimensions.value_or(0));
  return exchange(tried, std::move(body), "/embeddings", [&](int status, std::string_view reply) {
    const EmbeddingsReply read = read_embeddings(status, reply, texts, wanted);
    vectors_ = read.vectors;
    return Reading{read.problem, read.tokens, read.tokens_out()};
  });
}

Probe Prober::exchange(const std::string& tried, std::string body, const std::string& call,
                       const std::function<Reading(int, std::string_view)>& read) {
  Probe probe;
  probe.tried = tried;
  probe.request = std::move(body);
  Outgoing fate;
  const MostCost most = most_cost(endpoint_, probe.request.size(), most_answer_tokens(endpoint_));
  fate.vote = VoteKey(TaggedHash("residue.probe.v1").field("random", random_bytes(32)).bytes());
  {
    const auto batch = store_.write();
    Sending sending{fate.vote, 0, probe.request};
    if (most.known) sending.most_nano_usd = nano_usd(most.sum());
    fate.attempt = record_sending(batch->db(), sender_, sending, now_ms());
    batch->commit();
  }
  http_.start(request_to(endpoint_.transport, 1, call, probe.request, key_));
  std::vector<HttpReply> replies;
  while (replies.empty()) replies = http_.wait(1'000);
  const HttpReply& reply = replies.front();
  probe.status = reply.status;
  probe.reply = without_key(reply.body);
  const Reading said = read(reply.status, reply.body);
  reading_ = said;
  if (reply.delivery != Delivery::kAnswered) {
    probe.found = reply.reason;
    fate.fate = reply.delivery == Delivery::kMaybeSent ? Fate::kUnknown : Fate::kRefused;
  } else if (reply.status < 200 || reply.status > 299) {
    const std::string reason = safe_reason(reply.body);
    probe.found = fmt::format("HTTP {}{}{}", reply.status, reason.empty() ? "" : ": ", reason);
    fate.fate = Fate::kRefused;
  } else {
    fate.fate = said.problem.empty() ? Fate::kSaved : Fate::kInvalid;
    probe.found = said.problem;
    probe.works = said.problem.empty();
  }
  fate.reason = fate.fate == Fate::kSaved ? "" : probe.found;
  fate.status = reply.status;
  fate.tokens_in = said.tokens_in;
  fate.tokens_out = said.tokens_out;
  if (const auto cost = booked_cost(endpoint_, most, said.tokens_in, said.tokens_out);
      cost && reply.delivery == Delivery::kAnswered) {
    fate.cost_nano_usd = nano_usd(*cost);
  }
  fate.ms = reply.ms;
  fate.left = was_sent(reply.delivery) && !reply.untouched;
  const auto batch = store_.write();
  record_fate(batch->db(), fate);
  batch->commit();
  return probe;
}

Probe Prober::form(AnswerForm form) {
  Probe probe = send(std::string(form_name(form)), body(form));
  if (!probe.works) return probe;
  const SupportAnswer answer = parse_support(content_, 1, form);
  probe.works = !answer.ratings.empty();
  probe.found = probe.works ? fmt::format("rated {}", answer.ratings.front()) : answer.problem;
  return probe;
}

Probe Prober::together() {
  const AnswerForm form = endpoint_.asking.form;
  std::vector<std::string> claims;
  for (std::size_t i = 1; i <= endpoint_.claims_per_request; ++i) claims.push_back(fmt::format("Ann has {} dogs.", i));
  const std::vector<std::string_view> views(claims.begin(), claims.end());
  Probe probe = send(together_name(endpoint_), body(form, kProbePassage, views));
  if (!probe.works) return probe;
  const SupportAnswer answer = parse_support(content_, claims, form);
  probe.works = answer.ratings.size() == claims.size();
  probe.found = probe.works ? "each rated" : answer.problem;
  return probe;
}

Probe Prober::prompt_probabilities() {
  std::size_t known = 0;
  Probe probe = exchange(kEchoProbe, probabilities_body(endpoint_.asking, kProbePassage), "/completions",
                         [&](int status, std::string_view reply) {
                           const PromptTokens read = read_probabilities(status, reply, kProbePassage);
                           for (const PromptToken& token : read.tokens) known += token.log ? 1 : 0;
                           const ChatReply counted = read_chat(status, reply);
                           return Reading{read.problem, counted.tokens_in, counted.tokens_out};
                         });
  if (probe.works) probe.found = fmt::format("{} tokens of a prompt", known);
  return probe;
}

std::string Prober::without_key(std::string text) const {
  for (std::size_t at = 0; !key_.empty() && (at = text.find(key_, at)) != std::string::npos;) {
    text.replace(at, key_.size(), "[key]");
  }
  return text;
}

}  // namespace residue::model
