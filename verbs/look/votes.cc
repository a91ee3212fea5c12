#include "verbs/look/votes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "query/inputs/requests.h"
#include "query/inputs/texts.h"
#include "query/report/show.h"
#include "storage/catalog/answers/claim_request.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/judgment_sample.h"
#include "storage/catalog/lookup.h"

namespace residue::verbs {
namespace {

struct AskedClaim {
  TextId passage, claim;
  std::optional<RequestId> request;  // 0: alone; nothing: never asked
};

// Whose votes a judge of this spec() reads: its own, or of a cascade those of its second judge. Null where it has none.
std::unique_ptr<query::ModelJudge> voting(storage::Store& store, const std::string& name, const std::string& spec) {
  const Json json = Json::parse(spec).value_or(Json());
  const Json* const second = json.is_object() ? json.find("second") : nullptr;
  if (second == nullptr) return query::ModelJudge::from_answers(store, name, spec);
  return query::ModelJudge::from_answers(store, second->value("name", ""), second->sorted().dump());
}

std::optional<std::uint8_t> rating_of(storage::Db& db, JudgeId judge, const AskedClaim& claim) {
  storage::Statement rating = db.prepare(storage::sql::kJudgmentRating);
  if (!claim.request || !rating.bind(judge, claim.passage, claim.claim, *claim.request).step()) return std::nullopt;
  return static_cast<std::uint8_t>(rating.integer(0));
}

void add_samples(storage::Db& db, JudgeId judge, const AskedClaim& claim, JudgeVotes& said) {
  storage::Statement sample = db.prepare(storage::sql::kJudgmentSamplesOfPair);
  sample.bind(judge, claim.passage, claim.claim);
  while (sample.step()) {
    said.votes.push_back(
        {static_cast<std::uint32_t>(sample.integer(0)), static_cast<std::uint8_t>(sample.integer(1)), {}});
  }
}

void add_votes(storage::Store& store, const query::ModelJudge& judge, const AskedClaim& claim, JudgeVotes& said) {
  if (!claim.request) return;
  std::vector<TextId> together = query::request_claims(store.db(), *claim.request);
  if (together.empty()) together.push_back(claim.claim);
  const auto place = std::ranges::find(together, claim.claim) - together.begin();
  if (place == static_cast<std::ptrdiff_t>(together.size())) return;  // the claim has changed since
  const std::vector<std::string> texts = query::load_texts(store, together);
  const std::string passage = query::load_texts(store, std::vector<TextId>{claim.passage}).front();
  said.together = together.size();
  said.votes = judge.kept_votes({passage, {texts.begin(), texts.end()}}, static_cast<std::size_t>(place));
}

bool was_asked(const JudgeVotes& said) {
  return std::ranges::any_of(said.votes, [](const query::KeptVote& vote) { return !vote.replies.empty(); });
}

}  // namespace

ClaimVotes claim_votes(storage::Store& store, const query::Lens& lens, const std::string& run,
                       const std::string& record, std::uint32_t n, bool replies) {
  const storage::Lock held = store.hold_texts();
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const query::AttackCard attack = query::load_attack(db, lens, run, record);
  if (!attack.evaluated) {
    throw Error(Code::kNotFound, "the record was not attacked in this run under this attacker", "residue eval");
  }
  const RecordId row = storage::find_record(db, lens.dataset_name, record);
  ClaimVotes all{.found = attack.linked_key, .known = std::ranges::find(attack.known, n) != attack.known.end()};
  storage::Statement asked = db.prepare(storage::sql::kClaimRequestOfJudgedClaim);
  storage::Statement judges = db.prepare(storage::sql::kJudgesWithSpecs);
  while (judges.step()) {
    const auto id = judges.id<JudgeId>(0);
    if (!asked.bind(lens.protocol, row, std::int64_t{n}, id).step()) {
      throw Error(Code::kNotFound, fmt::format("the record has no claim #{}", n), "residue show DATASET/RECORD");
    }
    AskedClaim claim{attack.linked_text, asked.id<TextId>(0), std::nullopt};
    if (!asked.is_null(1)) claim.request = asked.id<RequestId>(1);
    asked.reset();
    if (claim.passage.value == 0) continue;  // nothing was found, so nobody was asked
    JudgeVotes said{.judge = std::string(judges.text(1)), .rating = rating_of(db, id, claim)};
    if (judges.integer(4) != 0) {
      said.kind = JudgeVotes::Kind::kElsewhere;
      add_samples(db, id, claim, said);
    } else if (judges.integer(3) == 0) {
      const auto model = voting(store, said.judge, std::string(judges.text(2)));
      said.kind = model ? JudgeVotes::Kind::kModel : JudgeVotes::Kind::kUnknown;
      if (model) said.asks = model->name();
      if (model) add_votes(store, *model, claim, said);
    }
    if (!said.rating && !was_asked(said) && id != lens.judge) continue;
    if (!replies) {
      for (query::KeptVote& vote : said.votes) vote.replies.clear();
    }
    all.judges.push_back(std::move(said));
  }
  return all;
}

}  // namespace residue::verbs
