// Tables of replacements as variants keep them, and as models are told them.
#pragma once

#include <string>
#include <string_view>

#include "text/replacing/substitution.h"

namespace residue::model {

// From canonical JSON [[original, replacement], ...]; rows that are none are left out.
text::Substitutions substitutions_in(std::string_view json);

// "now -> then", a line each: the second text of TaskKind::kRestore. White space within becomes single spaces.
std::string replacement_lines(const text::Substitutions& table);

}  // namespace residue::model
