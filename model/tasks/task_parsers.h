// How the answers of each task are read: from the object of a strict answer, or from words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "model/tasks/task.h"

namespace residue::model {

struct TaskReply {
  const TaskSetting& setting;
  std::span<const std::string_view> texts;  // what was asked about
  const Json* json = nullptr;               // none: free text
  std::string_view words;                   // not blank
};

inline TaskAnswer unusable_answer(const char* why) { return {"", why}; }

TaskAnswer parse_choice(const TaskReply& reply);
TaskAnswer parse_coherence(const TaskReply& reply);
TaskAnswer parse_category(const TaskReply& reply);
TaskAnswer parse_attributes(const TaskReply& reply);
TaskAnswer parse_utility(const TaskReply& reply);
TaskAnswer parse_questions(const TaskReply& reply);
TaskAnswer parse_anonymize(const TaskReply& reply);
TaskAnswer parse_pseudonymize(const TaskReply& reply);
TaskAnswer parse_restore(const TaskReply& reply);
TaskAnswer parse_abstract(const TaskReply& reply);
TaskAnswer parse_same_entity(const TaskReply& reply);
TaskAnswer parse_relevance(const TaskReply& reply);
TaskAnswer parse_rewrite(const TaskReply& reply);
TaskAnswer parse_disclosures(const TaskReply& reply);
TaskAnswer parse_response(const TaskReply& reply);

// The string under a key of an object; nothing where there is none.
std::optional<std::string> string_in(const Json& json, const char* key);

// The whole number under a key; nothing where there is none.
std::optional<std::int64_t> integer_in(const Json& json, const char* key);

// Of a question's options, a line each: "A. asthma".
struct Option {
  char key;
  std::string_view words;
};
std::vector<Option> options_in(std::string_view options);

// Of an attribute: what is to be guessed, in words.
std::string attribute_words(std::string_view name);

}  // namespace residue::model
