#include "model/asking/asker.h"

#include <vector>

#include "model/asking/ask_run.h"
#include "model/asking/egress.h"
#include "model/asking/lost_answers.h"
#include "model/server/request.h"

namespace residue::model {

AskCounts ask(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
              Budget& budget, const AskOptions& options) {
  require_egress(store.db(), dataset, receiver_of(endpoint.transport));
  for (const ServerUrl& other : options.also) require_egress(store.db(), dataset, other);
  std::vector<VoteKey> votes;
  votes.reserve(questions.list.size());
  for (const Question& question : questions.list) votes.push_back(question.vote);
  require_kept(store, votes);
  const storage::Lock in_flight = hold_in_flight(store, endpoint.name);
  return AskRun(store, endpoint, dataset, questions, budget, options).run();
}

}  // namespace residue::model
