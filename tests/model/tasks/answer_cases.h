// Answers of models, and what they are read as.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "model/tasks/task.h"

namespace residue::model::testing {

inline constexpr AnswerForm kJson = AnswerForm::kSchema, kText = AnswerForm::kText;
inline constexpr TaskKind kAll[] = {TaskKind::kChoice,      TaskKind::kCoherenceMedical, TaskKind::kCoherenceChat,
                                    TaskKind::kCategory,    TaskKind::kAttributes,       TaskKind::kUtility,
                                    TaskKind::kQuestions,   TaskKind::kAnonymize,        TaskKind::kPseudonymize,
                                    TaskKind::kRestore,     TaskKind::kAbstract,         TaskKind::kSameEntity,
                                    TaskKind::kRelevance,   TaskKind::kRewrite,          TaskKind::kAnonymizeAlone,
                                    TaskKind::kDisclosures, TaskKind::kIdentifiers};

struct Case {
  AnswerForm form;
  const char* content;
  const char* answer;  // empty: unusable
  const char* problem = "";
};

inline TaskSetting setting(TaskKind kind) { return {kind, default_items(kind), std::nullopt}; }

// As many texts as the task has parts.
inline std::vector<std::string_view> some_texts(TaskKind kind) {
  std::vector<std::string_view> texts = {"Ann met Bob.", "Ann", "A. gout\nB. asthma"};
  texts.resize(task_parts(kind).size());
  return texts;
}

inline void check(const TaskSetting& how, std::vector<std::string_view> texts, std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.content);
    const TaskAnswer answer = parse_task(how, one.form, texts, one.content);
    EXPECT_EQ(answer.answer, one.answer);
    EXPECT_EQ(answer.problem, one.problem);
  }
}

}  // namespace residue::model::testing
