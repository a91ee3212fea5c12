#include "verbs/bring_in/embed.h"

#include <chrono>

#include "model/server/endpoint.h"

namespace residue::verbs {

EmbedResult embed(storage::Store& store, const EmbedOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  model::AskSession session = session_of(options.asking);
  EmbedResult all;
  all.counts = query::embed_for_attacks(store, options.what, model::find_endpoint(store.db(), options.with), session);
  all.asked = session.counts;
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return all;
}

}  // namespace residue::verbs
