// Responses to sanitized texts, told of the originals again: the second half of pseudonymizing (LOP section 4.2).
//
//   response, what stands for what ── Restorer, or a model ──> response
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/tasks/task_asker.h"

namespace residue::ingest {

struct ToRestore {
  std::string_view response;
  std::string_view substitutions;  // of the text that it responds to (substitutions.h); empty: none
  std::string_view original;       // of that text
};

struct RestoredResponse {
  std::optional<std::string> text;  // nothing: the model gave none that can be used
  std::uint64_t put_back = 0;       // replacements that became originals again; by a model nobody knows: 0
  std::uint64_t ambiguous = 0;      // left, because they may mean something else (text/restoration.h)
};

// In the order of `responses`. `asker` (TaskKind::kRestore), where there is one, is told the replacements that are not
// ambiguous, and asked about every response to a text that has some: names in other cases, or in part, are for it.
// Throws as TaskAsker::ask().
std::vector<RestoredResponse> restored(std::span<const ToRestore> responses, model::TaskAsker* asker);

}  // namespace residue::ingest
