#include "verbs/bring_in/atomize.h"

#include <utility>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "model/server/endpoint.h"

namespace residue::verbs {
namespace {

bool embedded(const AtomizeOptions& options) { return options.with == ingest::kSentenceSet; }

ingest::IngestResult atomize_with(storage::Store& store, const AtomizeOptions& options, ingest::ClaimMaker& maker) {
  const storage::Target& target = options.target;
  const std::string set = claim_set_of(options);
  const ingest::IngestOptions how = storing(options.asking, !embedded(options));
  return target.run ? ingest::atomize_run(store, target.dataset, *target.run, set, maker, how)
                    : ingest::atomize_dataset(store, target.dataset, set, maker, how);
}

}  // namespace

void check(const AtomizeOptions& options) {
  if (!embedded(options)) return;
  if (options.asking.max_calls || options.asking.max_cost) {
    throw Error(Code::kUsage, "the embedded atomizer asks nobody: it has no budget", "--with MODEL names a model");
  }
  if (options.instructions) {
    throw Error(Code::kUsage, "the embedded atomizer reads no instructions: --template means nothing to it",
                "--with MODEL names a model");
  }
}

std::string claim_set_of(const AtomizeOptions& options) { return options.set.empty() ? options.with : options.set; }

Asked atomize(storage::Store& store, const AtomizeOptions& options) {
  check(options);
  if (embedded(options)) {
    ingest::SentenceMaker maker(options.jobs);
    return {atomize_with(store, options, maker), std::nullopt};
  }
  model::AskSession session = session_of(options.asking);
  ingest::ModelMaker maker(store, model::find_endpoint(store.db(), options.with), options.target.dataset, session,
                           options.instructions);
  ingest::IngestResult result = atomize_with(store, options, maker);
  return {std::move(result), session.counts};
}

}  // namespace residue::verbs
