// Answers that are texts: anonymized (AA E.2), under pseudonyms and back (LOP B.2), phrases for a passage, and answers
// to numbered questions (ZSTS).
#include <unordered_set>

#include "model/answer_words.h"
#include "model/refusal.h"
#include "model/task_parsers.h"

namespace residue::model {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostPhrases = 3;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

struct Parted {
  std::string_view before, text;
};

// What stands before and behind the line that is a single '#'; where none is, behind the one line that begins with '#'.
std::optional<Parted> parted(std::string_view words) {
  std::optional<Parted> marked;
  bool several = false;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    const std::string_view line = trimmed(words.substr(at, end - at));
    const std::string_view behind = words.substr(std::min(end + 1, words.size()));
    if (bare(line) == "#") return Parted{trimmed(words.substr(0, at)), trimmed(behind)};
    if (line.starts_with('#')) {
      several = several || marked.has_value();
      const std::size_t hash = words.find('#', at);
      marked = Parted{trimmed(words.substr(0, at)), trimmed(words.substr(hash + 1))};
    }
    at = end + 1;
  }
  return several ? std::nullopt : marked;
}

struct Replacement {
  std::string original, replacement;
};

TaskAnswer pseudonymized(std::string_view source, const std::vector<Replacement>& replacements, std::string text) {
  std::string theirs(source);
  for (const Replacement& one : replacements) theirs += '\n' + one.replacement;
  if (declines(text, theirs)) return unusable_answer("a refusal");
  Json list = Json::array();
  std::unordered_set<std::string_view> seen;
  for (const Replacement& one : replacements) {
    if (one.original.empty() || one.replacement.empty()) return unusable_answer("an empty replacement");
    if (source.find(one.original) == std::string_view::npos)
      return unusable_answer("it replaces what is not in the text");
    if (one.original == one.replacement) return unusable_answer("it replaces a name by itself");
    if (!seen.insert(one.original).second) return unusable_answer("a name is replaced twice");
    if (text.find(one.replacement) == std::string::npos)
      return unusable_answer("a replacement that is not in the text");
    list.push_back({{"original", one.original}, {"replacement", one.replacement}});
  }
  return {dumped({{"replacements", list}, {"text", std::move(text)}}), ""};
}

// The value under the first of these keys that is there.
std::optional<std::string> string_under(const Json& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (auto value = string_in(json, key)) return value;
  }
  return std::nullopt;
}

}  // namespace

TaskAnswer parse_anonymize(const TaskReply& reply) {
  if (reply.json != nullptr) {
    const auto text = string_in(*reply.json, "text");
    if (!text || trimmed(*text).empty()) return unusable_answer("no text");
    if (declines(*text, reply.texts[0])) return unusable_answer("a refusal");
    return {dumped({{"changes", string_in(*reply.json, "changes").value_or("")}, {"text", trimmed(*text)}}), ""};
  }
  const auto parts = parted(reply.words);
  if (!parts) return unusable_answer("no line with a single #");
  if (parts->text.empty()) return unusable_answer("no text");
  if (declines(parts->text, reply.texts[0])) return unusable_answer("a refusal");
  return {dumped({{"changes", parts->before}, {"text", parts->text}}), ""};
}

// Both our form and the paper's: {"changed_entities":[{"original_entity","new_entity"}],"modified_prompt"}.
TaskAnswer parse_pseudonymize(const TaskReply& reply) {
  std::vector<Replacement> replacements;
  if (reply.json == nullptr) {
    const auto parts = parted(reply.words);
    if (!parts) return unusable_answer("no line with a single #");
    if (parts->text.empty()) return unusable_answer("no text");
    for (std::string_view line : lines_of(parts->before)) {
      line.remove_prefix(mark_of(line));
      const std::size_t arrow = line.find("->");
      if (arrow == std::string_view::npos) continue;
      replacements.push_back({std::string(bare(line.substr(0, arrow))), std::string(bare(line.substr(arrow + 2)))});
    }
    return pseudonymized(reply.texts[0], replacements, std::string(parts->text));
  }
  const auto text = string_under(*reply.json, {"text", "modified_prompt"});
  if (!text || trimmed(*text).empty()) return unusable_answer("no text");
  const char* field = reply.json->contains("replacements") ? "replacements" : "changed_entities";
  const auto list = reply.json->find(field);
  if (list == reply.json->end() || !list->is_array()) return unusable_answer("no list of replacements");
  for (const Json& one : *list) {
    const auto original = string_under(one, {"original", "original_entity"});
    const auto replacement = string_under(one, {"replacement", "new_entity"});
    if (!original || !replacement) return unusable_answer("no list of replacements");
    replacements.push_back({single_spaced(*original), single_spaced(*replacement)});
  }
  return pseudonymized(reply.texts[0], replacements, std::string(trimmed(*text)));
}

TaskAnswer parse_restore(const TaskReply& reply) {
  const auto text = reply.json == nullptr ? std::string(reply.words) : string_in(*reply.json, "text");
  if (!text || trimmed(*text).empty()) return unusable_answer("no text");
  const std::string theirs = std::string(reply.texts[0]) + '\n' + std::string(reply.texts[1]);
  if (declines(*text, theirs)) return unusable_answer("a refusal");
  return {std::string(trimmed(*text)), ""};
}

TaskAnswer parse_abstract(const TaskReply& reply) {
  std::vector<std::string> phrases;
  if (reply.json != nullptr) {
    const Json* list = reply.json;
    if (list->is_object()) {
      const auto found = list->find("phrases");
      if (found == list->end()) return unusable_answer("no list of phrases");
      list = &*found;
    }
    if (!list->is_array()) return unusable_answer("no list of phrases");
    for (const Json& one : *list) {
      if (!one.is_string()) return unusable_answer("a phrase that is no text");
      phrases.push_back(single_spaced(one.get_ref<const std::string&>()));
    }
  } else {
    for (const std::string_view line : lines_of(reply.words)) {
      phrases.push_back(single_spaced(bare(line.substr(mark_of(line)))));
    }
  }
  if (phrases.empty()) return unusable_answer("no phrase");
  if (phrases.size() > kMostPhrases) return unusable_answer("more than three phrases");
  for (const std::string& phrase : phrases) {
    if (phrase.empty()) return unusable_answer("an empty phrase");
    if (declines(phrase)) return unusable_answer("a refusal");
    if (plain(phrase) == plain(reply.texts[1])) return unusable_answer("the passage's own words");
  }
  return {dumped(phrases), ""};
}

TaskAnswer parse_questions(const TaskReply& reply) {
  const std::size_t count = reply.setting.items.size();
  std::vector<std::string> answers(count);
  const auto take = [&](std::int64_t number, std::string_view words) -> const char* {
    if (number < 1 || static_cast<std::size_t>(number) > count) return "an unknown question";
    std::string& slot = answers[static_cast<std::size_t>(number) - 1];
    if (!slot.empty()) return "a question is answered twice";
    slot = single_spaced(words);
    return slot.empty() ? "an empty answer" : nullptr;
  };
  if (reply.json != nullptr) {
    const auto list = reply.json->is_object() ? reply.json->find("answers") : reply.json->end();
    if (!reply.json->is_object() || list == reply.json->end() || !list->is_array()) {
      return unusable_answer("no list of answers");
    }
    for (const Json& one : *list) {
      const auto number = integer_in(one, "question");
      const auto words = string_in(one, "answer");
      if (!number || !words) return unusable_answer("no list of answers");
      if (const char* why = take(*number, *words)) return unusable_answer(why);
    }
  } else {
    for (const std::string_view line : lines_of(reply.words)) {
      const auto number = number_of(line);
      // Words before the first answer, or an answer that goes on, cannot be told apart: one question may have both.
      if (!number && count > 1) return unusable_answer("a line without the number of its question");
      if (!number && declines(line)) return unusable_answer("a refusal");
      const std::string_view words = number ? line.substr(mark_of(line)) : line;
      if (const char* why = take(number ? *number : 1, words)) return unusable_answer(why);
    }
  }
  for (const std::string& answer : answers) {
    if (answer.empty()) return unusable_answer("a question without an answer");
  }
  return {dumped(answers), ""};
}

}  // namespace residue::model
