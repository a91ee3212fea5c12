#include "query/agree/unstable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "query/inputs/texts.h"
#include "query/judge/judging.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/judgment_sample.h"
#include "storage/catalog/results/auxiliary_query.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/variant.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::size_t kPairsAtOnce = 8'192;

// What attackers learned from: passage, claim, request (NULL: never asked). The text linked, and the auxiliary claims.
constexpr std::string_view kLinked = storage::sql::kLinkPairsOfJudge;
constexpr std::string_view kKnown = storage::sql::kAuxiliaryQueryPairsOfJudge;
constexpr std::string_view kJudged = storage::sql::kJudgmentPairsOfJudge;

// Names of texts. Where several have one text, the first in byte order is named.
constexpr std::string_view kClaims = storage::sql::kClaimTextsWithNames;
constexpr std::string_view kVariants = storage::sql::kVariantTextsWithNames;
constexpr std::string_view kOriginals = storage::sql::kRecordTextsWithNames;
constexpr std::string_view kQueries = storage::sql::kAuxiliaryQueriesOfDataset;

using Names = std::unordered_map<std::int64_t, std::string>;

// What is looked at, by text: only these are asked about.
struct Scope {
  Names claims, passages;
  bool everything = true;

  [[nodiscard]] bool holds(const Pair& pair) const {
    return everything || (claims.contains(pair.claim.value) && passages.contains(pair.passage.value));
  }
};

std::string name_of(const Names& names, TextId text) {
  const auto found = names.find(text.value);
  return found == names.end() ? std::string() : found->second;
}

Scope scope_of(storage::Db& db, const std::optional<storage::Target>& target) {
  Scope scope;
  scope.everything = !target;
  std::optional<std::string> dataset, run;
  if (target) {
    storage::find_dataset(db, target->dataset);
    dataset = target->dataset;
    run = target->run;
    if (run) storage::find_run(db, *dataset, *run);
  }
  Statement claims = db.prepare(kClaims);
  claims.bind(dataset);
  while (claims.step()) {
    scope.claims.try_emplace(claims.integer(0),
                             fmt::format("{}/{}#{}", claims.text(1), claims.text(2), claims.integer(3)));
  }
  for (const std::string_view sql : {kVariants, kOriginals}) {
    Statement texts = db.prepare(sql);
    texts.bind(dataset, run);
    while (texts.step()) {
      scope.passages.try_emplace(texts.integer(0),
                                 fmt::format("{}/{} {}", texts.text(1), texts.text(2), texts.text(3)));
    }
  }
  Statement queries = db.prepare(kQueries);
  queries.bind(dataset);
  while (queries.step()) {
    scope.passages.try_emplace(queries.integer(0), fmt::format("{} known {}", queries.text(1), queries.text(2)));
  }
  return scope;
}

struct Known {
  JudgeId id;
  std::string name, spec;
  bool imported = false;
};

// Judges with votes. An endpoint that was never asked has none.
std::vector<Known> judges_of(storage::Db& db, const std::optional<std::string>& wanted) {
  std::vector<Known> judges;
  Statement row = db.prepare(storage::sql::kJudgesWithVotes);
  row.bind(wanted);
  while (row.step()) {
    if (row.integer(3) != 0) {
      throw Error(Code::kUsage, fmt::format("judge {} is computed by residue itself: it has no votes", row.text(1)),
                  "residue judge list names those that were asked");
    }
    judges.push_back({row.id<JudgeId>(0), std::string(row.text(1)), std::string(row.text(2)), row.integer(4) != 0});
  }
  if (judges.empty() && wanted && !is_judge(db, *wanted)) {
    throw Error(Code::kNotFound, fmt::format("no judge named \"{}\"", *wanted), "residue judge list");
  }
  return judges;
}

std::vector<Pair> pairs_of(storage::Db& db, const Known& judge, const Scope& scope, const RequestClaims& requests) {
  std::unordered_set<Pair, PairHash> seen;
  std::vector<Pair> pairs;
  // A claim that has changed since it was evaluated is not in the request at its place.
  const auto is_in = [&](const Pair& pair) {
    if (pair.request.value == 0) return true;
    const auto found = requests.find(pair.request);
    return found != requests.end() && std::ranges::find(found->second, pair.claim) != found->second.end();
  };
  const auto add = [&](std::string_view sql) {
    Statement row = db.prepare(sql);
    row.bind(judge.id);
    while (row.step()) {
      if (row.is_null(2)) continue;
      const Pair pair{row.id<TextId>(0), row.id<TextId>(1), row.id<RequestId>(2)};
      if (pair.passage.value != 0 && scope.holds(pair) && is_in(pair) && seen.insert(pair).second)
        pairs.push_back(pair);
    }
  };
  add(kJudged);
  // A pair that could not be rated has no judgment: it is found by who was led to it.
  if (!judge.imported) {
    add(kLinked);
    add(kKnown);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<PairVotes> imported_votes(storage::Db& db, JudgeId judge, std::span<const Pair> pairs) {
  Statement sample = db.prepare(storage::sql::kJudgmentSampleCountsOfPair);
  std::vector<PairVotes> all;
  for (const Pair& pair : pairs) {
    PairVotes& votes = all.emplace_back();
    sample.bind(judge, pair.passage, pair.claim);
    while (sample.step()) {
      votes.ratings.at(static_cast<std::size_t>(sample.integer(0) - 1)) = static_cast<std::uint32_t>(sample.integer(1));
      votes.mode = static_cast<std::uint8_t>(sample.integer(2));
    }
  }
  return all;
}

// `pairs` are sorted.
std::vector<PairVotes> model_votes(const storage::Store& store, const ModelJudge& judge, std::span<const Pair> pairs,
                                   const RequestClaims& requests) {
  const PairRequests asked(store, pairs, requests);
  const auto votes = judge.votes_on(asked.list());
  std::vector<PairVotes> all;
  for (const PairRequests::Place& place : asked.places()) all.push_back(votes[place.request][place.claim]);
  return all;
}

std::uint32_t dissent(const PairVotes& votes) { return votes.rated() - *std::ranges::max_element(votes.ratings); }

void sort_worst_first(const storage::Store& store, std::vector<UnstablePair>& pairs) {
  // What no dataset names is told apart by its words: ids would depend on the store's history.
  std::vector<TextId> unnamed;
  for (const UnstablePair& pair : pairs) {
    if (!pair.claim.empty() && !pair.passage.empty()) continue;
    unnamed.insert(unnamed.end(), {pair.passage_text, pair.claim_text});
  }
  const std::vector<std::string> texts = load_texts(store, unnamed);
  std::unordered_map<std::int64_t, const std::string*> words;
  for (std::size_t i = 0; i < texts.size(); ++i) words.emplace(unnamed[i].value, &texts[i]);
  static const std::string kNone;
  const auto text = [&](TextId id) -> const std::string& {
    const auto found = words.find(id.value);
    return found == words.end() ? kNone : *found->second;
  };
  std::sort(pairs.begin(), pairs.end(), [&](const UnstablePair& a, const UnstablePair& b) {
    const auto more = std::uint64_t{dissent(a.votes)} * b.votes.rated();
    const auto less = std::uint64_t{dissent(b.votes)} * a.votes.rated();
    if (more != less) return more > less;
    // One pair in two requests is told apart by its votes.
    return std::tie(a.claim, a.passage, text(a.passage_text), text(a.claim_text), a.judge, a.votes.ratings,
                    a.votes.failed) < std::tie(b.claim, b.passage, text(b.passage_text), text(b.claim_text), b.judge,
                                               b.votes.ratings, b.votes.failed);
  });
}

}  // namespace

bool is_judge(storage::Db& db, const std::string& word) {
  Statement find = db.prepare(storage::sql::kJudgeOrModelExists);
  return find.bind(word).step() ||
         std::ranges::any_of(judge_names(), [&](std::string_view embedded) { return word == embedded; });
}

std::vector<PairVotes> saved_votes(storage::Store& store, JudgeId judge, std::span<const Pair> pairs) {
  Statement find = store.db().prepare(storage::sql::kJudgeNotEmbedded);
  if (!find.bind(judge).step()) return {};
  if (find.integer(2) != 0) return imported_votes(store.db(), judge, pairs);
  const auto asked = ModelJudge::from_answers(store, std::string(find.text(0)), find.text(1));
  return asked ? model_votes(store, *asked, pairs, load_requests(store.db())) : std::vector<PairVotes>();
}

Unstable load_unstable(storage::Store& store, const UnstableOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const std::vector<Known> judges = judges_of(db, options.judge);
  const Scope scope = scope_of(db, options.target);
  const RequestClaims requests = load_requests(db);
  Unstable result;
  for (const Known& judge : judges) {
    UnstableSum sum;
    sum.judge = judge.name;
    const auto asked = judge.imported ? nullptr : ModelJudge::from_answers(store, judge.name, judge.spec);
    if (!judge.imported && !asked) continue;  // of an earlier version: its answers cannot be found
    const std::vector<Pair> pairs = pairs_of(db, judge, scope, requests);
    for (std::size_t begin = 0; begin < pairs.size(); begin += kPairsAtOnce) {
      const auto some = std::span(pairs).subspan(begin, std::min(kPairsAtOnce, pairs.size() - begin));
      const std::vector<PairVotes> all =
          judge.imported ? imported_votes(db, judge.id, some) : model_votes(store, *asked, some, requests);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const PairVotes& votes = all[i];
        if (votes.rated() + votes.failed == 0) continue;
        ++sum.asked;
        sum.failed_votes += votes.failed;
        sum.undecided += votes.mode ? 0 : 1;
        sum.compared += votes.rated() > 1 ? 1 : 0;
        if (votes.unanimous()) continue;
        ++sum.unstable;
        result.pairs.push_back({judge.name, name_of(scope.claims, some[i].claim),
                                name_of(scope.passages, some[i].passage), some[i].claim, some[i].passage, votes});
      }
    }
    result.judges.push_back(std::move(sum));
  }
  sort_worst_first(store, result.pairs);
  result.total = result.pairs.size();
  if (options.limit != 0 && result.pairs.size() > options.limit) result.pairs.resize(options.limit);
  return result;
}

}  // namespace residue::query
