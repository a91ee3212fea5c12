// Questions that many ask, with the statement that answers each: .questions of the shell (questions.sql).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/embedded.h"

namespace residue::query {

RESIDUE_EMBEDDED(questions)

struct SqlQuestion {
  std::string asks;  // without the question mark's line end
  std::string sql;   // ends with ';'
};

// In the order of the file.
std::vector<SqlQuestion> sql_questions();

}  // namespace residue::query
