#include "model/tasks/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "base/json.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/token_probabilities.h"
#include "model/asking/vote_key.h"
#include "model/server/chat.h"
#include "model/server/embeddings.h"
#include "model/server/http_client.h"
#include "model/server/request.h"
#include "model/tasks/claim_support.h"

namespace residue::model {
namespace {

constexpr std::string_view kPassage = "Ann keeps bees in a small town and has two dogs.";
constexpr std::string_view kClaim = "Ann has two dogs.";
constexpr const char* kVectors = "embeddings";
constexpr const char* kEcho = "echo";

std::string together_name(const Endpoint& endpoint) { return fmt::format("{} claims", endpoint.claims_per_request); }

class Prober {
 public:
  Prober(storage::Store& store, const Endpoint& endpoint)
      : store_(store),
        endpoint_(endpoint),
        sender_{endpoint.name, std::nullopt, receiver_of(endpoint.transport)},
        key_(load_api_key(endpoint.transport)),
        http_(HttpLimits{.total_ms = std::int64_t{endpoint.transport.timeout_s} * 1000}) {}

  [[nodiscard]] Json body(AnswerForm form) const { return body(form, std::span(&kClaim, 1)); }

  [[nodiscard]] Json body(AnswerForm form, std::span<const std::string_view> claims) const {
    Asking asking = endpoint_.asking;
    asking.form = form;
    const Messages messages = support_messages(instructions(), spec_digest("probe"), kPassage, claims);
    return *Json::parse(chat_body(asking, 0, messages.system, messages.user, support_schema(claims.size())));
  }

  [[nodiscard]] std::string_view instructions() const {
    return endpoint_.instructions ? std::string_view(*endpoint_.instructions) : support_template();
  }

  // Sends it; `found` is filled where there is nothing more to look at.
  Probe send(const std::string& tried, const Json& body) {
    return exchange(tried, body.dump(), "/chat/completions", [&](int status, std::string_view reply) {
      const ChatReply chat = read_chat(status, reply);
      content_ = chat.content;
      return Reading{chat.problem, chat.tokens_in, chat.tokens_out};
    });
  }

  // Of `texts` invented ones.
  Probe vectors(const std::string& tried, std::string body, std::size_t texts) {
    const Embedding& embedding = *endpoint_.embedding;
    const auto wanted = static_cast<std::size_t>(embedding.dimensions.value_or(0));
    return exchange(tried, std::move(body), "/embeddings", [&](int status, std::string_view reply) {
      const EmbeddingsReply read = read_embeddings(status, reply, texts, wanted);
      vectors_ = read.vectors;
      return Reading{read.problem, read.tokens, std::nullopt};
    });
  }
  [[nodiscard]] const std::vector<std::vector<float>>& vectors() const { return vectors_; }

  Probe exchange(const std::string& tried, std::string body, const std::string& call,
                 const std::function<Reading(int, std::string_view)>& read) {
    Probe probe;
    probe.tried = tried;
    probe.request = std::move(body);
    Outgoing fate;
    fate.vote = VoteKey(TaggedHash("residue.probe.v1").field("random", random_bytes(32)).bytes());
    {
      const auto batch = store_.write();
      fate.attempt = record_sending(batch->db(), sender_, {fate.vote, 0, probe.request}, now_ms());
      batch->commit();
    }
    http_.start(request_to(endpoint_.transport, 1, call, probe.request, key_));
    std::vector<HttpReply> replies;
    while (replies.empty()) replies = http_.wait(1'000);
    const HttpReply& reply = replies.front();
    probe.status = reply.status;
    probe.reply = without_key(reply.body);
    const Reading said = read(reply.status, reply.body);
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
    fate.ms = reply.ms;
    fate.left = was_sent(reply.delivery);
    const auto batch = store_.write();
    record_fate(batch->db(), fate);
    batch->commit();
    return probe;
  }

  Probe form(AnswerForm form) {
    Probe probe = send(std::string(form_name(form)), body(form));
    if (!probe.works) return probe;
    const SupportAnswer answer = parse_support(content_, 1, form);
    probe.works = !answer.ratings.empty();
    probe.found = probe.works ? fmt::format("rated {}", answer.ratings.front()) : answer.problem;
    return probe;
  }

  // As many claims at once as the endpoint is asked about.
  Probe together() {
    const AnswerForm form = endpoint_.asking.form;
    std::vector<std::string> claims;
    for (std::size_t i = 1; i <= endpoint_.claims_per_request; ++i)
      claims.push_back(fmt::format("Ann has {} dogs.", i));
    const std::vector<std::string_view> views(claims.begin(), claims.end());
    Probe probe = send(together_name(endpoint_), body(form, views));
    if (!probe.works) return probe;
    const SupportAnswer answer = parse_support(content_, claims, form);
    probe.works = answer.ratings.size() == claims.size();
    probe.found = probe.works ? "each rated" : answer.problem;
    return probe;
  }

  // How probable the tokens of a prompt are: another interface of the same server.
  Probe prompt_probabilities() {
    std::size_t known = 0;
    Probe probe = exchange(kEcho, probabilities_body(endpoint_.asking, kPassage), "/completions",
                           [&](int status, std::string_view reply) {
                             const PromptTokens read = read_probabilities(status, reply, kPassage);
                             for (const PromptToken& token : read.tokens) known += token.log ? 1 : 0;
                             const ChatReply counted = read_chat(status, reply);
                             return Reading{read.problem, counted.tokens_in, counted.tokens_out};
                           });
    if (probe.works) probe.found = fmt::format("{} tokens of a prompt", known);
    return probe;
  }

  [[nodiscard]] const std::string& content() const { return content_; }

 private:
  // Some servers repeat the key that they do not know.
  [[nodiscard]] std::string without_key(std::string text) const {
    for (std::size_t at = 0; !key_.empty() && (at = text.find(key_, at)) != std::string::npos;) {
      text.replace(at, key_.size(), "[key]");
    }
    return text;
  }

  storage::Store& store_;
  const Endpoint& endpoint_;
  const storage::Lock in_flight_ = hold_in_flight(store_, endpoint_.name);
  const Sender sender_;
  const std::string key_;
  HttpClient http_;
  std::string content_;
  std::vector<std::vector<float>> vectors_;
};

bool hopeless(const Probe& probe) { return probe.status == 0 || probe.status == 401 || probe.status == 403; }

// The reply's choices; nothing where there are none.
Json choices(const Probe& probe) {
  const Json json = Json::parse(probe.reply).value_or(Json());
  return json.is_object() && json.contains("choices") && json["choices"].is_array() ? json["choices"] : Json::array();
}

double norm_of(const std::vector<float>& vector) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * value;
  return std::sqrt(square);
}

std::vector<Probe> probe_embedding(Prober& prober, const Embedding& embedding) {
  const std::string one(kPassage);
  const std::vector<std::string> texts = {one, std::string(kClaim), one};
  std::vector<Probe> probes;
  probes.push_back(prober.vectors(kVectors, embeddings_body(embedding, Side::kPassage, std::span(&one, 1)), 1));
  if (probes.back().works) {
    const std::vector<float> vector = prober.vectors().front();
    probes.back().found = fmt::format("{} dimensions, norm {:.4f}", vector.size(), norm_of(vector));
  }
  if (hopeless(probes.back())) return probes;
  probes.push_back(prober.vectors("several texts", embeddings_body(embedding, Side::kPassage, texts), texts.size()));
  if (probes.back().works) {
    const bool same = prober.vectors()[0] == prober.vectors()[2];
    probes.back().found = same ? "the same text, the same vector" : "the same text, vectors that differ a little";
  }
  if (embedding.query_prefix == embedding.passage_prefix) return probes;
  probes.push_back(prober.vectors("query prefix", embeddings_body(embedding, Side::kQuery, std::span(&one, 1)), 1));
  if (probes.back().works) probes.back().found = fmt::format("{} dimensions", prober.vectors().front().size());
  return probes;
}

}  // namespace

std::string needed(const Endpoint& endpoint) {
  if (endpoint.embedding) return kVectors;
  if (endpoint.claims_per_request > 1) return together_name(endpoint);
  return std::string(form_name(endpoint.asking.form));
}

bool finds_words_probable(std::span<const Probe> probes) {
  return std::ranges::any_of(probes, [](const Probe& probe) { return probe.works && probe.tried == kEcho; });
}

std::vector<Probe> probe(storage::Store& store, const Endpoint& endpoint) {
  Prober prober(store, endpoint);
  if (endpoint.embedding) return probe_embedding(prober, *endpoint.embedding);
  std::vector<Probe> probes;
  for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kObject, AnswerForm::kText}) {
    probes.push_back(prober.form(form));
    if (hopeless(probes.back())) return probes;
  }
  if (endpoint.claims_per_request > 1) {
    probes.push_back(prober.together());
    if (hopeless(probes.back())) return probes;
  }
  const Json plain = prober.body(endpoint.asking.form);

  Json several = plain;
  several["n"] = 2;
  Probe n = prober.send("n = 2", several);
  const std::size_t count = choices(n).size();
  if (n.works) n.found = fmt::format("{} {}", count, count == 1 ? "answer" : "answers");
  n.works = n.works && count == 2;
  probes.push_back(std::move(n));

  Json seeded = plain;
  seeded[endpoint.asking.random_seed ? "random_seed" : "seed"] = 7;
  Probe first = prober.send("seed twice", seeded);
  const std::string before = prober.content();
  if (first.works) {
    first = prober.send("seed twice", seeded);
    first.works = first.works && prober.content() == before;
    first.found =
        first.works ? "the same answer" : "different answers: what makes results repeatable is that they are kept";
  }
  probes.push_back(std::move(first));

  Json probable = plain;
  probable["logprobs"] = true;
  probable["top_logprobs"] = 3;
  Probe logprobs = prober.send("logprobs", probable);
  const Json answers = choices(logprobs);
  const bool given = !answers.empty() && answers[0].is_object() && answers[0].contains("logprobs") &&
                     answers[0]["logprobs"].is_object();
  if (logprobs.works) logprobs.found = given ? "given" : "ignored";
  logprobs.works = logprobs.works && given;
  probes.push_back(std::move(logprobs));
  probes.push_back(prober.prompt_probabilities());
  return probes;
}

}  // namespace residue::model
