#include "model/claim_support.h"

#include <nlohmann/json.hpp>

#include "base/embedded.h"

RESIDUE_EMBEDDED(claim_support)

namespace residue::model {
namespace {

using Json = nlohmann::json;

SupportAnswer unusable(const char* why) { return {{}, why}; }

}  // namespace

std::string_view support_template() { return embedded_claim_support(); }

std::string support_spec(const Asking& asking, std::string_view instructions) {
  const Json spec = {{"asking", Json::parse(asking_json(asking))},
                     {"claims_per_request", 1},
                     {"layout", kSupportLayout},
                     {"schema", asking.form == AnswerForm::kSchema ? support_schema(1) : Json()},
                     {"task", "claim_support"},
                     {"template", instructions}};
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Messages support_messages(std::string_view instructions, std::string_view spec, std::string_view passage,
                          std::span<const std::string_view> claims) {
  std::string user = fenced("Passage", spec, passage) + "\nClaims:\n";
  for (std::size_t i = 0; i < claims.size(); ++i) user += fmt::format("{}. {}\n", i + 1, claims[i]);
  return {std::string(instructions), std::move(user)};
}

Json support_schema(std::size_t claims) {
  const Json one = {{"type", "object"},
                    {"properties",
                     {{"claim", {{"type", "integer"}, {"minimum", 1}, {"maximum", claims}}},
                      {"reason", {{"type", "string"}}},
                      {"rating", {{"type", "integer"}, {"enum", {1, 2, 3}}}}}},
                    {"required", {"claim", "reason", "rating"}},
                    {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties", {{"ratings", {{"type", "array"}, {"items", one}}}}},
          {"required", {"ratings"}},
          {"additionalProperties", false}};
}

SupportAnswer parse_support(std::string_view content, std::size_t claims) {
  bool repeated = false;
  const Json json = parse_once(unwrapped(content), repeated);
  if (json.is_discarded()) return unusable("not JSON");
  if (repeated) return unusable("a key is given twice");
  const auto ratings = json.is_object() ? json.find("ratings") : json.end();
  if (!json.is_object() || ratings == json.end() || !ratings->is_array()) return unusable("no ratings");
  SupportAnswer answer;
  answer.ratings.assign(claims, 0);
  for (const Json& one : *ratings) {
    if (!one.is_object() || !one.contains("claim") || !one.contains("rating")) return unusable("no ratings");
    const Json& number = one["claim"];
    const Json& rating = one["rating"];
    if (!number.is_number_integer() || number < 1 || number > claims) return unusable("an unknown claim");
    if (!rating.is_number_integer()) return unusable("a rating that is no whole number");
    if (rating < 1 || rating > 3) return unusable("a rating out of range");
    std::uint8_t& slot = answer.ratings[number.get<std::size_t>() - 1];
    if (slot != 0) return unusable("a claim is rated twice");
    slot = rating.get<std::uint8_t>();
  }
  for (const std::uint8_t rating : answer.ratings) {
    if (rating == 0) return unusable("a claim is missing");
  }
  return answer;
}

}  // namespace residue::model
