#include "verbs/withdrawing.h"

#include "ingest/ask/withdrawing.h"
#include "ingest/atomize/withdrawing.h"
#include "query/judge/withdrawing.h"

namespace residue::verbs {

model::Withdraw withdrawing() {
  return [](storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
    model::Withdrawn withdrawn = query::withdraw_judgments(store, batch, votes);
    withdrawn.answers = ingest::withdraw_answers(store, batch, votes);
    withdrawn.claims = ingest::withdraw_claims(store, batch, votes);
    return withdrawn;
  };
}

}  // namespace residue::verbs
