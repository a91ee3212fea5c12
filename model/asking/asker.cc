#include "model/asking/asker.h"

#include "model/asking/ask_run.h"
#include "model/asking/egress.h"

namespace residue::model {

AskCounts ask(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
              Budget& budget, const AskOptions& options) {
  const ServerUrl url = parse_server_url(endpoint.transport.url);
  require_egress(store.db(), dataset, url);
  for (const ServerUrl& other : options.also) require_egress(store.db(), dataset, other);
  const storage::Lock in_flight = hold_in_flight(store, endpoint.name);
  return AskRun(store, endpoint, dataset, questions, budget, options).run();
}

}  // namespace residue::model
