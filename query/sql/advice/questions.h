// Thirty questions as statements over the views: for people to begin with, for tests and for the bench.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/sql/levels/readable.h"

namespace residue::query {

struct Question {
  std::string_view words;      // 'Whose records leak most?'
  std::string_view statement;  // without its semicolon; about the demo's dataset 'clinic', run 'scrub', record 'n-01'
  ReadLevel level;             // that it needs
};

std::vector<Question> questions();

// All of them, for people.
std::string_view questions_as_text();

}  // namespace residue::query
