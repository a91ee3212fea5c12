#include "model/probe/probe.h"

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
#include "model/asking/vote_key.h"
#include "model/probe/prober.h"
#include "model/server/chat.h"
#include "model/server/embeddings.h"
#include "model/server/http_client.h"
#include "model/values/token_probabilities.h"

namespace residue::model {
namespace {

constexpr const char* kVectors = "embeddings";

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
  const std::string one(kProbePassage);
  const std::vector<std::string> texts = {one, std::string(kProbeClaim), one};
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
  return std::ranges::any_of(probes, [](const Probe& probe) { return probe.works && probe.tried == kEchoProbe; });
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
