#include "query/judge/cascade_judge.h"

#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "query/judge/model_judge.h"

namespace residue::query {
namespace {

[[noreturn]] void misspelt() {
  throw Error(Code::kUsage, "--judge: not the name of a cascade",
              "write cascade:lexical,MODEL or cascade:lexical,MODEL,LOW-HIGH, with scores from 0 to 1 such as 0.1-0.9");
}

double number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value >= 0 && value <= 1)) misspelt();
  return value;
}

std::string cascade_spec(const std::string& name, const Judge& first, const Judge& second, Band band) {
  return Json{{"band", {band.low, band.high}},
              {"claims_per_request", second.claims_per_request()},
              {"first", Json::parse(first.spec()).value()},
              {"judge", "cascade"},
              {"name", name},
              {"second", Json::parse(second.spec()).value()},
              {"unsure", "score in band, or contradicted by the rating"}}
      .sorted()
      .dump();
}

}  // namespace

std::string answering_judge(const std::string& name) {
  return name.starts_with(kCascade) ? parse_cascade(name).second : name;
}

CascadeName parse_cascade(std::string_view name) {
  std::string_view rest = name.substr(kCascade.size());
  const auto word = [&] {
    const std::size_t comma = rest.find(',');
    const std::string_view found = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    return std::string(found);
  };
  CascadeName parts;
  parts.first = word();
  parts.second = word();
  if (parts.first.empty() || parts.second.empty()) misspelt();
  if (rest.empty()) return parts;
  const std::size_t dash = rest.find('-');
  if (dash == std::string_view::npos) misspelt();
  parts.band = {number(rest.substr(0, dash)), number(rest.substr(dash + 1))};
  if (parts.band.low > parts.band.high) misspelt();
  return parts;
}

CascadeJudge::CascadeJudge(std::string name, std::unique_ptr<Judge> first, std::unique_ptr<AskingJudge> second,
                           Band band)
    : name_(std::move(name)),
      first_(std::move(first)),
      second_(std::move(second)),
      band_(band),
      spec_(cascade_spec(name_, *first_, *second_, band)) {}

std::unique_ptr<CascadeJudge> CascadeJudge::from_answers(storage::Store& store, const std::string& name,
                                                         std::string_view spec) {
  const Json json = Json::parse(spec).value_or(Json());
  if (!json.is_object() || json.value("judge", "") != "cascade" || !json.contains("first") || !json.contains("second"))
    return nullptr;
  auto second = ModelJudge::from_answers(store, json["second"].value("name", ""), json["second"].sorted().dump());
  if (!second) return nullptr;
  const std::string own = json.value("name", "");
  const CascadeName parts = parse_cascade(own);
  auto judge = std::make_unique<CascadeJudge>(own, make_judge(parts.first), std::move(second), parts.band);
  if (judge->spec_ != spec) return nullptr;
  judge->name_ = name;
  return judge;
}

struct CascadeJudge::Split {
  struct Claim {
    std::size_t own = 0, asked = 0;  // place in the request, and in what is asked of it
  };
  std::vector<std::vector<std::optional<Rating>>> rated;
  std::vector<Request> asked;
  std::vector<std::vector<Claim>> unsure;  // of each that is asked
  std::vector<std::size_t> requests;       // that each is part of
};

CascadeJudge::Split CascadeJudge::split(std::span<const Request> requests) const {
  const bool whole = claims_per_request() > 1;
  Split split;
  split.rated = first_->rate(requests);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    Request asked{requests[r].passage, {}};
    if (whole) asked.claims = requests[r].claims;
    std::vector<Split::Claim> unsure;
    for (std::size_t c = 0; c < requests[r].claims.size(); ++c) {
      const auto& rating = split.rated[r][c];
      if (rating && !is_unsure(*rating, band_)) continue;
      unsure.push_back({c, whole ? c : asked.claims.size()});
      if (!whole) asked.claims.push_back(requests[r].claims[c]);
    }
    if (unsure.empty()) continue;
    split.asked.push_back(std::move(asked));
    split.unsure.push_back(std::move(unsure));
    split.requests.push_back(r);
  }
  return split;
}

std::vector<std::vector<std::optional<Rating>>> CascadeJudge::rate(std::span<const Request> requests) const {
  Split parts = split(requests);
  const auto said = second_->rate(parts.asked);
  for (std::size_t i = 0; i < said.size(); ++i) {
    for (const Split::Claim& claim : parts.unsure[i]) {
      parts.rated[parts.requests[i]][claim.own] = said[i][claim.asked];
    }
  }
  return std::move(parts.rated);
}

Trust CascadeJudge::trust(const Request& request) const {
  const Split parts = split(std::span(&request, 1));
  return parts.asked.empty() ? Trust::kUnchecked : second_->trust(parts.asked.front());
}

Explanation CascadeJudge::explain(std::string_view passage, std::string_view claim) const {
  return explain_in({passage, {claim}}, 0);
}

Explanation CascadeJudge::explain_in(const Request& request, std::size_t claim) const {
  const Split parts = split(std::span(&request, 1));
  if (!parts.asked.empty()) {
    for (const Split::Claim& unsure : parts.unsure.front()) {
      if (unsure.own == claim) return second_->explain_in(parts.asked.front(), unsure.asked);
    }
  }
  return first_->explain(request.passage, request.claims[claim]);
}

NotAsked CascadeJudge::not_asked(std::span<const Request> requests) const {
  return second_->not_asked(split(requests).asked);
}

}  // namespace residue::query
