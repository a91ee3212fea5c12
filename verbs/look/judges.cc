#include "verbs/look/judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "query/agree/validation.h"
#include "query/inputs/texts.h"
#include "query/judge/cascade_judge.h"
#include "query/judge/judging.h"
#include "storage/catalog/answers/judge.h"

namespace residue::verbs {
namespace {

ListedJudge::Kind kind_of(const query::StoredJudge& judge) {
  if (judge.embedded) return ListedJudge::Kind::kSuperseded;
  return judge.imported ? ListedJudge::Kind::kElsewhere : ListedJudge::Kind::kModel;
}

// A judge that the store knows: a model, a cascade, or one whose judgments were made elsewhere.
JudgeCard stored_card(storage::Store& store, const std::string& name) {
  storage::Statement find = store.db().prepare(storage::sql::kJudgeByName);
  find.bind(name);
  if (!find.step()) {
    throw Error(Code::kNotFound, fmt::format("no judge named '{}' has rated anything here", name),
                "residue judge list has those that have; residue model show has the settings of a model");
  }
  const std::string digest = to_hex(find.text(1));
  return {name, digest.substr(0, 8), "never", digest, find.integer(2) != 0, Json::parse(find.text(0))};
}

query::UnstableOptions question_of(storage::Store& store, const UnstableOptions& options) {
  query::UnstableOptions question;
  question.limit = options.limit;
  if (!options.judge.empty()) question.judge = query::answering_judge(options.judge);
  if (options.what.empty()) return question;
  if (options.what.starts_with(query::kCascade)) {
    question.judge = query::answering_judge(options.what);
  } else if (!question.judge && query::is_judge(store.db(), options.what)) {
    question.judge = options.what;
  } else {
    question.target = storage::parse_target(options.what);
  }
  return question;
}

}  // namespace

std::string version_of(const query::Judge& judge) { return to_hex(sha256(judge.spec()).substr(0, 4)); }

std::vector<ListedJudge> list_judges(storage::Store* store) {
  std::vector<query::StoredJudge> others;
  if (store != nullptr) others = query::stored_judges(store->db());
  std::vector<ListedJudge> all;
  for (const auto name : query::judge_names()) {
    const auto judge = query::installed_judge(name);
    ListedJudge one;
    one.name = name;
    one.kind = judge ? ListedJudge::Kind::kEmbedded : ListedJudge::Kind::kNotInstalled;
    // Of one that is not installed the version is that of what it has rated here.
    if (judge) one.version = version_of(*judge);
    if (judge) one.validated = query::validation_text(*judge);
    std::erase_if(others, [&](const query::StoredJudge& other) {
      const bool same = other.name == name && (!judge || other.version == one.version);
      if (same) one.pairs = other.pairs;
      if (same) one.version = other.version;
      return same;
    });
    all.push_back(std::move(one));
  }
  for (const query::StoredJudge& other : others) {
    all.push_back({other.name, other.version, kind_of(other), other.pairs,
                   other.imported ? std::optional(other.samples) : std::nullopt, "never"});
  }
  return all;
}

JudgeCard show_judge(storage::Store* store, const std::string& name) {
  const auto embedded = query::judge_names();
  const bool known = std::find(embedded.begin(), embedded.end(), name) != embedded.end();
  if (!known && store != nullptr) return stored_card(*store, name);
  const auto judge = query::make_judge(name);
  return {name,
          version_of(*judge),
          query::validation_text(*judge),
          to_hex(sha256(judge->spec())),
          judge->embedded(),
          Json::parse(judge->spec())};
}

std::optional<RatedPair> rate_pair(const query::Judge& judge, std::string_view claim, std::string_view passage) {
  const query::Request request{passage, {claim}};
  const auto rating = judge.rate({&request, 1})[0][0];
  if (!rating) return std::nullopt;
  query::Explanation why = judge.explain(passage, claim);
  return RatedPair{rating->rating, rating->score,
                   std::string(passage.substr(why.window_begin, why.window_end - why.window_begin)),
                   std::move(why.sentence)};
}

MissResult explain_miss(storage::Store& store, const std::string& judge, const std::optional<std::string>& against) {
  MissResult result;
  result.judge = query::answering_judge(judge);
  result.miss = query::explain_miss(store, result.judge, against);
  result.moved = query::moved_judgments(store, result.judge);
  return result;
}

UnstableResult unstable(storage::Store& store, const UnstableOptions& options) {
  const storage::Lock held = store.hold_texts();
  UnstableResult result{query::load_unstable(store, question_of(store, options)), {}, {}};
  if (!options.texts) return result;
  std::vector<TextId> claims, passages;
  for (const query::UnstablePair& pair : result.found.pairs) {
    claims.push_back(pair.claim_text);
    passages.push_back(pair.passage_text);
  }
  result.claims = query::load_texts(store, claims);
  result.passages = query::load_texts(store, passages);
  return result;
}

}  // namespace residue::verbs
