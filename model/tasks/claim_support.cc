#include "model/tasks/claim_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/embedded.h"
#include "base/error.h"
#include "base/json.h"
#include "model/replies/answer_json.h"
#include "model/replies/answer_words.h"
#include "model/server/answer_schema.h"
#include "model/tasks/free_support.h"

RESIDUE_EMBEDDED(claim_support)

namespace residue::model {
namespace {

constexpr std::size_t kMaxTemplate = 65'536;
constexpr std::string_view kPassageHere = "{passage}";
constexpr std::string_view kClaimsHere = "{claims}";

bool whole_message(std::string_view instructions) {
  return instructions.find(kPassageHere) != std::string_view::npos &&
         instructions.find(kClaimsHere) != std::string_view::npos;
}

// A claim cannot make further claims.
std::string one_line(std::string_view claim) {
  std::string line(claim);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

// In one pass: what is filled in is not looked at again.
std::string filled(std::string_view instructions, std::string_view passage, std::string_view claims) {
  std::string out;
  while (!instructions.empty()) {
    const std::size_t at = std::min(instructions.find(kPassageHere), instructions.find(kClaimsHere));
    out += instructions.substr(0, at);
    if (at == std::string_view::npos) break;
    instructions.remove_prefix(at);
    const bool is_passage = instructions.starts_with(kPassageHere);
    out += is_passage ? passage : claims;
    instructions.remove_prefix((is_passage ? kPassageHere : kClaimsHere).size());
  }
  return out;
}

SupportAnswer unusable(const char* why) { return {{}, why}; }

// Whether the words around the object rate as well: it may be a quotation of what the passage says.
bool rates_around(const AnswerJson& answer) {
  const std::string around = words_around(answer);
  const std::string one[] = {""};
  return parse_free_support(around, one).problem != "no ratings";
}

SupportAnswer ratings_in(const AnswerJson& found, std::size_t claims) {
  if (!found.json) return unusable("not JSON");
  if (found.repeated) return unusable("a key is given twice");
  if (found.value.size() < found.whole.size() && rates_around(found)) return unusable("a rating beside the answer");
  const Json* ratings = found.json->find("ratings");
  if (ratings == nullptr || !ratings->is_array()) return unusable("no ratings");
  SupportAnswer answer;
  answer.ratings.assign(claims, 0);
  for (const Json& one : *ratings) {
    if (!one.is_object() || !one.contains("claim") || !one.contains("rating")) return unusable("no ratings");
    const Json& number = one["claim"];
    const Json& rating = one["rating"];
    if (!number.is_integer() || number.integer() < 1 || number.get<std::uint64_t>() > claims)
      return unusable("an unknown claim");
    if (!rating.is_integer()) return unusable("a rating that is no whole number");
    if (rating.integer() < 1 || rating.integer() > 3) return unusable("a rating out of range");
    std::uint8_t& slot = answer.ratings[number.get<std::size_t>() - 1];
    if (slot != 0) return unusable("a claim is rated twice");
    slot = rating.get<std::uint8_t>();
  }
  for (const std::uint8_t rating : answer.ratings) {
    if (rating == 0) return unusable("a claim is missing");
  }
  return answer;
}

}  // namespace

std::string_view support_template() { return embedded_claim_support(); }

void check_template(std::string_view instructions) {
  const bool passage = instructions.find(kPassageHere) != std::string_view::npos;
  const bool claims = instructions.find(kClaimsHere) != std::string_view::npos;
  if (trimmed(instructions).empty() || instructions.size() > kMaxTemplate) {
    throw Error(Code::kBadInput, "--template: empty, or longer than 64 KiB", "give a file with the instructions");
  }
  if (passage != claims) {
    throw Error(Code::kBadInput,
                fmt::format("--template: it has {} but not {}", passage ? kPassageHere : kClaimsHere,
                            passage ? kClaimsHere : kPassageHere),
                "a template with both is the whole message; one with neither is instructions");
  }
}

std::string support_spec(const Asking& asking, std::string_view instructions, std::size_t claims_per_request) {
  const Json spec = {
      {"asking", *Json::parse(asking_json(asking))},
      {"claims_per_request", claims_per_request},
      {"layout", kSupportLayout},
      {"schema", asking.form == AnswerForm::kSchema ? schema_in_spec(support_schema(claims_per_request)) : Json()},
      {"task", "claim_support"},
      {"template", instructions}};
  return spec.sorted().dump();
}

Messages support_messages(std::string_view instructions, const SpecDigest& spec, std::string_view passage,
                          std::span<const std::string_view> claims) {
  std::string numbered;
  for (std::size_t i = 0; i < claims.size(); ++i) numbered += fmt::format("{}. {}\n", i + 1, one_line(claims[i]));
  if (whole_message(instructions)) return {"", filled(instructions, passage, numbered)};
  std::string user = fenced("Passage", spec, passage) + "\nClaims:\n" + numbered;
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
  return ratings_in(json_in(content), claims);
}

SupportAnswer parse_support(std::string_view content, std::span<const std::string> claims, AnswerForm form) {
  if (form != AnswerForm::kText) return parse_support(content, claims.size());
  const AnswerJson found = json_in_free(content, support_schema(claims.size()), false);
  if (found.json || found.whole.starts_with('{')) return ratings_in(found, claims.size());
  const std::string_view alone = bare(found.whole);
  if (claims.size() == 1 && alone.size() == 1) {
    return alone >= "1" && alone <= "3" ? SupportAnswer{{static_cast<std::uint8_t>(alone[0] - '0')}, ""}
                                        : unusable("a rating out of range");
  }
  return parse_free_support(found.whole, claims);
}

SupportAnswer parse_support(std::string_view content, std::size_t claims, AnswerForm form) {
  return parse_support(content, std::vector<std::string>(claims), form);
}

}  // namespace residue::model
