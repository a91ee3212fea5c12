#include "query/judge/withdrawing.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "query/inputs/requests.h"
#include "query/inputs/sort_unique.h"
#include "query/judge/judging.h"
#include "query/judge/model_judge.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/scored.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::size_t kPairsAtOnce = 4'096;

// The judge that was asked; nothing where its votes cannot be told.
std::unique_ptr<ModelJudge> asked(storage::Store& store, std::string_view spec) {
  const Json json = Json::parse(spec).value_or(Json());
  if (!json.is_object()) return nullptr;
  if (json.value("judge", "") != "cascade") return ModelJudge::from_answers(store, json.value("name", ""), spec);
  if (!json.contains("second")) return nullptr;
  return ModelJudge::from_answers(store, json["second"].value("name", ""), json["second"].sorted().dump());
}

std::vector<Pair> judged_pairs(storage::Db& db, JudgeId judge) {
  std::vector<Pair> pairs;
  Statement row = db.prepare(storage::sql::kJudgmentPairsOfJudge);
  row.bind(judge);
  while (row.step()) pairs.push_back({row.id<TextId>(0), row.id<TextId>(1), row.id<RequestId>(2)});
  sort_unique(pairs);
  return pairs;
}

struct Fallen {
  std::vector<Pair> pairs;
  std::uint64_t checks = 0;  // of passages
};

// Of `pairs`, which are sorted.
Fallen fallen_of(storage::Store& store, const ModelJudge& judge, const std::vector<Pair>& pairs,
                 const RequestClaims& requests, const model::VoteSet& votes) {
  Fallen fallen;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    end = std::min(begin + kPairsAtOnce, pairs.size());
    while (end < pairs.size() && pairs[end].passage == pairs[end - 1].passage) ++end;  // its requests are not parted
    const auto some = std::span(pairs).subspan(begin, end - begin);
    const PairRequests asked_about(store, some, requests);
    const Resting resting = judge.resting_on(asked_about.list(), votes);
    fallen.checks += resting.checks;
    if (resting.ratings == 0) continue;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const PairRequests::Place& place = asked_about.places()[i];
      if (resting.claims[place.request][place.claim]) fallen.pairs.push_back(some[i]);
    }
  }
  return fallen;
}

}  // namespace

model::Withdrawn withdraw_judgments(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
  storage::Db& db = batch.db();
  std::vector<std::pair<JudgeId, std::string>> judges;
  {
    Statement row = db.prepare(storage::sql::kJudgeIdsAndSpecsOfModels);
    while (row.step()) judges.emplace_back(row.id<JudgeId>(0), std::string(row.text(1)));
  }
  const RequestClaims requests = load_requests(db);
  Statement erase = db.prepare(storage::sql::kDeleteJudgment);
  model::Withdrawn withdrawn;
  for (const auto& [id, spec] : judges) {
    const auto judge = asked(store, spec);
    if (!judge) continue;
    const Fallen fallen = fallen_of(store, *judge, judged_pairs(db, id), requests, votes);
    if (fallen.pairs.empty() && fallen.checks == 0) continue;
    for (const Pair& pair : fallen.pairs) erase.run(id, pair.passage, pair.claim, pair.request);
    withdrawn.judgments += fallen.pairs.size();
    withdrawn.checks += fallen.checks;
    db.prepare(storage::sql::kUpdateScoredWaitingOfJudge).run(id);
    db.prepare(storage::sql::kUpdateEvaluationIncompleteOfJudge).run(id);
  }
  return withdrawn;
}

}  // namespace residue::query
