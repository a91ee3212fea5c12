// Judges by name, and what they would have to be asked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "query/judge/asking_judge.h"
#include "query/judge/judging.h"
#include "storage/store.h"

namespace residue::query {

// Of pairs (duplicates allowed) how many judgments are known, and what a model would have to be asked for the others.
struct PairCounts {
  std::uint64_t known = 0, unknown = 0;
  NotAsked not_asked;
};
PairCounts count_pairs(storage::Store& store, const Judge& judge, JudgeId id, std::vector<Pair> pairs,
                       const RequestClaims& requests);

// The judge of that name: embedded, of an endpoint, known from its answers or its judgments alone, or
// cascade:FIRST,SECOND of those. `session`: nothing is asked without. Throws Error{not found} naming the judges that
// exist.
std::unique_ptr<Judge> open_judge(storage::Store& store, const std::string& name, const std::string& dataset,
                                  std::shared_ptr<AskSession> session);

// `datasets` with those first whose texts may not be sent to the judge of that name, else in their order: if one of
// them needs it, a command ends before another one's texts are sent and paid for.
std::vector<std::string> those_refused_first(storage::Store& store, std::vector<std::string> datasets,
                                             const std::string& judge);

}  // namespace residue::query
