// What every judge said of one claim, vote by vote, and what models replied. Ratings of votes are read from the level
// claims on. A reply quotes whatever a model was told: claims, texts, and examples of its prompt. It is read where its
// key in the ledger is (attempt.vote), at the level originals alone.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "query/report/report.h"
#include "verbs/look/votes.h"

namespace residue::page {
namespace {

const char* name_of(verbs::JudgeVotes::Kind kind) {
  switch (kind) {
    case verbs::JudgeVotes::Kind::kEmbedded:
      return "embedded";
    case verbs::JudgeVotes::Kind::kModel:
      return "model";
    case verbs::JudgeVotes::Kind::kElsewhere:
      return "elsewhere";
    default:
      return "unknown";
  }
}

Json replies_json(const query::KeptVote& vote) {
  Json all = Json::array();
  for (const model::KeptReply& reply : vote.replies) {
    all.push_back({{"attempt", reply.attempt},
                   {"at", reply.at},
                   {"status", reply.status},
                   {"problem", reply.problem.empty() ? Json() : Json(reply.problem)},
                   {"content", reply.content},
                   {"raw", reply.body}});
  }
  return all;
}

Json judge_json(const verbs::JudgeVotes& said, bool replies) {
  Json votes = Json::array();
  for (const query::KeptVote& vote : said.votes) {
    Json one = {{"sample", vote.sample}, {"rating", vote.rating}};
    one["replies"] = replies && said.kind == verbs::JudgeVotes::Kind::kModel ? replies_json(vote) : Json();
    votes.push_back(std::move(one));
  }
  return {{"judge", said.judge},   {"kind", name_of(said.kind)}, {"asks", said.asks.empty() ? Json() : Json(said.asks)},
          {"rating", said.rating}, {"together", said.together},  {"votes", std::move(votes)}};
}

// A row for each vote, and for each judge that has none.
std::string as_csv(const verbs::ClaimVotes& all) {
  query::SqlRows rows;
  const auto cell = [](const std::optional<std::uint8_t>& rating) -> query::SqlValue {
    if (!rating) return std::monostate();
    return std::int64_t{*rating};
  };
  for (const verbs::JudgeVotes& said : all.judges) {
    const std::string kind = name_of(said.kind);
    if (said.votes.empty()) rows.push_back({said.judge, kind, cell(said.rating), std::monostate(), std::monostate()});
    for (const query::KeptVote& vote : said.votes) {
      rows.push_back({said.judge, kind, cell(said.rating), std::int64_t{vote.sample}, cell(vote.rating)});
    }
  }
  return csv_of({"judge", "kind", "rating", "vote", "said"}, rows);
}

}  // namespace

Reply answer_votes(const Viewer& viewer, const Wanted& wanted) {
  const std::string run = wanted.needed("run"), record = wanted.needed("record");
  static_cast<void>(wanted.needed("n"));
  const auto n = static_cast<std::uint32_t>(wanted.number("n", 0, 1U << 31U));
  if (!viewer.claims()) {
    throw Error(Code::kUsage, fmt::format("votes are not read at the level {}", name_of(viewer.level)),
                "residue serve --claims");
  }
  const query::Lens lens = lens_of(viewer, wanted);
  const verbs::ClaimVotes all =
      verbs::claim_votes(*open_to_read(viewer), lens, run, record, n, viewer.originals() && !wanted.csv());
  if (wanted.csv()) {
    return {.type = "text/csv", .body = as_csv(all), .file = fmt::format("votes-{}.csv", n)};
  }
  Json judges = Json::array(), hidden = Json::array();
  for (const verbs::JudgeVotes& said : all.judges) judges.push_back(judge_json(said, viewer.originals()));
  if (!viewer.originals()) hidden.push_back("replies");
  Json answer = {{"dataset", lens.dataset_name}, {"run", run}, {"record", record}, {"n", n}};
  answer.update(lens_json(lens));
  answer["found"] = all.found.empty() ? Json() : Json(all.found);
  answer["known"] = all.known;
  answer["judges"] = std::move(judges);
  answer["hidden"] = std::move(hidden);
  answer["sql"] = fmt::format(
      "SELECT judge, rating FROM judgments WHERE {} AND run = {} AND record = {} AND n = {} AND rating IS NOT NULL "
      "ORDER BY judge;",
      rows_of(lens, false), sql_string(run), sql_string(record), n);
  return {.body = answer.dump()};
}

}  // namespace residue::page
