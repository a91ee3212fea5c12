#include "model/probe/beyond.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/asking/fresh.h"
#include "model/limits/read_whole.h"
#include "model/server/request.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {

BeyondReach take_back_beyond(storage::Store& store, const Endpoint& endpoint, std::uint64_t longest,
                             const Withdraw& withdraw) {
  std::vector<PromptGrowth::Seen> beyond;
  VoteSet votes;
  {
    const auto answers = store.facts().read();
    storage::Statement row = store.db().prepare(storage::sql::kAttemptsSavedLonger);
    // A word has a byte at least, so a shorter request has no longer prompt.
    row.bind(endpoint.name, receiver_name(receiver_of(endpoint.transport)), static_cast<std::int64_t>(longest));
    while (row.step()) {
      PromptGrowth::Seen one;
      one.vote = VoteKey(row.text(0));
      one.attempt = static_cast<std::uint32_t>(row.integer(1));
      for (const storage::SavedAnswer& answer : answers->answers(one.vote)) {
        if (answer.attempt == one.attempt) one.least = decode(answer.envelope).least_tokens;
      }
      if (one.least <= longest) continue;
      votes.insert(one.vote);
      beyond.push_back(std::move(one));
    }
  }
  BeyondReach found;
  found.answers = beyond.size();
  if (beyond.empty()) return found;
  const auto batch = store.write();
  if (withdraw) found.withdrawn = withdraw(store, *batch, votes);
  take_back(store, *batch, endpoint.transport.url, beyond, now_ms());
  batch->commit();
  return found;
}

}  // namespace residue::model
