// `pseudonymize`: names that the answer to a request does not depend on become like ones, and can be put back
// (LOP 4.1).
//
//   text ─> pseudonymize ─> what is replaced by what ─> text, spans, substitutions
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

inline constexpr std::string_view kPseudonymizeAsks[] = {"pseudonymize"};

// A record fails whose answers' text is not its own with the replacements that they name, white space aside, or whose
// replacements could not be undone (model/task.h says when); each is asked again before. Nothing to replace is no
// failure. The substitutions are all replacements, those included that stand inside longer ones only.
std::unique_ptr<Sanitizer> make_pseudonymize(const SanitizerSetting& setting);

// An answer of TaskKind::kPseudonymize about `text`, as output.
SanitizeOutput pseudonymized(std::string_view text, const std::string& answer);

}  // namespace residue::ingest
