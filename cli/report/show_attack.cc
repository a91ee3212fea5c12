// A record as a run left it, and one claim over all runs.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "cli/report/show_print.h"

namespace residue::cli {
namespace {

constexpr std::array<std::string_view, 4> kRatingNames = {"", "1 same", "2 similar", "3 unsupported"};

std::string outcome(const query::AttackCard& attack) {
  if (!attack.evaluated) return "not attacked";
  if (!attack.linked) return "not linked";
  const std::string tied = attack.tied > 0 ? fmt::format(", {} tied", attack.tied) : "";
  if (!attack.right) return fmt::format("linked to {}{}", one_line(attack.linked_key), tied);
  return fmt::format("linked to {} ({}{})", one_line(attack.linked_key), *attack.right ? "right" : "wrong", tied);
}

Json attack_json(const query::AttackCard& attack) {
  Json json = {{"outcome", nullptr}, {"linked", nullptr}, {"tied", attack.tied}};
  if (attack.linked) json["linked"] = attack.linked_key;
  if (attack.evaluated && !attack.linked) json["outcome"] = "not_linked";
  if (attack.right) json["outcome"] = *attack.right ? "right" : "wrong";
  return json;
}

}  // namespace

void show_attack(const ShowView& view, const verbs::ShownAttack& shown) {
  const query::RecordCard& card = shown.card;
  const query::AttackCard& attack = shown.attack;
  Json json = {{"dataset", card.dataset},
               {"record", card.record},
               {"run", shown.run},
               {"protocol", view.lens->spec.name()},
               {"judge", view.lens->judge_name},
               {"text", shown.text},
               {"state", shown.own.state},
               {"sanitized", nullptr}};
  if (shown.sanitized) json["sanitized"] = *shown.sanitized;
  if (view.lens->sample != 0) json["sample"] = view.lens->sample;
  json.update(attack_json(attack));
  json["linked_text"] = attack.linked ? Json(shown.linked) : Json(nullptr);
  json["claims"] = Json::array();
  std::string out = fmt::format("record {}/{} in run {}\nunder {}: {}\n\noriginal\n", card.dataset,
                                one_line(card.record), shown.run, view.attacker(), outcome(attack));
  out += wrapped(shown.text, 2, view.width);
  out += fmt::format("\nsanitized ({})\n", state_of(shown.own));
  if (shown.sanitized) out += wrapped(*shown.sanitized, 2, view.width);
  if (attack.linked && !attack.right.value_or(false)) {
    out += fmt::format("\nlinked text ({})\n", one_line(attack.linked_key)) + wrapped(shown.linked, 2, view.width);
  }
  out += "\nclaims\n";
  for (const verbs::RatedClaim& claim : shown.claims) {
    Json one = {{"n", claim.claim.n}, {"claim", claim.text}, {"known", claim.known},
                {"rating", nullptr},  {"why", nullptr},      {"evidence", nullptr}};
    if (claim.rating) one["rating"] = *claim.rating;
    const std::string verdict = claim.known    ? "known to the attacker"
                                : claim.rating ? std::string(kRatingNames.at(*claim.rating))
                                               : "not rated";
    out += wrapped(claim_head(claim.claim) + " " + claim.text, 2, view.width) + wrapped("→ " + verdict, 6, view.width);
    if (claim.why) {
      one["why"] = *claim.why;
      one["evidence"] = claim.evidence;
      out += wrapped(*claim.why, 6, view.width);
      if (!claim.evidence.empty() && *claim.rating <= 2) out += wrapped("“" + claim.evidence + "”", 6, view.width);
    }
    json["claims"].push_back(std::move(one));
  }
  if (view.json()) {
    view.context.out.json(json);
  } else {
    view.write(out);
  }
}

void show_claim(const ShowView& view, const verbs::ShownClaim& shown) {
  Table table;
  table.columns = {{"run", Type::kText, ""}, {"rating", Type::kText, ""}, {"link", Type::kText, ""}};
  Json runs = Json::array();
  for (const verbs::ShownClaim::InRun& run : shown.runs) {
    Json one = {{"run", run.run}, {"state", run.state}, {"known", run.known}, {"rating", nullptr}};
    if (run.rating) one["rating"] = *run.rating;
    one.update(attack_json(run.attack));
    runs.push_back(std::move(one));
    const std::string verdict = run.known ? "known" : run.rating ? std::string(kRatingNames.at(*run.rating)) : "-";
    table.rows.push_back({Cell(run.run), Cell(verdict), Cell(outcome(run.attack))});
  }
  if (view.json()) {
    view.context.out.json({{"dataset", shown.dataset},
                           {"record", shown.record},
                           {"n", shown.claim.n},
                           {"claim", shown.text},
                           {"categories", shown.claim.categories},
                           {"protocol", view.lens ? Json(view.lens->spec.name()) : Json(nullptr)},
                           {"judge", view.lens ? Json(view.lens->judge_name) : Json(nullptr)},
                           {"runs", runs}});
    return;
  }
  view.write(fmt::format("claim {}/{}{}\n", shown.dataset, one_line(shown.record), claim_head(shown.claim)));
  view.write(wrapped(shown.text, 2, view.width) + "\n");
  if (view.lens) view.write(fmt::format("under {}\n\n", view.attacker()));
  view.write(render_table(table, view.context.out.look()));
}

}  // namespace residue::cli
