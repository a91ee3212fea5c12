#include "query/judge/model_judge.h"

#include <fmt/format.h>

#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "model/asking/egress.h"
#include "model/asking/saved_answers.h"
#include "model/asking/vote_key.h"
#include "model/limits/spending.h"
#include "model/server/request.h"
#include "model/tasks/canary.h"
#include "model/tasks/claim_support.h"
#include "model/tasks/votes.h"

namespace residue::query {
namespace {

// The judge is more than what one answer depends on: how often it is asked, and how answers are read. The name keeps
// judges apart that share their answers.
std::string judge_spec(const std::string& name, const std::string& answer_spec, std::uint32_t votes, bool canaries) {
  const Json answer = Json::parse(answer_spec).value();
  return Json{{"answer", answer},
              {"canaries", canaries ? Json(model::kCanaries) : Json()},
              {"claims_per_request", answer.at("claims_per_request")},
              {"judge", "model"},
              {"name", name},
              {"parser", model::kSupportParser},
              {"votes", votes}}
      .sorted()
      .dump();
}

constexpr std::size_t kCanaryClaims = 2;  // of a passage, at most

std::optional<std::uint8_t> mode_of(const PairVotes& votes) {
  std::vector<std::uint8_t> ratings;
  for (std::uint8_t rating = 1; rating <= 3; ++rating)
    ratings.insert(ratings.end(), votes.ratings[rating - 1U], rating);
  return model::mode(ratings, votes.failed + votes.unasked);
}

}  // namespace

struct ModelJudge::Vote {
  std::size_t request = 0;
  std::optional<std::size_t> claim;  // the first; nothing: canaries
  std::vector<std::string> claims;   // as they are asked about
  std::uint32_t sample = 0;
  VoteKey key;
};

ModelJudge::ModelJudge(storage::Store& store, std::string name, const std::string& answer_spec, std::uint32_t votes,
                       bool canaries)
    : store_(store),
      name_(std::move(name)),
      spec_(judge_spec(name_, answer_spec, votes, canaries)),
      answer_spec_(answer_spec),
      digest_(model::spec_digest(answer_spec)),
      votes_(votes),
      canaries_(canaries) {
  const Json spec = Json::parse(answer_spec).value();
  instructions_ = spec.at("template").get<std::string>();
  asking_ = model::asking_of(spec.at("asking").sorted().dump());
  claims_per_request_ = spec.at("claims_per_request").get<std::size_t>();
  const std::string system = model::support_messages(instructions_, digest_, "", {}).system;
  for (std::size_t claims = 1; claims <= std::max(kCanaryClaims, claims_per_request_); ++claims) {
    bodies_.emplace_back(asking_, system, model::support_schema(claims));
  }
}

ModelJudge::ModelJudge(storage::Store& store, model::Endpoint endpoint, std::string dataset,
                       std::shared_ptr<AskSession> session)
    : ModelJudge(store, endpoint.name,
                 model::support_spec(
                     endpoint.asking,
                     endpoint.instructions ? std::string_view(*endpoint.instructions) : model::support_template(),
                     endpoint.claims_per_request),
                 endpoint.votes, endpoint.canaries) {
  endpoint_ = std::move(endpoint);
  dataset_ = std::move(dataset);
  session_ = std::move(session);
}

std::unique_ptr<ModelJudge> ModelJudge::from_answers(storage::Store& store, std::string name, std::string_view spec) {
  const Json json = Json::parse(spec).value_or(Json());
  if (!json.is_object() || json.value("judge", "") != "model" || !json.contains("answer")) return nullptr;
  std::unique_ptr<ModelJudge> judge(new ModelJudge(store, json.value("name", ""), json["answer"].sorted().dump(),
                                                   json.value("votes", 1U),
                                                   json.contains("canaries") && !json["canaries"].is_null()));
  if (judge->spec_ != spec) return nullptr;
  judge->name_ = std::move(name);
  return judge;
}

std::optional<ModelJudge::Destination> ModelJudge::destination() const {
  if (!endpoint_) return std::nullopt;
  const model::ServerUrl url = model::receiver_of(endpoint_->transport);
  return Destination{model::receiver_name(url), dataset_, url.loopback,
                     model::egress_allowed(store_.db(), dataset_, url)};
}

std::vector<ModelJudge::Vote> ModelJudge::votes_of(std::span<const Request> requests) const {
  std::vector<Vote> votes;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const TextDigest passage = model::text_digest(requests[r].passage);
    const std::span<const std::string_view> claims = requests[r].claims;
    const std::size_t at_once = claims_per_request_ == 1 ? 1 : claims.size();
    if (at_once > claims_per_request_) throw Error(Code::kInternal, "a request of too many claims");
    for (std::size_t c = 0; c < claims.size(); c += at_once) {
      const auto asked = claims.subspan(c, at_once);
      std::vector<TextDigest> digests;
      for (const std::string_view claim : asked) digests.push_back(model::text_digest(claim));
      for (std::uint32_t sample = 0; sample < votes_; ++sample) {
        votes.push_back(
            {r, c, {asked.begin(), asked.end()}, sample, model::vote_key(digest_, passage, digests, sample)});
      }
    }
    if (!canaries_ || (r + 1 < requests.size() && requests[r + 1].passage == requests[r].passage)) continue;
    votes.push_back(canary_vote(requests[r].passage));
    votes.back().request = r;
  }
  return votes;
}

ModelJudge::Vote ModelJudge::canary_vote(std::string_view passage) const {
  Vote vote;
  vote.claims = model::canaries(digest_, passage).claims;
  std::vector<TextDigest> digests;
  for (const std::string& claim : vote.claims) digests.push_back(model::text_digest(claim));
  vote.key = model::vote_key(digest_, model::text_digest(passage), digests, 0);
  return vote;
}

model::KnownAnswer ModelJudge::look_up(const storage::Facts::Reader& answers, const Vote& vote) const {
  return model::look_up(answers, vote.key, 0, [&](std::size_t, std::string_view content) {
    return model::parse_support(content, vote.claims, asking_.form).problem;
  });
}

std::vector<std::uint8_t> ModelJudge::ratings_in(const model::KnownAnswer& known, const Vote& vote) const {
  if (!known.content) return {};
  return model::parse_support(*known.content, vote.claims, asking_.form).ratings;
}

std::string ModelJudge::body(std::string_view passage, std::span<const std::string> claims,
                             std::uint32_t sample) const {
  const std::vector<std::string_view> views(claims.begin(), claims.end());
  const model::Messages messages = model::support_messages(instructions_, digest_, passage, views);
  return bodies_.at(claims.size() - 1).body(sample, messages.user);
}

void ModelJudge::ask(std::span<const Request> requests, const std::vector<Vote>& votes) const {
  std::vector<VoteKey> keys;
  keys.reserve(votes.size());
  for (const Vote& vote : votes) keys.push_back(vote.key);
  const auto body_of = [&](std::size_t i, std::uint32_t unusable) {
    return body(requests[votes[i].request].passage, votes[i].claims, model::sample_after(votes[i].sample, unusable));
  };
  const auto problem = [&](std::size_t i, std::string_view content) {
    return model::parse_support(content, votes[i].claims, asking_.form).problem;
  };
  const auto texts_of = [&](std::size_t i) {
    std::vector<std::string_view> texts{requests[votes[i].request].passage};
    if (votes[i].claim) texts.insert(texts.end(), votes[i].claims.begin(), votes[i].claims.end());
    return texts;
  };
  model::ask_open(store_, *endpoint_, dataset_, {digest_, body_of, problem, texts_of}, keys, *session_);
}

std::vector<std::vector<std::optional<Rating>>> ModelJudge::rate(std::span<const Request> requests) const {
  const std::vector<Vote> asked = votes_of(requests);
  if (endpoint_ && session_) ask(requests, asked);
  std::vector<std::vector<std::optional<Rating>>> result;
  for (const std::vector<PairVotes>& claims : tally(requests, asked)) {
    auto& ratings = result.emplace_back();
    for (const PairVotes& votes : claims) {
      ratings.push_back(votes.mode ? std::optional(Rating{*votes.mode, (3 - *votes.mode) / 2.0}) : std::nullopt);
    }
  }
  return result;
}

std::vector<std::vector<PairVotes>> ModelJudge::votes_on(std::span<const Request> requests) const {
  return tally(requests, votes_of(requests));
}

std::vector<std::vector<PairVotes>> ModelJudge::tally(std::span<const Request> requests,
                                                      const std::vector<Vote>& votes) const {
  std::vector<std::vector<PairVotes>> result;
  for (const Request& request : requests) result.emplace_back(request.claims.size());
  const auto reader = store_.facts().read();
  for (const Vote& vote : votes) {
    if (!vote.claim) continue;
    const model::KnownAnswer known = look_up(*reader, vote);
    const std::vector<std::uint8_t> said = ratings_in(known, vote);
    for (std::size_t i = 0; i < vote.claims.size(); ++i) {
      PairVotes& pair = result[vote.request][*vote.claim + i];
      if (!said.empty()) {
        ++pair.ratings.at(said[i] - 1U);
      } else {
        ++(known.answers > 0 || known.gave_up ? pair.failed : pair.unasked);
      }
    }
  }
  for (auto& pairs : result) {
    for (PairVotes& pair : pairs) pair.mode = mode_of(pair);
  }
  return result;
}

std::vector<KeptVote> ModelJudge::kept_votes(const Request& request, std::size_t claim) const {
  std::vector<KeptVote> kept;
  const auto reader = store_.facts().read();
  for (const Vote& vote : votes_of(std::span(&request, 1))) {
    if (!vote.claim || claim < *vote.claim || claim >= *vote.claim + vote.claims.size()) continue;
    KeptVote& one = kept.emplace_back();
    one.sample = vote.sample;
    const model::KnownAnswer known = model::look_up(
        *reader, vote.key, 0,
        [&](std::size_t, std::string_view content) {
          return model::parse_support(content, vote.claims, asking_.form).problem;
        },
        &one.replies);
    if (const auto ratings = ratings_in(known, vote); !ratings.empty()) one.rating = ratings[claim - *vote.claim];
  }
  return kept;
}

Resting ModelJudge::resting_on(std::span<const Request> requests, const model::VoteSet& votes) const {
  Resting resting;
  for (const Request& request : requests) resting.claims.emplace_back(request.claims.size());
  for (const Vote& vote : votes_of(requests)) {
    if (!votes.contains(vote.key)) continue;
    if (!vote.claim) {
      ++resting.checks;
      continue;
    }
    for (std::size_t i = 0; i < vote.claims.size(); ++i) {
      resting.claims[vote.request][*vote.claim + i] = true;
      ++resting.ratings;
    }
  }
  return resting;
}

Trust ModelJudge::trust(const Request& request) const {
  if (!canaries_) return Trust::kUnchecked;
  const Vote vote = canary_vote(request.passage);
  const std::vector<std::uint8_t> ratings = ratings_in(look_up(*store_.facts().read(), vote), vote);
  if (ratings.empty()) return Trust::kFailed;
  return model::led(model::canaries(digest_, request.passage), ratings) ? Trust::kSuspect : Trust::kFine;
}

Explanation ModelJudge::explain(std::string_view passage, std::string_view claim) const {
  return explain_in({passage, {claim}}, 0);
}

Explanation ModelJudge::explain_in(const Request& request, std::size_t claim) const {
  const PairVotes votes = votes_on(std::span(&request, 1)).front().at(claim);
  Explanation explanation;
  explanation.rating = votes.mode.value_or(3);
  explanation.score = votes.mode ? (3 - *votes.mode) / 2.0 : 0;
  std::string words;
  for (std::size_t rating = 1; rating <= 3; ++rating) {
    words += std::string(votes.ratings[rating - 1], static_cast<char>('0' + rating));
  }
  explanation.sentence = votes.rated() == 0 ? fmt::format("{} gave no answer that can be used.", name_)
                                            : fmt::format("{} was asked {} times: {}.", name_, votes_, words);
  return explanation;
}

std::vector<OpenRequest> ModelJudge::open_requests(std::span<const Request> requests) const {
  std::vector<OpenRequest> open;
  const auto reader = store_.facts().read();
  for (Vote& vote : votes_of(requests)) {
    const model::KnownAnswer known = look_up(*reader, vote);
    if (known.settled(model::RetryPolicy{})) continue;
    open.push_back({vote.request, vote.claim, std::move(vote.claims), model::sample_after(vote.sample, known.answers),
                    vote.key, known.last});
  }
  return open;
}

// A message of ours is passage, then claims: what each of them takes adds up, and is looked at once, because samples
// differ in a number alone. A template of the user's may say either twice.
class ModelJudge::Size {
 public:
  explicit Size(const ModelJudge& judge)
      : judge_(judge), adds_up_(!message("", {}).system.empty()), empty_(quoted(message("", {}))) {}

  std::size_t of(std::string_view passage, const std::vector<std::string>& claims, std::uint32_t sample) {
    if (!adds_up_) return judge_.body(passage, claims, sample).size();
    if (passage_ != passage) passage_bytes_ = quoted(message(passage, {}));
    if (claims_ != claims) claims_bytes_ = quoted(message("", claims)) - empty_;
    passage_ = passage;
    claims_ = claims;
    return judge_.bodies_.at(claims.size() - 1).bytes(sample, passage_bytes_ + claims_bytes_);
  }

 private:
  [[nodiscard]] model::Messages message(std::string_view passage, const std::vector<std::string>& claims) const {
    const std::vector<std::string_view> views(claims.begin(), claims.end());
    return model::support_messages(judge_.instructions_, judge_.digest_, passage, views);
  }
  static std::size_t quoted(const model::Messages& messages) { return model::quoted_bytes(messages.user); }

  const ModelJudge& judge_;
  const bool adds_up_;
  const std::size_t empty_;
  std::optional<std::string_view> passage_;
  std::vector<std::string> claims_;
  std::size_t passage_bytes_ = 0, claims_bytes_ = 0;
};

NotAsked ModelJudge::not_asked(std::span<const Request> requests) const {
  NotAsked sum;
  Size size(*this);
  for (const OpenRequest& open : open_requests(requests)) {
    ++sum.requests;
    const std::string_view passage = requests[open.request].passage;
    sum.bytes += size.of(passage, open.claims, open.sample);
    sum.texts.insert(hash_bytes(passage));
    for (const std::string& claim : open.claims) {
      if (open.claim) sum.texts.insert(hash_bytes(claim));
    }
  }
  if (endpoint_) {
    sum.cost_usd = model::planned_cost(*endpoint_, static_cast<double>(sum.bytes), static_cast<double>(sum.requests));
  }
  return sum;
}

}  // namespace residue::query
