// `categorize`: the sensitive categories of claims (FSP D.2, G.7), by a model or by rules.
//
//   claims of a set ─> TextAsker ─> claim.category, and labels {"claim":"KEY#n","category":[...]}, annotator: the model
#pragma once

#include <string_view>

#include "ingest/batches/result.h"
#include "model/asking/asker.h"
#include "model/server/endpoint.h"
#include "model/tasks/text_task.h"
#include "storage/store.h"
#include "text/support/categories.h"

namespace residue::ingest {

// Categories that files gave the claims of a set stay unless they may be replaced.
enum class Categories { kKeepIngested, kReplace };

// From now on rules (text/categories.h) say what the claims of the set are about, by that list; they do so when claims
// are next judged. Throws Error{not found}, and Error{usage} if the set has categories of files that are to be kept.
void categorize_by_rules(storage::Store& store, std::string_view dataset, std::string_view set, text::CategoryList list,
                         Categories old);

// Gives each claim of the set the categories that the model names in the list of `task` (kGeneralCategories or
// kMedicalCategories), and a label that says so; a claim about none of them has one that names none. Labels that the
// same model gave claims of the set under the same list before are replaced. A claim whose answers could not be used
// has neither; a note says how many and why. Counts are records, bad ones those that lack a label. Throws as
// paraphrase_claims() and categorize_by_rules().
IngestResult categorize_claims(storage::Store& store, std::string_view dataset, std::string_view set,
                               model::TextTask task, const model::Endpoint& endpoint, Categories old,
                               model::AskSession& session, const IngestOptions& options = {},
                               const model::TextTemplate& instructions = {});

}  // namespace residue::ingest
