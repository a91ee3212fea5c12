#include "cli/report/explain_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"

namespace residue::cli {
namespace {

using query::EvidenceKind;
using query::LinkExplanation;
using Side = std::optional<LinkExplanation::Side>;

// Whether there are two texts to compare, not one.
bool both(const LinkExplanation& why) { return why.truth && why.outcome == LinkExplanation::Outcome::kWrong; }

bool combined(const LinkExplanation& why) { return !why.protocol.runs().empty(); }

// Rows "found" and "right".
std::vector<std::pair<std::string, const LinkExplanation::Side*>> sides(const LinkExplanation& why) {
  std::vector<std::pair<std::string, const LinkExplanation::Side*>> sides{{"found", &*why.winner}};
  if (both(why)) sides.emplace_back("right", &*why.truth);
  return sides;
}

// ---- terms

Table shown_terms(const LinkExplanation& why) {
  const bool two = both(why);
  Table table;
  if (combined(why)) table.columns.push_back({"run", Type::kText, ""});
  table.columns.insert(table.columns.end(), {{"term", Type::kText, ""}, {"documents", Type::kInteger, "records"}});
  table.columns.push_back({"winner_share", Type::kReal, two ? "found" : "share"});
  if (two) {
    table.columns.push_back({"truth_share", Type::kReal, "right"});
    table.columns.push_back({"difference", Type::kReal, ""});
  }
  const auto row = [&](const std::string& run, const std::string& term, Cell documents, double winner, double truth) {
    std::vector<Cell> cells;
    if (combined(why)) cells.push_back(run);
    cells.insert(cells.end(), {Cell(term), std::move(documents), Cell(winner)});
    if (two) cells.insert(cells.end(), {Cell(truth), Cell(winner - truth)});
    table.rows.push_back(std::move(cells));
  };
  for (const query::DecidingTerm& one : why.terms) {
    row(one.run, one.term, cell(one.documents), one.winner, one.truth);
  }
  const double truth = why.truth ? why.truth->score : 0;
  if (combined(why)) {
    for (std::size_t i = 0; i < why.winner->evidence.releases.size(); ++i) {
      const query::ReleaseShare& share = why.winner->evidence.releases[i];
      row(share.run, "= its part", Cell(), share.score, two ? why.truth->evidence.releases[i].score : 0);
    }
  }
  row("", "= score", Cell(), why.winner->score, truth);
  return table;
}

Table terms_table(const LinkExplanation& why) {
  Table table;
  if (combined(why)) table.columns.push_back({"run", Type::kText, ""});
  table.columns.insert(table.columns.end(), {{"term", Type::kText, ""},
                                             {"documents", Type::kInteger, ""},
                                             {"winner_share", Type::kReal, ""},
                                             {"truth_share", Type::kReal, ""},
                                             {"difference", Type::kReal, ""}});
  for (const query::DecidingTerm& one : why.terms) {
    std::vector<Cell> cells;
    if (combined(why)) cells.push_back(one.run);
    cells.insert(cells.end(), {Cell(one.term), cell(one.documents), Cell(one.winner)});
    cells.push_back(why.truth ? Cell(one.truth) : Cell());
    cells.push_back(why.truth ? Cell(one.winner - one.truth) : Cell());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// ---- words

bool has_word(const Side& side, std::size_t place) {
  if (!side || !side->evidence.common) return false;
  const auto& places = side->evidence.common->places;
  return std::binary_search(places.begin(), places.end(), place);
}

Table shown_words(const LinkExplanation& why) {
  const bool two = both(why);
  Table table;
  table.columns.push_back({"winner", Type::kText, two ? "found" : "common words"});
  if (two) table.columns.push_back({"truth", Type::kText, "right"});
  for (std::size_t i = 0; i < why.words.size(); ++i) {
    const bool winner = has_word(why.winner, i);
    const bool truth = two && has_word(why.truth, i);
    if (!winner && !truth) continue;
    std::vector<Cell> cells{winner ? Cell(why.words[i]) : Cell()};
    if (two) cells.push_back(truth ? Cell(why.words[i]) : Cell());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table words_table(const LinkExplanation& why) {
  Table table;
  table.columns = {{"word", Type::kText, ""}, {"winner", Type::kInteger, ""}, {"truth", Type::kInteger, ""}};
  for (std::size_t i = 0; i < why.words.size(); ++i) {
    const std::uint64_t winner = has_word(why.winner, i) ? 1 : 0;
    const std::uint64_t truth = has_word(why.truth, i) ? 1 : 0;
    table.rows.push_back({Cell(why.words[i]), cell(winner), why.truth ? cell(truth) : Cell()});
  }
  return table;
}

Table shown_measures(const LinkExplanation& why) {
  Table table;
  table.columns = {{"side", Type::kText, "text"},          {"f", Type::kReal, "F"},
                   {"precision", Type::kReal, ""},         {"recall", Type::kReal, ""},
                   {"common", Type::kInteger, ""},         {"query_words", Type::kInteger, "known"},
                   {"text_words", Type::kInteger, "words"}};
  for (const auto& [name, side] : sides(why)) {
    const query::CommonWords common = side->evidence.common.value_or(query::CommonWords());
    table.rows.push_back({Cell(name), Cell(common.measures.f), Cell(common.measures.p), Cell(common.measures.r),
                          cell(common.counts.common), cell(common.counts.reference), cell(common.counts.hypothesis)});
  }
  return table;
}

// ---- votes

query::Support support_of(const Side& side, std::size_t claim) {
  return side && claim < side->evidence.supports.size() ? side->evidence.supports[claim] : query::Support();
}

// "b#1, c#4, …": the claims voted for, best first.
std::string found_claims(const query::Ballot& ballot) {
  constexpr std::size_t kShown = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, ballot.votes.size()); ++i) {
    list += fmt::format("{}{}#{}", list.empty() ? "" : ", ", ballot.votes[i].record, ballot.votes[i].claim);
  }
  return list + (ballot.votes.size() > kShown ? ", …" : "");
}

Table shown_votes(const LinkExplanation& why) {
  const bool two = both(why);
  Table table;
  table.columns = {{"claim", Type::kText, ""},
                   {"best", Type::kReal, ""},
                   {"finds", Type::kText, ""},
                   {"votes", Type::kInteger, ""},
                   {"winner_votes", Type::kInteger, "for found"},
                   {"winner_best", Type::kReal, "its best"}};
  if (two) {
    table.columns.push_back({"truth_votes", Type::kInteger, "for right"});
    table.columns.push_back({"truth_best", Type::kReal, "its best"});
  }
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < why.ballots.size(); ++i) {
    const query::Support winner = support_of(why.winner, i);
    const query::Support truth = support_of(why.truth, i);
    all += why.ballots[i].votes.size();
    std::vector<Cell> cells{Cell(fmt::format("#{}", why.said[i])), cell(why.ballots[i].best),
                            Cell(found_claims(why.ballots[i])),    cell(std::uint64_t{why.ballots[i].votes.size()}),
                            cell(std::uint64_t{winner.votes}),     cell(winner.best)};
    if (two) cells.insert(cells.end(), {cell(std::uint64_t{truth.votes}), cell(truth.best)});
    table.rows.push_back(std::move(cells));
  }
  std::vector<Cell> sum{Cell("= votes"), Cell(), Cell(), cell(all), cell(static_cast<std::uint64_t>(why.winner->score)),
                        Cell()};
  if (two) sum.insert(sum.end(), {cell(static_cast<std::uint64_t>(why.truth->score)), Cell()});
  table.rows.push_back(std::move(sum));
  return table;
}

Table shown_elected(const LinkExplanation& why) {
  constexpr std::size_t kRows = 10;
  Table table;
  table.columns = {{"record", Type::kText, ""}, {"votes", Type::kInteger, ""}};
  for (std::size_t i = 0; i < std::min(kRows, why.elected.size()); ++i) {
    table.rows.push_back({Cell(why.elected[i].key), cell(std::uint64_t{why.elected[i].votes})});
  }
  return table;
}

Table votes_table(const LinkExplanation& why) {
  Table table;
  table.columns = {{"claim", Type::kInteger, ""},        {"best", Type::kReal, ""},
                   {"least", Type::kReal, ""},           {"record", Type::kText, ""},
                   {"record_claim", Type::kInteger, ""}, {"score", Type::kReal, ""}};
  for (std::size_t i = 0; i < why.ballots.size(); ++i) {
    const query::Ballot& ballot = why.ballots[i];
    for (const query::Ballot::Vote& vote : ballot.votes) {
      table.rows.push_back({cell(std::uint64_t{why.said[i]}), cell(ballot.best), cell(ballot.least), Cell(vote.record),
                            cell(std::uint64_t{vote.claim}), Cell(vote.score)});
    }
  }
  return table;
}

// ---- cosines

Table cosines_table(const LinkExplanation& why) {
  Table table;
  table.columns = {{"side", Type::kText, ""},
                   {"record", Type::kText, ""},
                   {"rank", Type::kInteger, ""},
                   {"score", Type::kReal, ""},
                   {"tied", Type::kInteger, ""}};
  const auto add = [&](const char* name, const Side& side) {
    if (!side) return;
    table.rows.push_back({Cell(name), Cell(side->key), side->rank ? cell(std::uint64_t{*side->rank}) : Cell(),
                          Cell(side->score), side->tied ? cell(std::uint64_t{*side->tied}) : Cell()});
  };
  add("winner", why.winner);
  add("truth", why.truth);
  return table;
}

Table shown_cosines(const LinkExplanation& why) {
  Table table;
  table.columns = {{"side", Type::kText, "text"},
                   {"record", Type::kText, ""},
                   {"rank", Type::kInteger, ""},
                   {"score", Type::kReal, "cosine"}};
  for (const auto& [name, side] : sides(why)) {
    table.rows.push_back(
        {Cell(name), Cell(side->key), side->rank ? cell(std::uint64_t{*side->rank}) : Cell(), Cell(side->score)});
  }
  return table;
}

// ---- JSON

Json side_json(const Side& side, bool several) {
  if (!side) return nullptr;
  Json json = {{"record", side->key}, {"rank", side->rank}, {"score", side->score}, {"tied", side->tied}};
  if (const auto& common = side->evidence.common) {
    json["f"] = common->measures.f;
    json["precision"] = common->measures.p;
    json["recall"] = common->measures.r;
    json["common"] = common->counts.common;
    json["query_words"] = common->counts.reference;
    json["text_words"] = common->counts.hypothesis;
  }
  if (several) {
    json["releases"] = Json::array();
    for (const query::ReleaseShare& share : side->evidence.releases) {
      json["releases"].push_back({{"run", share.run}, {"score", share.score}});
    }
  }
  return json;
}

Json terms_json(const LinkExplanation& why) {
  Json terms = Json::array();
  for (const query::DecidingTerm& term : why.terms) {
    Json one = Json::object();
    if (combined(why)) one["run"] = term.run;
    one["term"] = term.term;
    one["documents"] = term.documents;
    one["winner_share"] = term.winner;
    one["truth_share"] = why.truth ? Json(term.truth) : Json(nullptr);
    one["difference"] = why.truth ? Json(term.winner - term.truth) : Json(nullptr);
    terms.push_back(std::move(one));
  }
  return terms;
}

Json words_json(const LinkExplanation& why) {
  Json words = Json::array();
  for (std::size_t i = 0; i < why.words.size(); ++i) {
    words.push_back({{"word", why.words[i]},
                     {"winner", has_word(why.winner, i)},
                     {"truth", why.truth ? Json(has_word(why.truth, i)) : Json(nullptr)}});
  }
  return words;
}

Json ballots_json(const LinkExplanation& why) {
  const auto support = [&](const Side& side, std::size_t i) -> Json {
    if (!side) return nullptr;
    const query::Support one = support_of(side, i);
    return {{"votes", one.votes}, {"best", one.best}};
  };
  Json ballots = Json::array();
  for (std::size_t i = 0; i < why.ballots.size(); ++i) {
    const query::Ballot& ballot = why.ballots[i];
    Json votes = Json::array();
    for (const query::Ballot::Vote& vote : ballot.votes) {
      votes.push_back({{"record", vote.record}, {"claim", vote.claim}, {"score", vote.score}});
    }
    ballots.push_back({{"claim", why.said[i]},
                       {"said", ballot.said},
                       {"best", ballot.best},
                       {"least", ballot.least},
                       {"winner", support(why.winner, i)},
                       {"truth", support(why.truth, i)},
                       {"votes", std::move(votes)}});
  }
  return ballots;
}

}  // namespace

std::string shown_evidence(const LinkExplanation& why, const Look& look) {
  if (!why.winner) return "";
  const auto shown = [&](const Table& table) { return "\n" + render_table(table, look); };
  switch (evidence_kind(why.protocol)) {
    case EvidenceKind::kTerms:
      return shown(shown_terms(why));
    case EvidenceKind::kWords:
      return shown(shown_measures(why)) + shown(shown_words(why));
    case EvidenceKind::kVotes:
      return shown(shown_votes(why)) + shown(shown_elected(why));
    case EvidenceKind::kCosine:
      return shown(shown_cosines(why));
    case EvidenceKind::kNothing:
      break;
  }
  return "";
}

Table evidence_table(const LinkExplanation& why) {
  switch (evidence_kind(why.protocol)) {
    case EvidenceKind::kWords:
      return words_table(why);
    case EvidenceKind::kVotes:
      return votes_table(why);
    case EvidenceKind::kCosine:
      return cosines_table(why);
    case EvidenceKind::kTerms:
    case EvidenceKind::kNothing:
      break;
  }
  return terms_table(why);
}

void add_evidence(Json& json, const LinkExplanation& why) {
  json["winner"] = side_json(why.winner, combined(why));
  json["truth"] = side_json(why.truth, combined(why));
  const EvidenceKind kind = evidence_kind(why.protocol);
  if (kind == EvidenceKind::kTerms) json["terms"] = terms_json(why);
  if (kind == EvidenceKind::kWords) json["words"] = words_json(why);
  if (kind != EvidenceKind::kVotes) return;
  json["ballots"] = ballots_json(why);
  json["elected"] = Json::array();
  for (const LinkExplanation::Elected& one : why.elected) {
    json["elected"].push_back({{"record", one.key}, {"votes", one.votes}});
  }
}

}  // namespace residue::cli
