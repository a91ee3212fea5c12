// What an answer of `task_answer` is about, as one number: the same as long as the texts are the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/ids.h"

namespace residue::storage {

// The texts of one record that a task looks at.
struct TaskTexts {
  TextId variant;   // the run's text; 0: none
  TextId original;
  TextId task;      // the record's question; 0: none
};

inline std::int64_t task_about(std::string_view task, const TaskTexts& texts) {
  const std::int64_t second = task == "choice" ? texts.task.value : task == "utility" ? texts.original.value : 0;
  return static_cast<std::int64_t>(
      mix(mix(static_cast<std::uint64_t>(texts.variant.value)) ^ static_cast<std::uint64_t>(second)));
}

}  // namespace residue::storage
