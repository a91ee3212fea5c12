// explain: why the attack on one record ended as it did, by the evidence that decided.
#include "verbs/look/explain.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/report/explain_tables.h"
#include "cli/report/show_print.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

using Outcome = query::LinkExplanation::Outcome;
using Stored = query::LinkExplanation::Stored;

constexpr std::size_t kDefaultWidth = 100;

struct Options {
  std::string target, record;
  AttackerFlags attacker;
};

std::string_view about_control(const query::LinkExplanation& why) {
  return why.protocol.linker->role == query::LinkerRole::kOracle
             ? "oracle is a control: it is told which text is the record's own, so nothing in it decides"
             : "random is a control: it draws a text by a hash of the record's key, so nothing in it decides";
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

// "score 0.0986", "2 votes", "cosine 0.7000".
std::string measured(const query::LinkExplanation& why, double score) {
  switch (evidence_kind(why.protocol)) {
    case query::EvidenceKind::kWords:
      return fmt::format("{} {}", why.protocol.linker->measure == query::Measure::kRougeF ? "F" : "recall",
                         real_text(score));
    case query::EvidenceKind::kVotes:
      return fmt::format("{} vote{}", score, score == 1 ? "" : "s");
    case query::EvidenceKind::kCosine:
      return "cosine " + real_text(score);
    case query::EvidenceKind::kTerms:
    case query::EvidenceKind::kNothing:
      break;
  }
  return "score " + real_text(score);
}

// Of the right text, and of all texts where the attacker found none.
struct Lack {
  std::string_view own, all;
};

Lack lack_of(const query::LinkExplanation& why) {
  switch (evidence_kind(why.protocol)) {
    case query::EvidenceKind::kWords:
      return {"shares no word with what the attacker knows", "no word that the attacker knows is in the run"};
    case query::EvidenceKind::kVotes:
      return {"gets no vote", "no claim that the attacker knows finds one of the run"};
    case query::EvidenceKind::kCosine:
      return {"is empty: it has no vector", "the run has no text with a vector"};
    case query::EvidenceKind::kTerms:
    case query::EvidenceKind::kNothing:
      break;
  }
  return {"shares no term with what the attacker knows", "no term that the attacker knows is in the run"};
}

// Where the right text stands, or why there is none.
std::string truth_text(const query::LinkExplanation& why) {
  if (why.state == "synthetic") return "the run is synthetic: none of its texts is this record's\n";
  std::string out;
  if (why.state == "failed" || why.state == "absent") {
    out = fmt::format("its own text is not in the run ({}{}): metrics count it as found\n", why.state,
                      why.error.empty() ? "" : ": " + one_line(why.error));
  } else if (why.state == "removed") {
    out = "its own text was removed\n";
  }
  if (!why.truth || why.outcome == Outcome::kRight) return out;
  // Another release may have one.
  const std::string_view whose = out.empty() ? "its own text" : "its text of another release";
  if (!why.truth->rank) return out.empty() ? fmt::format("{} {}\n", whose, lack_of(why).own) : out;
  return out + fmt::format("{} has rank {} of {}, {}{}\n", whose, *why.truth->rank, why.candidates,
                           measured(why, why.truth->score), ties(why.truth->tied));
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
  add_evidence(json, why);
  return json;
}

void print_one(Context& context, const query::LinkExplanation& why) {
  const Look look = context.out.look();
  const std::size_t width = look.width == 0 ? kDefaultWidth : look.width;
  context.out.write(fmt::format("record {}/{} in run {}\nunder {}: {}\n", why.dataset, one_line(why.record), why.run,
                                why.protocol.name(), outcome_text(why)));
  if (why.outcome == Outcome::kControl) {
    context.out.write(fmt::format("{}\n", about_control(why)));
    return;
  }
  context.out.write(truth_text(why) + known_text(why, width) + shown_evidence(why, look));
}

// Of several seeds the rows say whose they are.
Table table_of(const std::vector<query::LinkExplanation>& all) {
  if (all.size() == 1) return evidence_table(all.front());
  Table table;
  for (const query::LinkExplanation& why : all) {
    Table one = evidence_table(why);
    if (table.columns.empty()) {
      table.columns = std::move(one.columns);
      table.columns.insert(table.columns.begin(), {"protocol", Type::kText, ""});
    }
    for (auto& row : one.rows) {
      row.insert(row.begin(), Cell(why.protocol.name()));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void print(Context& context, const std::vector<query::LinkExplanation>& all) {
  if (context.out.wants_json()) {
    Json json = Json::array();
    for (const query::LinkExplanation& why : all) json.push_back(json_of(why));
    context.out.json(all.size() == 1 ? json.front() : json);
    return;
  }
  if (context.globals.format != Format::kTable) {
    context.out.table(table_of(all));
    return;
  }
  for (const query::LinkExplanation& why : all) {
    if (&why != &all.front()) context.out.write("\n");
    print_one(context, why);
  }
}

void note_state(Context& context, const query::LinkExplanation& why) {
  const std::string eval = fmt::format("residue eval {}/{} --protocol {}", why.dataset, why.run, why.protocol.name());
  if (why.outcome == Outcome::kControl) return;
  if (why.outcome == Outcome::kNotLinked) context.out.note(fmt::format("not linked: {}", lack_of(why).all));
  if (why.stored == Stored::kStale) {
    context.out.note("stale: changed since it was evaluated, so stored numbers may differ; " + eval);
  } else if (why.stored == Stored::kNever) {
    context.out.note("not evaluated so; " + eval);
  }
}

int explain(Context& context, const Options& options) {
  const storage::Target target =
      run_target(options.target, "explain looks into one run", "write residue explain {}/RUN RECORD");
  const auto store = open_store(context);
  verbs::ExplainOptions wanted;
  wanted.dataset = target.dataset;
  wanted.run = *target.run;
  wanted.record = options.record;
  wanted.protocol = options.attacker.protocol;
  wanted.combine = options.attacker.combine;
  wanted.seeds = options.attacker.seeds;
  const std::vector<query::LinkExplanation> all = verbs::explain(*store, wanted);
  print(context, all);
  context.out.flush();
  for (const query::LinkExplanation& why : all) note_state(context, why);
  context.out.note(all.front().outcome == Outcome::kControl
                       ? fmt::format("next: residue explain {} {} --protocol {}", options.target,
                                     shell_word(all.front().record), query::kDefaultProtocol)
                       : fmt::format("next: residue show {} --run {}",
                                     shell_word(target.dataset + "/" + all.front().record), *target.run));
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->target, "DATASET/RUN").required();
  syntax.add("RECORD", options->record, "the record's id, or DATASET/RECORD").required();
  add_attacker_flags(syntax, options->attacker, "attacker; default: the last evaluated");
  return [options](Context& context) { return explain(context, *options); };
}

}  // namespace

Command explain_command() {
  return {
      .name = "explain",
      .group = Group::kLook,
      .summary = "why the attack on one record ended as it did",
      .usage = "DATASET/RUN RECORD [--protocol P] [--seeds N] [--combine RUN,RUN]",
      .details =
          "Shows what the attacker knew, which text he found, and where the record's own text stands among all. The "
          "evidence of both texts stands side by side:\n"
          "  bm25     each term's share of the score, the largest difference first; of several releases, in each\n"
          "  rouge-l  the common words\n"
          "  votes    whom each claim votes for\n"
          "  dense    the cosines\n"
          "\n"
          "The attack is computed on the run as it is now. Shows original text.",
      .examples = {{"residue explain clinic/tags n-12", "under the attacker evaluated last"},
                   {"residue explain clinic/tags n-12 --protocol bm25/first:1", "if he had known the first claim only"},
                   {"residue explain clinic/tags n-12 --protocol rouge-l", "if he had compared the order of words"},
                   {"residue explain clinic/tags n-12 --csv", "the terms, as a file"}},
      .paged = true,
      .setup = setup};
}

}  // namespace residue::cli
