#include "verbs/bring_in/paraphrase.h"

#include <utility>

#include "ingest/atomize/paraphrase.h"
#include "model/server/endpoint.h"

namespace residue::verbs {

Asked paraphrase(storage::Store& store, const ParaphraseOptions& options) {
  model::AskSession session = session_of(options.asking);
  ingest::IngestResult result = ingest::paraphrase_claims(store, options.dataset, options.set, options.into,
                                                          model::find_endpoint(store.db(), options.with), session,
                                                          storing(options.asking, true), options.instructions);
  return {std::move(result), session.counts};
}

}  // namespace residue::verbs
