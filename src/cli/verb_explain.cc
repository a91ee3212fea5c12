// explain: why the attack on one record ended as it did, by the terms that decided.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/show_print.h"
#include "query/explain.h"
#include "storage/lookup.h"

namespace residue::cli {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = query::LinkExplanation::Outcome;
using Stored = query::LinkExplanation::Stored;

constexpr std::size_t kDefaultWidth = 100;

struct Options {
  std::string target, record, protocol;
};

std::string_view about_control(const query::LinkExplanation& why) {
  return why.protocol.linker == "oracle"
             ? "oracle is a control: it is told which text is the record's own, so no term decides"
             : "random is a control: it draws a text by a hash of the record's key, so no term decides";
}

std::string ties(const std::optional<std::uint32_t>& tied) {
  return tied && *tied > 0 ? fmt::format(", {} tied", *tied) : "";
}

std::string outcome_text(const query::LinkExplanation& why) {
  switch (why.outcome) {
    case Outcome::kNotAttacked:
      return "not attacked";
    case Outcome::kNotLinked:
      return "not linked";
    case Outcome::kControl:
      return "nothing to explain";
    case Outcome::kUnowned:
      return fmt::format("linked to {}{}", one_line(why.winner->key), ties(why.winner->tied));
    case Outcome::kRight:
    case Outcome::kWrong:
      break;
  }
  return fmt::format("linked to {} ({}{})", one_line(why.winner->key),
                     why.outcome == Outcome::kRight ? "right" : "wrong", ties(why.winner->tied));
}

// Where the right text stands, or why there is none.
std::string truth_text(const query::LinkExplanation& why) {
  if (why.state == "synthetic") return "the run is synthetic: none of its texts is this record's\n";
  if (why.state == "failed" || why.state == "absent") {
    return fmt::format("its own text is not in the run ({}{}): metrics count it as found\n", why.state,
                       why.error.empty() ? "" : ": " + one_line(why.error));
  }
  if (why.state == "removed") return "its own text was removed\n";
  if (!why.truth || why.outcome == Outcome::kRight) return "";
  if (!why.truth->rank) return "its own text shares no term with what the attacker knows\n";
  return fmt::format("its own text has rank {} of {}, score {}{}\n", *why.truth->rank, why.candidates,
                     real_text(why.truth->score), ties(why.truth->tied));
}

std::string known_text(const query::LinkExplanation& why, std::size_t width) {
  const query::Policy& policy = why.protocol.policy;
  const std::string& other = policy.given.empty() ? policy.words : policy.given;
  if (why.outcome == Outcome::kNotAttacked) {
    if (why.claims > 0 && !policy.words.empty()) {
      return fmt::format("the set {} does not say all that the attacker would know\n", other);
    }
    return fmt::format("the record has no claims in the set {}\n",
                       policy.given.empty() ? why.protocol.claim_set : policy.given);
  }
  std::string list;
  for (const std::uint32_t n : why.known) list += fmt::format("{}#{}", list.empty() ? "" : ", ", n);
  std::string out = fmt::format("\nthe attacker knows {} of {} claims", list.empty() ? "none" : list, why.claims);
  if (!policy.given.empty()) out += fmt::format(", and all of the set {}", other);
  if (!policy.words.empty()) out += fmt::format(", in the words of the set {}", other);
  out += why.known.size() == why.claims ? ": none is left to judge\n" : "\n";
  return out + wrapped(why.query, 2, width);
}

// For people one column of shares where there is one text to speak of; the last row is the scores.
Table shown_terms(const query::LinkExplanation& why) {
  const bool both = why.truth && why.outcome == Outcome::kWrong;
  Table table;
  table.columns = {{"term", Type::kText, ""}, {"documents", Type::kInteger, "records"}};
  table.columns.push_back({"winner_share", Type::kReal, both ? "found" : "share"});
  if (both) {
    table.columns.push_back({"truth_share", Type::kReal, "right"});
    table.columns.push_back({"difference", Type::kReal, ""});
  }
  const auto row = [&](const std::string& term, Cell documents, double winner, double truth) {
    std::vector<Cell> cells{Cell(term), std::move(documents), Cell(winner)};
    if (both) cells.insert(cells.end(), {Cell(truth), Cell(winner - truth)});
    table.rows.push_back(std::move(cells));
  };
  for (const query::DecidingTerm& term : why.terms) row(term.term, cell(term.documents), term.winner, term.truth);
  row("= score", Cell(), why.winner->score, why.truth ? why.truth->score : 0);
  return table;
}

Table table_of(const query::LinkExplanation& why) {
  Table table;
  table.columns = {{"term", Type::kText, ""},
                   {"documents", Type::kInteger, ""},
                   {"winner_share", Type::kReal, ""},
                   {"truth_share", Type::kReal, ""},
                   {"difference", Type::kReal, ""}};
  for (const query::DecidingTerm& term : why.terms) {
    table.rows.push_back({Cell(term.term), cell(term.documents), Cell(term.winner),
                          why.truth ? Cell(term.truth) : Cell(), why.truth ? Cell(term.winner - term.truth) : Cell()});
  }
  return table;
}

Json side_json(const std::optional<query::LinkExplanation::Side>& side) {
  if (!side) return nullptr;
  Json json = {{"record", side->key}, {"rank", nullptr}, {"score", side->score}, {"tied", nullptr}};
  if (side->rank) json["rank"] = *side->rank;
  if (side->tied) json["tied"] = *side->tied;
  return json;
}

Json outcome_json(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNotAttacked:
      return "not_attacked";
    case Outcome::kNotLinked:
      return "not_linked";
    case Outcome::kRight:
      return "right";
    case Outcome::kWrong:
      return "wrong";
    case Outcome::kUnowned:
    case Outcome::kControl:
      break;
  }
  return nullptr;
}

Json json_of(const query::LinkExplanation& why) {
  static constexpr std::array<std::string_view, 3> kStored = {"never", "stale", "current"};
  Json json = {{"dataset", why.dataset},
               {"run", why.run},
               {"record", why.record},
               {"protocol", why.protocol.name()},
               {"outcome", outcome_json(why.outcome)},
               {"state", why.state},
               {"error", why.error.empty() ? Json(nullptr) : Json(why.error)}};
  if (why.outcome == Outcome::kControl) {
    json["about"] = about_control(why);
    return json;
  }
  json["evaluated"] = kStored.at(static_cast<std::size_t>(why.stored));
  json["known"] = why.known;
  json["claims"] = why.claims;
  json["query"] = why.query;
  json["candidates"] = why.candidates;
  json["winner"] = side_json(why.winner);
  json["truth"] = side_json(why.truth);
  json["terms"] = Json::array();
  for (const query::DecidingTerm& term : why.terms) {
    Json one = {{"term", term.term},
                {"documents", term.documents},
                {"winner_share", term.winner},
                {"truth_share", nullptr},
                {"difference", nullptr}};
    if (why.truth) {
      one["truth_share"] = term.truth;
      one["difference"] = term.winner - term.truth;
    }
    json["terms"].push_back(std::move(one));
  }
  return json;
}

void print(Context& context, const query::LinkExplanation& why) {
  if (context.out.wants_json()) {
    context.out.json(json_of(why));
    return;
  }
  if (context.globals.format != Format::kTable) {
    context.out.table(table_of(why));
    return;
  }
  const Look look = context.out.look();
  const std::size_t width = look.width == 0 ? kDefaultWidth : look.width;
  context.out.write(fmt::format("record {}/{} in run {}\nunder {}: {}\n", why.dataset, one_line(why.record), why.run,
                                why.protocol.name(), outcome_text(why)));
  if (why.outcome == Outcome::kControl) {
    context.out.write(fmt::format("{}\n", about_control(why)));
    return;
  }
  context.out.write(truth_text(why) + known_text(why, width));
  if (why.winner) context.out.write("\n" + render_table(shown_terms(why), look));
}

void note_state(Context& context, const query::LinkExplanation& why) {
  const std::string eval = fmt::format("residue eval {}/{} --protocol {}", why.dataset, why.run, why.protocol.name());
  if (why.outcome == Outcome::kControl) return;
  if (why.outcome == Outcome::kNotLinked) context.out.note("not linked: no term that the attacker knows is in the run");
  if (why.stored == Stored::kStale) {
    context.out.note("stale: changed since it was evaluated, so stored numbers may differ; " + eval);
  } else if (why.stored == Stored::kNever) {
    context.out.note("not evaluated so; " + eval);
  }
}

int explain(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  if (!target.run) {
    throw Error(Code::kUsage, "explain looks into one run",
                fmt::format("write residue explain {}/RUN RECORD", target.dataset));
  }
  const auto store = open_store(context);
  const storage::Lock held = store->hold_texts();
  static_cast<void>(storage::find_run(store->db(), target.dataset, *target.run));
  const std::string record = query::record_to_explain(store->db(), target.dataset, options.record);
  const query::ProtocolSpec protocol = query::protocol_to_explain(store->db(), target.dataset, options.protocol);
  const query::LinkExplanation why =
      query::explain_link(*store, target.dataset, *target.run, record, protocol, query::IndexUse::kBuild);
  print(context, why);
  context.out.flush();
  note_state(context, why);
  context.out.note(
      why.outcome == Outcome::kControl
          ? fmt::format("next: residue explain {} {} --protocol {}", options.target, record, query::kDefaultProtocol)
          : fmt::format("next: residue show {}/{} --run {}", target.dataset, record, *target.run));
  return 0;
}

Run setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->target, "DATASET/RUN")->required();
  app.add_option("RECORD", options->record, "the record's id, or DATASET/RECORD")->required();
  app.add_option("--protocol", options->protocol, "attacker; default: the last evaluated");
  return [options](Context& context) { return explain(context, *options); };
}

}  // namespace

Command explain_command() {
  return {
      .name = "explain",
      .group = Group::kLook,
      .summary = "why the attack on one record ended as it did",
      .usage = "DATASET/RUN RECORD [--protocol P]",
      .details =
          "What the attacker knew, which text he found, where the record's own text stands among all, and the terms "
          "that decided: each term's share of both scores, the largest difference first. Computed on the run as it is "
          "now. Shows original text.",
      .examples = {{"residue explain clinic/tags n-12", "under the attacker evaluated last"},
                   {"residue explain clinic/tags n-12 --protocol bm25/first:1", "had he known the first claim only"},
                   {"residue explain clinic/tags n-12 --csv", "the terms, as a file"}},
      .setup = setup};
}

}  // namespace residue::cli
