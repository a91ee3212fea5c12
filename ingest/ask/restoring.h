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
  std::string_view substitutions;   // of the text that it responds to (substitutions.h); empty: none
  std::string_view original;        // of that text
  std::string_view sanitized = {};  // that text
  std::string_view spans = {};      // of `original` that were replaced (span_table()); empty: nobody said
};

struct RestoredResponse {
  std::optional<std::string> text;        // nothing: the model gave none that can be used
  std::optional<std::uint64_t> put_back;  // replacements that became originals again; nothing: by a model
  std::uint64_t ambiguous = 0;            // left, because they may mean something else (text/restoration.h)
  std::uint64_t left = 0;                 // what looks like a replacement, and was left; by a model: what it left, too
  std::uint64_t absent = 0;               // replacements that the response has nowhere, in no form
};

// In the order of `responses`. The sanitized text itself becomes the original where its replacements are known by place
// (of spans, or of a table that makes this text of the original), whatever its words mean. Nobody knows who wrote any
// other response: what may be the original's own word is left.
//
// `asker` (TaskKind::kRestore), where there is one, is told the replacements that are not ambiguous, and asked about
// every other response to a text that has some: names in other cases, or in part, are for it. Throws as
// TaskAsker::ask().
std::vector<RestoredResponse> restored(std::span<const ToRestore> responses, model::TaskAsker* asker);

}  // namespace residue::ingest
