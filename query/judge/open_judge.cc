#include "query/judge/open_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "model/server/endpoint.h"
#include "query/inputs/sort_unique.h"
#include "query/judge/cascade_judge.h"
#include "query/judge/imported_judge.h"
#include "query/judge/model_judge.h"
#include "storage/catalog/answers/judge.h"

namespace residue::query {
namespace {

constexpr std::size_t kPairsAtOnce = 4'096;

// A judge whose answers are here, though its endpoint may not be.
std::unique_ptr<Judge> from_answers(storage::Store& store, const std::string& name) {
  storage::Statement row = store.db().prepare(storage::sql::kJudgeSpecByNameNotEmbedded);
  row.bind(name);
  if (!row.step()) return nullptr;
  const std::string spec(row.text(0));
  if (auto judge = ImportedJudge::of(name, spec)) return judge;
  if (auto judge = ModelJudge::from_answers(store, name, spec)) return judge;
  return CascadeJudge::from_answers(store, name, spec);
}

}  // namespace

PairCounts count_pairs(storage::Store& store, const Judge& judge, JudgeId id, std::vector<Pair> pairs,
                       const RequestClaims& requests) {
  PairCounts counts;
  sort_unique(pairs);
  const RatingMap known = known_ratings(store.db(), id, pairs);
  counts.known = known.size();
  counts.unknown = pairs.size() - known.size();
  const auto* asking = dynamic_cast<const AskingJudge*>(&judge);
  if (asking == nullptr) return counts;
  std::erase_if(pairs, [&](const Pair& pair) { return known.contains(pair); });
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    // Passages are not parted: what is asked of each once is counted once.
    end = std::min(begin + kPairsAtOnce, pairs.size());
    while (end < pairs.size() && pairs[end].passage == pairs[end - 1].passage) ++end;
    const PairRequests asked(store, std::span(pairs).subspan(begin, end - begin), requests);
    counts.not_asked += asking->not_asked(asked.list());
  }
  return counts;
}

std::unique_ptr<Judge> open_judge(storage::Store& store, const std::string& name, const std::string& dataset,
                                  std::shared_ptr<AskSession> session) {
  for (const std::string_view embedded : judge_names()) {
    if (name == embedded) return make_judge(name);
  }
  if (auto endpoint = model::endpoint_named(store.db(), name)) {
    model::require_chat(*endpoint);
    return std::make_unique<ModelJudge>(store, *std::move(endpoint), dataset, std::move(session));
  }
  // "NAME (superseded N)" is known from its answers.
  if (name.starts_with(kCascade) && !name.ends_with(')')) {
    const CascadeName parts = parse_cascade(name);
    if (auto endpoint = model::endpoint_named(store.db(), parts.second)) {
      model::require_chat(*endpoint);
      auto second = std::make_unique<ModelJudge>(store, *std::move(endpoint), dataset, std::move(session));
      return std::make_unique<CascadeJudge>(name, make_judge(parts.first), std::move(second), parts.band);
    }
  }
  if (auto judge = from_answers(store, name)) return judge;
  std::string known;
  for (const std::string_view embedded : judge_names()) known += fmt::format("{}, ", embedded);
  for (const model::Endpoint& endpoint : model::list_endpoints(store.db())) known += endpoint.name + ", ";
  for (const StoredJudge& judge : stored_judges(store.db())) known += judge.imported ? judge.name + ", " : "";
  throw Error(Code::kNotFound, "no judge named '" + name + "'",
              fmt::format("the judges are: {}; residue model add adds one", known.substr(0, known.size() - 2)));
}

std::vector<std::string> those_refused_first(storage::Store& store, std::vector<std::string> datasets,
                                             const std::string& judge) {
  std::stable_partition(datasets.begin(), datasets.end(), [&](const std::string& dataset) {
    const auto opened = open_judge(store, judge, dataset, nullptr);
    const auto* asking = dynamic_cast<const AskingJudge*>(opened.get());
    const auto where = asking == nullptr ? std::nullopt : asking->destination();
    return where && !where->allowed;
  });
  return datasets;
}

}  // namespace residue::query
