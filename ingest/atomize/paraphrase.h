// `paraphrase`: each claim of a set in other words, as a claim set that the policy POLICY~SET uses (FSP D.6).
//
//   claims of a set ─> TextAsker ─> claims of another set, under the same numbers
#pragma once

#include <string_view>

#include "ingest/batches/result.h"
#include "model/asking/asker.h"
#include "model/server/endpoint.h"
#include "model/tasks/text_task.h"
#include "storage/store.h"

namespace residue::ingest {

// Gives the set `into` the claims of the set `from` in other words, each under its own number. A claim whose paraphrase
// failed is missing there, so that an attack that needs it has no words and is missing for its record; a note says how
// many and why. Counts are records, bad ones those that lack a paraphrase. The set remembers the content of `from` that
// it was made of. Throws Error{not found}, Error{bad input} for an input that was not read to its end, Error{usage} for
// a set `into` of other claims, and as TextAsker and model::ask(): what was answered until then is kept, and the set is
// incomplete.
IngestResult paraphrase_claims(storage::Store& store, std::string_view dataset, std::string_view from,
                               std::string_view into, const model::Endpoint& endpoint, model::AskSession& session,
                               const IngestOptions& options = {}, const model::TextTemplate& instructions = {});

}  // namespace residue::ingest
