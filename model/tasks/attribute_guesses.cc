#include "model/tasks/attribute_guesses.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/json.h"
#include "text/measures/attribute_match.h"

namespace residue::model {
namespace {

std::optional<int> integer_field(const Json& json, const char* name, int low, int high) {
  const Json* found = json.find(name);
  if (found == nullptr || !found->is_integer()) return std::nullopt;
  const auto number = found->get<std::int64_t>();
  return number < low || number > high ? std::nullopt : std::optional(static_cast<int>(number));
}

// Nothing: it is none of the words; null inside: nobody decided.
std::optional<std::optional<Sameness>> sameness_of(const Json& json) {
  using Decided = std::optional<Sameness>;
  if (json.is_null()) return Decided();
  if (json == "yes" || json == 1 || json == true) return Decided(Sameness::kYes);
  if (json == "no" || json == 0 || json == false) return Decided(Sameness::kNo);
  if (json == "less precise" || json == 0.5) return Decided(Sameness::kLessPrecise);
  if (json == "unknown") return Decided(Sameness::kUnknown);
  return std::nullopt;
}

// At most `count`; nothing where one is none of the words.
std::optional<Verdicts> verdicts_of(const Json& json, std::size_t count) {
  if (!json.is_array() || json.size() > count) return std::nullopt;
  Verdicts out;
  for (const Json& one : json) {
    const auto decided = sameness_of(one);
    if (!decided) return std::nullopt;
    out.push_back(*decided);
  }
  out.resize(count);
  return out;
}

std::optional<AttributeGuess> guess_of(const Json& json) {
  AttributeGuess out;
  if (!json.is_object()) return std::nullopt;
  const Json* guesses = json.find("guess");
  if (guesses != nullptr && guesses->is_string()) {
    out.guesses.push_back(guesses->get<std::string>());
  } else if (guesses != nullptr && guesses->is_array()) {
    for (const Json& guess : *guesses) {
      if (!guess.is_string()) return std::nullopt;
      out.guesses.push_back(guess.get<std::string>());
    }
  } else if (guesses != nullptr && !guesses->is_null()) {
    return std::nullopt;
  }
  const std::size_t count = out.guesses.size();
  out.decisions.resize(count);
  if (const Json* same = json.find("same"); same != nullptr) {
    auto decided = verdicts_of(*same, count);
    if (!decided || std::ranges::count(*decided, Sameness::kUnknown) > 0) return std::nullopt;
    out.decisions = std::move(*decided);
  }
  if (const Json* judged = json.find("judged"); judged != nullptr) {
    if (!judged->is_object()) return std::nullopt;
    out.judged.emplace();
    for (const auto& [truth, said] : judged->items()) {
      auto verdicts = verdicts_of(said, count);
      if (!verdicts) return std::nullopt;
      out.judged->emplace(truth, std::move(*verdicts));
    }
  }
  out.certainty = integer_field(json, "certainty", 1, 5);
  return out;
}

Json json_of(const Verdicts& verdicts) {
  Json out = Json::array();
  for (const auto& one : verdicts) {
    out.push_back(!one                             ? Json()
                  : *one == Sameness::kYes         ? Json("yes")
                  : *one == Sameness::kNo          ? Json("no")
                  : *one == Sameness::kLessPrecise ? Json("less precise")
                                                   : Json("unknown"));
  }
  return out;
}

// Without the judge; of guesses that are not there: kNo.
std::array<Sameness, kCountedGuesses> by_rules(const AttributeTruth& truth, const AttributeGuess& guess) {
  std::array<Sameness, kCountedGuesses> out{};
  out.fill(Sameness::kNo);
  for (std::size_t i = 0; i < std::min(kCountedGuesses, guess.guesses.size()); ++i) {
    if (guess.decisions[i]) {
      out[i] = *guess.decisions[i];
    } else if (text::same_attribute(truth.attribute, truth.value, guess.guesses[i])) {
      out[i] = Sameness::kYes;
    }
  }
  return out;
}

}  // namespace

std::optional<AttributeTruth> attribute_truth(std::string_view payload) {
  const Json json = Json::parse(payload).value_or(Json());
  if (!json.is_object() || !json.contains("attribute") || !json.contains("value")) return std::nullopt;
  const Json& value = json["value"];
  AttributeTruth out;
  if (!json["attribute"].is_string()) return std::nullopt;
  out.attribute = json["attribute"].get<std::string>();
  out.value = value.is_string() ? value.get<std::string>() : value.sorted().dump();
  out.certainty = integer_field(json, "certainty", 0, 5);
  out.hardness = integer_field(json, "hardness", 0, 5);
  if (const Json* level = json.find("level"); level != nullptr && level->is_string()) out.level = level->string();
  return out;
}

bool counts(const AttributeTruth& truth) { return truth.certainty.value_or(5) >= 3 && truth.hardness.value_or(1) > 0; }

std::optional<AttributeGuesses> parse_guesses(std::string_view text) {
  const Json json = Json::parse(text).value_or(Json());
  if (!json.is_object()) return std::nullopt;
  AttributeGuesses out;
  for (const auto& [attribute, said] : json.items()) {
    auto guess = guess_of(said);
    if (!guess) return std::nullopt;
    out.emplace(attribute, std::move(*guess));
  }
  return out;
}

std::string guesses_json(const AttributeGuesses& guesses) {
  Json out = Json::object();
  for (const auto& [attribute, guess] : guesses) {
    Json& one = out[attribute] = {{"guess", guess.guesses}};
    if (guess.certainty) one["certainty"] = *guess.certainty;
    if (std::ranges::any_of(guess.decisions, [](const auto& said) { return said.has_value(); })) {
      one["same"] = json_of(guess.decisions);
    }
    if (!guess.judged) continue;
    one["judged"] = Json::object();
    for (const auto& [truth, said] : *guess.judged) one["judged"][truth] = json_of(said);
  }
  return out.sorted().dump();
}

std::vector<std::size_t> open_guesses(const AttributeTruth& truth, const AttributeGuess& guess) {
  std::vector<std::size_t> open;
  if (!text::judge_may_decide(truth.attribute)) return open;
  if (std::ranges::count(by_rules(truth, guess), Sameness::kYes) > 0) return open;
  for (std::size_t i = 0; i < std::min(kCountedGuesses, guess.guesses.size()); ++i) {
    if (!guess.decisions[i]) open.push_back(i);
  }
  return open;
}

std::array<Sameness, kCountedGuesses> compare(const AttributeTruth& truth, const AttributeGuess& guess) {
  auto out = by_rules(truth, guess);
  if (!guess.judged) return out;
  const auto said = guess.judged->find(truth.value);
  for (const std::size_t i : open_guesses(truth, guess)) {
    out[i] = said == guess.judged->end() ? Sameness::kUnknown : said->second[i].value_or(Sameness::kUnknown);
  }
  return out;
}

}  // namespace residue::model
