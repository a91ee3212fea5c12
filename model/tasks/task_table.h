// The table of tasks: one row for each, in the order of TaskKind.
#pragma once

#include <span>
#include <string_view>

#include "model/tasks/task_parsers.h"

namespace residue::model {

struct TaskRow {
  TaskKind kind;
  const char* name;  // in the spec
  int parser;        // version of its reading
  std::span<const TaskPart> parts;
  std::string_view (*instructions)();
  const char* json_ending;  // how an answer has to look, behind the instructions
  const char* text_ending;
  Json (*schema)(const TaskSetting& setting);
  TaskAnswer (*parse)(const TaskReply& reply);
  bool object_among_words;  // free text may hold the object of a strict answer
};

const TaskRow& task_row(TaskKind kind);

}  // namespace residue::model
