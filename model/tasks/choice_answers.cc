// Answers that name one of a few things: an option (FSP G.6.1), a category (FSP G.6.2), a verdict (AA E.4, LOP A).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/tasks/task_parsers.h"

namespace residue::model {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_key(char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

const Option* option_named(const std::vector<Option>& options, char key) {
  for (const Option& option : options) {
    if (upper(option.key) == upper(key)) return &option;
  }
  return nullptr;
}

// "B", "(b)", "B. gout", "B: because", "**B**", and nothing like "A patient": a key that stands by itself.
std::optional<char> leading_key(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(" \t*_(['\"`"), words.size()));
  if (words.empty() || !is_key(words[0])) return std::nullopt;
  if (words.size() > 1 && (is_digit(words[1]) || is_letter(words[1]))) return std::nullopt;
  const std::size_t next = words.find_first_not_of(" \t", 1);
  if (next != std::string_view::npos && (is_digit(words[next]) || is_letter(words[next]))) return std::nullopt;
  return words[0];
}

// Behind "answer", "option" or "choice": "the answer is B", "Answer: (C)".
std::optional<char> announced_key(std::string_view words) {
  std::optional<char> said;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0 && is_letter(words[at - 1])) continue;
    const std::string_view rest = words.substr(at);
    const bool announces =
        starts_with_word(rest, "answer") || starts_with_word(rest, "option") || starts_with_word(rest, "choice");
    if (!announces) continue;
    std::string_view behind = rest.substr(6);
    behind.remove_prefix(std::min(behind.find_first_not_of(" \t:*"), behind.size()));
    if (behind.starts_with("is ")) behind.remove_prefix(3);
    behind.remove_prefix(std::min(behind.find_first_not_of(" \t:*"), behind.size()));
    const auto key = leading_key(behind);
    if (!key) continue;
    if (said && upper(*said) != upper(*key)) return std::nullopt;
    said = key;
  }
  return said;
}

TaskAnswer chosen(const TaskReply& reply, std::string_view words) {
  const std::vector<Option> options = options_in(reply.texts[2]);
  for (const Option& option : options) {
    if (words.size() > 1 && plain(option.words) == plain(words)) return {std::string(1, option.key), ""};
  }
  auto key = leading_key(words);
  if (!key) key = announced_key(words);
  if (!key) return unusable_answer("no option is named");
  const Option* option = option_named(options, *key);
  return option != nullptr ? TaskAnswer{std::string(1, option->key), ""}
                           : unusable_answer("an option that is not there");
}

std::string without_brackets(std::string_view name) { return std::string(name.substr(0, name.find('('))); }

TaskAnswer category(std::string_view words) {
  const std::string said = plain(words), short_form = plain(without_brackets(words));
  for (const std::string_view name : conversation_categories()) {
    if (plain(name) == said || plain(name) == short_form) return {std::string(name), ""};
  }
  return unusable_answer("a category that is not in the list");
}

}  // namespace

std::optional<std::string> string_in(const Json& json, const char* key) {
  if (!json.is_object()) return std::nullopt;
  const Json* found = json.find(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::int64_t> integer_in(const Json& json, const char* key) {
  if (!json.is_object()) return std::nullopt;
  const Json* found = json.find(key);
  if (found == nullptr || !found->is_integer()) return std::nullopt;
  // Above the range of a signed number it would come out negative.
  if (found->is_unsigned() && found->get<std::uint64_t>() > 1'000'000) return 1'000'000;
  return found->get<std::int64_t>();
}

std::vector<Option> options_in(std::string_view options) {
  std::vector<Option> all;
  for (const std::string_view line : lines_of(options)) {
    if (line.size() > 2 && line[1] == '.') all.push_back({line[0], trimmed(line.substr(2))});
  }
  return all;
}

TaskAnswer parse_choice(const TaskReply& reply) {
  if (reply.json == nullptr) return chosen(reply, reply.words);
  const auto answer = string_in(*reply.json, "answer");
  if (!answer || trimmed(*answer).empty()) return unusable_answer("no option is named");
  return chosen(reply, trimmed(*answer));
}

TaskAnswer parse_category(const TaskReply& reply) {
  if (reply.json != nullptr) {
    const auto name = string_in(*reply.json, "category");
    return name ? category(*name) : unusable_answer("no category");
  }
  const std::vector<std::string_view> lines = lines_of(reply.words);
  if (lines.size() > 1) return unusable_answer("several lines");
  std::string_view line = lines.front().substr(mark_of(lines.front()));
  for (const char* field : {"answer", "task", "category"}) {
    if (const auto behind = field_of(line, field)) line = *behind;
  }
  return category(line);
}

TaskAnswer parse_same_entity(const TaskReply& reply) {
  std::string words(reply.words);
  if (reply.json != nullptr) {
    const auto verdict = string_in(*reply.json, "verdict");
    if (!verdict) return unusable_answer("no verdict");
    words = *verdict;
  }
  const std::string said = plain(words);
  if (said == "yes" || said == "no") return {said, ""};
  if (said == "lessprecise") return {"less precise", ""};
  return unusable_answer("neither yes, no nor less precise");
}

TaskAnswer parse_relevance(const TaskReply& reply) {
  if (reply.json != nullptr) {
    const Json* found = reply.json->find("relevant");
    if (found == nullptr || !found->is_boolean()) {
      return unusable_answer("neither relevant nor irrelevant");
    }
    return {found->get<bool>() ? "relevant" : "irrelevant", ""};
  }
  const std::string said = plain(reply.words);
  if (said == "relevant") return {"relevant", ""};
  if (said == "irrelevant" || said == "notrelevant") return {"irrelevant", ""};
  return unusable_answer("neither relevant nor irrelevant");
}

}  // namespace residue::model
