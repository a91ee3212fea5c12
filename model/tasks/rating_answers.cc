// Answers that are numbers on a scale: coherence (FSP G.5), readability, meaning and inventions (AA E.3).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/said_rating.h"
#include "model/tasks/task_parsers.h"

namespace residue::model {
namespace {

TaskAnswer rating(std::optional<std::int64_t> value) {
  if (!value) return unusable_answer("a rating that is no whole number");
  if (*value < 1 || *value > 5) return unusable_answer("a rating out of range");
  return {std::to_string(*value), ""};
}

// "I would rate this 4 out of 5."
TaskAnswer rating_in_a_sentence(std::string_view words) {
  std::optional<int> said;
  for (const std::string_view number : ratings_said(words)) {
    const auto value = whole_number(number);
    if (!value) return unusable_answer("a rating that is no whole number");
    if (said && *said != *value) return unusable_answer("several ratings");
    said = value;
  }
  return said ? rating(*said) : unusable_answer("no rating");
}

// Of "rating: 4", "Score: 4/5" ..., however often it is said.
TaskAnswer rating_in_words(std::string_view words) {
  if (const auto alone = whole_number(bare(words))) return rating(*alone);
  std::optional<int> said;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0 && is_letter(words[at - 1])) continue;
    const std::string_view rest = words.substr(at);
    const std::size_t length = starts_with_word(rest, "rating") ? 6 : starts_with_word(rest, "score") ? 5 : 0;
    if (length == 0) continue;
    const std::string number = number_after(rest.substr(length));
    if (number.empty()) continue;
    const auto value = whole_number(number);
    if (!value) return unusable_answer("a rating that is no whole number");
    if (said && *said != *value) return unusable_answer("several ratings");
    said = value;
  }
  if (!said) return rating_in_a_sentence(words);
  return rating(*said);
}

struct Quality {
  const char* name;   // canonical
  const char* field;  // as the paper's form has it
  int low, high;
};
constexpr Quality kQualities[] = {
    {"readability", "readability", 1, 10}, {"meaning", "meaning", 1, 10}, {"hallucination", "hallucinations", 0, 1}};

// {"score": 8} or 8.
std::optional<std::int64_t> score_in(const Json& json, const char* field) {
  const Json* found = json.find(field);
  if (found == nullptr) return std::nullopt;
  return found->is_object() ? integer_in(*found, "score") : integer_in(json, field);
}

// The number that a quality's words begin with, or that stands behind "score" in them.
std::string score_in_words(std::string_view words) {
  const std::string direct = number_after(words);
  if (!direct.empty()) return direct;
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (is_letter(words[at - 1]) || !starts_with_word(words.substr(at), "score")) continue;
    const std::string number = number_after(words.substr(at + 5));
    if (!number.empty()) return number;
  }
  const std::vector<std::string_view> said = ratings_said(words);
  return said.size() == 1 ? std::string(said.front()) : "";
}

// What stands behind each quality's name, which begins a line, up to the next one's.
std::optional<std::array<std::string, std::size(kQualities)>> sections(std::string_view words) {
  std::array<std::string, std::size(kQualities)> said;
  std::string* current = nullptr;
  for (std::string_view line : lines_of(words)) {
    for (std::size_t i = 0; i < said.size(); ++i) {
      const auto behind = field_of(line, kQualities[i].name);
      if (!behind) continue;
      if (!said[i].empty()) return std::nullopt;
      current = &said[i];
      line = *behind;
    }
    if (current != nullptr) *current += std::string(line) + '\n';
  }
  return said;
}

}  // namespace

TaskAnswer parse_coherence(const TaskReply& reply) {
  if (reply.json == nullptr) return rating_in_words(reply.words);
  if (!reply.json->is_object() || !reply.json->contains("rating")) return unusable_answer("no rating");
  return rating(integer_in(*reply.json, "rating"));
}

TaskAnswer parse_utility(const TaskReply& reply) {
  std::array<std::string, std::size(kQualities)> said;
  if (reply.json == nullptr) {
    auto found = sections(reply.words);
    if (!found) return unusable_answer("a score is given twice");
    said = std::move(*found);
  } else if (!reply.json->is_object()) {
    return unusable_answer("a score is missing");
  }
  Json scores = Json::object();
  for (std::size_t i = 0; i < std::size(kQualities); ++i) {
    const Quality& quality = kQualities[i];
    std::optional<std::int64_t> value;
    if (reply.json != nullptr) {
      if (!reply.json->contains(quality.field)) return unusable_answer("a score is missing");
      value = score_in(*reply.json, quality.field);
    } else {
      const std::string number = score_in_words(said[i]);
      if (number.empty()) return unusable_answer("a score is missing");
      if (const auto whole = whole_number(number)) value = *whole;
    }
    if (!value) return unusable_answer("a score that is no whole number");
    if (*value < quality.low || *value > quality.high) return unusable_answer("a score out of range");
    scores[quality.name] = *value;
  }
  return {scores.sorted().dump(), ""};
}

}  // namespace residue::model
