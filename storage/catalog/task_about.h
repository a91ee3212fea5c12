// What an answer of `task_answer` is about, as one number: the same as long as the texts are the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/ids.h"

namespace residue::storage {

// The texts of one record that a task looks at.
struct TaskTexts {
  TextId variant;  // the run's text; 0: none
  TextId original;
  TextId task;           // the record's question; 0: none
  TextId restored = {};  // the table by which a response was restored here; 0: it has none, or came from elsewhere
};

// Whether the task is about a text alone, which may belong to no record: all that it needs is the text.
constexpr bool is_about_text_alone(std::string_view task) { return task == "coherence" || task == "category"; }

inline std::int64_t task_about(std::string_view task, const TaskTexts& texts) {
  const auto number = [](TextId id) { return static_cast<std::uint64_t>(id.value); };
  std::uint64_t second = 0;
  if (task == "choice") second = number(texts.task);
  if (task == "utility") second = number(texts.original);
  // What is ambiguous in a table depends on the original.
  if (task == "response" && texts.restored.value != 0) second = mix(number(texts.restored)) ^ number(texts.original);
  return static_cast<std::int64_t>(mix(mix(number(texts.variant)) ^ second));
}

}  // namespace residue::storage
