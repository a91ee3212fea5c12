#include "model/asking/lost_answers.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {

void refuse_lost(std::size_t count) {
  if (count == 0) return;
  throw Error(Code::kCorrupt,
              fmt::format("facts/: {} of models that the ledger lists as saved {} damaged, and cannot be read",
                          count == 1 ? "1 answer" : fmt::format("{} answers", count), count == 1 ? "is" : "are"),
              "residue check names each; restore the last backup, or residue check --repair removes them, and they are "
              "asked and paid for again");
}

void require_kept(storage::Store& store, std::span<const VoteKey> votes) {
  std::vector<AnswerPlace> places;
  storage::Statement row = store.db().prepare(storage::sql::kAttemptsAnsweredOfVote);
  for (const VoteKey& vote : votes) {
    row.bind(storage::Statement::Blob{vote.bytes()});
    while (row.step()) places.push_back({vote, static_cast<std::uint32_t>(row.integer(0))});
    row.reset();
  }
  if (places.empty()) return;
  refuse_lost(storage::AnswerCheck::lost(store.facts(), places).size());
}

}  // namespace residue::model
