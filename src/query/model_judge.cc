#include "query/model_judge.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/claim_support.h"
#include "model/digest.h"
#include "model/egress.h"
#include "model/saved_answers.h"
#include "model/votes.h"

namespace residue::query {
namespace {

using Json = nlohmann::json;

bool before(const Pair& a, const Pair& b) { return a.passage != b.passage ? a.passage < b.passage : a.claim < b.claim; }

// The judge is more than what one answer depends on: how often it is asked, and how answers are read. The name keeps
// judges apart that share their answers.
std::string judge_spec(const std::string& name, const std::string& answer_spec, std::uint32_t votes) {
  return Json{{"answer", Json::parse(answer_spec)}, {"claims_per_request", 1}, {"judge", "model"}, {"name", name},
              {"parser", model::kSupportParser},    {"votes", votes}}
      .dump();
}

std::string problem_of(std::size_t /*index*/, std::string_view content) {
  return model::parse_support(content, 1).problem;
}

model::KnownAnswer look_up(const storage::Facts::Reader& answers, const std::string& vote) {
  return model::look_up(answers, vote, 0, problem_of);
}

// Nothing where no answer can be used.
std::optional<std::uint8_t> rating_of(const storage::Facts::Reader& answers, const std::string& vote) {
  const model::KnownAnswer known = look_up(answers, vote);
  if (!known.content) return std::nullopt;
  return model::parse_support(*known.content, 1).ratings.front();
}

}  // namespace

struct ModelJudge::Vote {
  std::size_t request = 0, claim = 0;
  std::uint32_t sample = 0;
  std::string key;
};

ModelJudge::ModelJudge(storage::Store& store, std::string name, const std::string& answer_spec, std::uint32_t votes)
    : store_(store),
      name_(std::move(name)),
      spec_(judge_spec(name_, answer_spec, votes)),
      answer_spec_(answer_spec),
      digest_(model::spec_digest(answer_spec)),
      votes_(votes) {
  const Json spec = Json::parse(answer_spec);
  instructions_ = spec.at("template").get<std::string>();
  asking_ = model::asking_of(spec.at("asking").dump());
}

ModelJudge::ModelJudge(storage::Store& store, model::Endpoint endpoint, std::string dataset,
                       std::shared_ptr<AskSession> session)
    : ModelJudge(store, endpoint.name, model::support_spec(endpoint.asking, model::support_template()),
                 endpoint.votes) {
  endpoint_ = std::move(endpoint);
  dataset_ = std::move(dataset);
  session_ = std::move(session);
}

std::unique_ptr<ModelJudge> ModelJudge::from_answers(storage::Store& store, std::string name, std::string_view spec) {
  const Json json = Json::parse(spec, nullptr, false);
  if (!json.is_object() || json.value("judge", "") != "model" || !json.contains("answer")) return nullptr;
  std::unique_ptr<ModelJudge> judge(
      new ModelJudge(store, json.value("name", ""), json["answer"].dump(), json.value("votes", 1U)));
  if (judge->spec_ != spec) return nullptr;
  judge->name_ = std::move(name);
  return judge;
}

std::optional<ModelJudge::Destination> ModelJudge::destination() const {
  if (!endpoint_) return std::nullopt;
  const model::ServerUrl url = model::parse_server_url(endpoint_->transport.url);
  return Destination{url.host, dataset_, url.loopback, model::egress_allowed(store_.db(), dataset_, url)};
}

std::vector<ModelJudge::Vote> ModelJudge::votes_of(std::span<const Request> requests) const {
  std::vector<Vote> votes;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const std::string passage = model::text_digest(requests[r].passage);
    for (std::size_t c = 0; c < requests[r].claims.size(); ++c) {
      const std::string claim = model::text_digest(requests[r].claims[c]);
      for (std::uint32_t sample = 0; sample < votes_; ++sample) {
        votes.push_back({r, c, sample, model::vote_key(digest_, passage, std::span(&claim, 1), sample)});
      }
    }
  }
  return votes;
}

model::Prompt ModelJudge::prompt(std::string_view passage, std::string_view claim, std::uint32_t sample) const {
  const model::Messages messages = model::support_messages(instructions_, digest_, passage, std::span(&claim, 1));
  return {model::chat_body(asking_, sample, messages.system, messages.user, model::support_schema(1)),
          fmt::format("{}\n{}", passage, claim)};
}

void ModelJudge::ask(std::span<const Request> requests, const std::vector<Vote>& votes) const {
  std::vector<std::string> keys;
  keys.reserve(votes.size());
  for (const Vote& vote : votes) keys.push_back(vote.key);
  const auto prompt_of = [&](std::size_t i) {
    return prompt(requests[votes[i].request].passage, requests[votes[i].request].claims[votes[i].claim],
                  votes[i].sample);
  };
  model::ask_open(store_, *endpoint_, dataset_, {digest_, prompt_of, problem_of}, keys, *session_);
}

std::vector<std::vector<std::optional<Rating>>> ModelJudge::rate(std::span<const Request> requests) const {
  const std::vector<Vote> votes = votes_of(requests);
  if (endpoint_ && session_) ask(requests, votes);
  std::vector<std::vector<std::optional<Rating>>> result;
  for (const Request& request : requests) result.emplace_back(request.claims.size());
  const auto reader = store_.facts().read();
  std::vector<std::uint8_t> ratings;
  for (const Vote& vote : votes) {
    if (vote.sample == 0) ratings.clear();
    if (const auto rating = rating_of(*reader, vote.key)) ratings.push_back(*rating);
    if (vote.sample + 1 < votes_) continue;
    const auto rating = model::mode(ratings, votes_ - ratings.size());
    if (rating) result[vote.request][vote.claim] = Rating{*rating, (3 - *rating) / 2.0};
  }
  return result;
}

Explanation ModelJudge::explain(std::string_view passage, std::string_view claim) const {
  const Request request{passage, {claim}};
  Explanation explanation;
  const auto reader = store_.facts().read();
  std::vector<std::uint8_t> ratings;
  for (const Vote& vote : votes_of(std::span(&request, 1))) {
    if (const auto rating = rating_of(*reader, vote.key)) ratings.push_back(*rating);
  }
  const auto rating = model::mode(ratings, votes_ - ratings.size());
  explanation.rating = rating.value_or(3);
  explanation.score = rating ? (3 - *rating) / 2.0 : 0;
  std::string words;
  for (const std::uint8_t vote : ratings) words += static_cast<char>('0' + vote);
  explanation.sentence = ratings.empty() ? fmt::format("{} gave no answer that can be used.", name_)
                                         : fmt::format("{} was asked {} times: {}.", name_, votes_, words);
  return explanation;
}

NotAsked ModelJudge::not_asked(std::span<const Request> requests) const {
  NotAsked sum;
  const auto reader = store_.facts().read();
  const model::RetryPolicy policy;
  std::optional<std::size_t> last;
  for (const Vote& vote : votes_of(requests)) {
    if (look_up(*reader, vote.key).settled(policy)) continue;
    ++sum.requests;
    const Request& request = requests[vote.request];
    sum.bytes += prompt(request.passage, request.claims[vote.claim], vote.sample).body.size();
    if (last != vote.request) ++sum.passages;
    last = vote.request;
  }
  if (endpoint_) {
    const auto out = static_cast<double>(asking_.max_tokens.value_or(0)) * static_cast<double>(sum.requests);
    sum.cost_usd = (static_cast<double>(sum.bytes) / model::kBytesPerToken * endpoint_->transport.price_in +
                    out * endpoint_->transport.price_out) /
                   1e6;
  }
  return sum;
}

PairCounts count_pairs(storage::Store& store, const Judge& judge, JudgeId id, std::vector<Pair> pairs) {
  PairCounts counts;
  std::sort(pairs.begin(), pairs.end(), before);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const RatingMap known = known_ratings(store.db(), id, pairs);
  counts.known = known.size();
  counts.unknown = pairs.size() - known.size();
  const auto* model = dynamic_cast<const ModelJudge*>(&judge);
  if (model == nullptr) return counts;
  const auto reader = store.facts().read();
  std::erase_if(pairs, [&](const Pair& pair) { return known.contains(pair); });
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin;
    const std::string passage = reader->text(pairs[begin].passage);
    std::vector<std::string> claims;
    for (; end < pairs.size() && pairs[end].passage == pairs[begin].passage; ++end) {
      claims.push_back(reader->text(pairs[end].claim));
    }
    const Request request{passage, {claims.begin(), claims.end()}};
    counts.not_asked += model->not_asked(std::span(&request, 1));
    begin = end;
  }
  return counts;
}

std::unique_ptr<Judge> open_judge(storage::Store& store, const std::string& name, const std::string& dataset,
                                  std::shared_ptr<AskSession> session) {
  for (const std::string_view embedded : judge_names()) {
    if (name == embedded) return make_judge(name);
  }
  if (auto endpoint = model::endpoint_named(store.db(), name)) {
    model::require_chat(*endpoint);
    return std::make_unique<ModelJudge>(store, *std::move(endpoint), dataset, std::move(session));
  }
  storage::Statement row = store.db().prepare("SELECT spec FROM judge WHERE name = ?1 AND NOT embedded");
  row.bind(name);
  if (row.step()) {
    if (auto judge = ModelJudge::from_answers(store, name, row.text(0))) return judge;
  }
  std::string known;
  for (const std::string_view embedded : judge_names()) known += fmt::format("{}, ", embedded);
  for (const model::Endpoint& endpoint : model::list_endpoints(store.db())) known += endpoint.name + ", ";
  throw Error(Code::kNotFound, "no judge named '" + name + "'",
              fmt::format("the judges are: {}; residue model add adds one", known.substr(0, known.size() - 2)));
}

}  // namespace residue::query
