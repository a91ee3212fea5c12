#include "model/replies/answer_json.h"

#include <algorithm>
#include <vector>

#include "model/replies/asking_words.h"

namespace residue::model {
namespace {

constexpr std::string_view kFence = "```";

bool is_value(const std::optional<Json>& json) { return json && (json->is_object() || json->is_array()); }

// What stands in the code fences of a text, without their first lines.
std::vector<std::string_view> fences_in(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t open = text.find(kFence); open != std::string_view::npos;) {
    const std::size_t line = text.find('\n', open);
    if (line == std::string_view::npos) break;
    const std::size_t close = text.find(kFence, line);
    if (close == std::string_view::npos) break;
    found.push_back(trimmed(text.substr(line + 1, close - line - 1)));
    open = text.find(kFence, close + kFence.size());
  }
  return found;
}

// Empty: there is none, or several.
std::string_view one_fence_in(std::string_view text) {
  std::string_view found;
  for (const std::string_view fence : fences_in(text)) {
    if (!is_value(Json::parse(fence))) continue;
    if (!found.empty()) return {};
    found = fence;
  }
  if (found.empty()) return {};
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  for (const std::string_view around : {text.substr(0, begin), text.substr(begin + found.size())}) {
    if (is_value(Json::parse(one_object_in(around)))) return {};
  }
  return found;
}

bool has_fields(const Json& json, const Json& schema) {
  const Json* required = schema.find("required");
  if (!json.is_object() || required == nullptr) return false;
  return std::ranges::all_of(*required, [&](const Json& name) { return json.contains(name.string()); });
}

}  // namespace

AnswerJson json_in(std::string_view content) {
  AnswerJson answer;
  answer.whole = answer.value = unwrapped(content);
  answer.json = Json::parse(answer.value, answer.repeated);
  if (answer.json) return answer;
  answer.value = one_fence_in(answer.whole);
  if (answer.value.empty()) answer.value = one_object_in(answer.whole);
  // What begins like JSON and breaks off is not what stands in its middle.
  const bool begins = answer.whole.starts_with('{') || answer.whole.starts_with('[');
  if (!begins || answer.value.data() == answer.whole.data()) {
    answer.repeated = false;
    answer.json = Json::parse(answer.value, answer.repeated);
    if (answer.json) return answer;
  }
  answer.repeated = false;
  answer.value = {};
  return answer;
}

std::string words_around(const AnswerJson& answer) {
  if (answer.value.empty()) return std::string(answer.whole);
  const auto begin = static_cast<std::size_t>(answer.value.data() - answer.whole.data());
  return std::string(answer.whole.substr(0, begin)) + '\n' +
         std::string(answer.whole.substr(begin + answer.value.size()));
}

AnswerJson json_in_free(std::string_view content, const Json& schema, bool has_braces) {
  AnswerJson answer = json_in(content);
  const bool begins = answer.whole.starts_with('{') || answer.whole.starts_with('[');
  const bool whole = answer.value.size() == answer.whole.size();
  if (answer.json && (begins && whole ? is_value(answer.json) : !has_braces && has_fields(*answer.json, schema))) {
    return answer;
  }
  answer.json.reset();
  answer.repeated = false;
  answer.value = {};
  return answer;
}

}  // namespace residue::model
