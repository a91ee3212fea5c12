// `categorize`: the sensitive categories of claims, by a model, as labels of the kind category (FSP D.2, G.7).
//
//   claims of a set ─> TextAsker ─> labels {"claim":"KEY#n","category":[...]}, annotator: the model
#pragma once

#include <string_view>

#include "ingest/result.h"
#include "model/asker.h"
#include "model/endpoint.h"
#include "model/text_task.h"
#include "storage/store.h"

namespace residue::ingest {

// Gives each claim of the set a label that names its categories in the list of `task` (kGeneralCategories or
// kMedicalCategories); a claim about none of them has one that names none. Labels that the same model gave claims of
// the set under the same list before are replaced. A claim whose answers could not be used has no label; a note says
// how many and why. Counts are records, bad ones those that lack a label. Throws as paraphrase_claims().
IngestResult categorize_claims(storage::Store& store, std::string_view dataset, std::string_view set,
                               model::TextTask task, const model::Endpoint& endpoint, model::AskSession& session,
                               const IngestOptions& options = {});

}  // namespace residue::ingest
