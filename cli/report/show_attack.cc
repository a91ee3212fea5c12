// A record as a run left it, and one claim over all runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/report/show_print.h"
#include "query/inputs/texts.h"
#include "query/judge/open_judge.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::array<std::string_view, 4> kRatingNames = {"", "1 same", "2 similar", "3 unsupported"};

const query::AttackCard::Judged* judged(const query::AttackCard& attack, std::uint32_t n) {
  for (const auto& one : attack.ratings) {
    if (one.n == n) return &one;
  }
  return nullptr;
}

std::optional<std::uint8_t> rating_of(const query::AttackCard& attack, std::uint32_t n) {
  if (const auto* found = judged(attack, n)) return found->rating;
  if (attack.evaluated && attack.linked_text.value == 0) return std::uint8_t{3};  // nothing found, nothing learned
  return std::nullopt;
}

// Why the claim is rated so, with those that it was put to the judge with.
query::Explanation why_rated(const ShowView& view, const query::Judge& judge, const query::AttackCard& attack,
                             const query::ClaimCard& claim, const std::string& linked) {
  const auto* found = judged(attack, claim.n);
  if (found == nullptr || found->with.empty()) return judge.explain(linked, view.text(claim.text));
  const std::vector<std::string> claims = query::load_texts(view.store, found->with);
  const auto place = std::find(found->with.begin(), found->with.end(), claim.text) - found->with.begin();
  return judge.explain_in({linked, {claims.begin(), claims.end()}}, static_cast<std::size_t>(place));
}

bool is_known(const query::AttackCard& attack, std::uint32_t n) {
  return std::find(attack.known.begin(), attack.known.end(), n) != attack.known.end();
}

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

void show_attack(const ShowView& view, const query::RecordCard& card, const std::string& run) {
  const query::AttackCard attack = query::load_attack(view.store.db(), *view.lens, run, card.record);
  const auto own = std::find_if(card.variants.begin(), card.variants.end(),
                                [&](const query::VariantCard& variant) { return variant.run == run; });
  const auto judge = query::open_judge(view.store, view.lens->judge_name, "", nullptr);
  const std::string linked = view.text(attack.linked_text);
  Json json = {{"dataset", card.dataset},
               {"record", card.record},
               {"run", run},
               {"protocol", view.lens->spec.name()},
               {"judge", view.lens->judge_name},
               {"text", view.text(card.text)},
               {"state", own->state},
               {"sanitized", nullptr}};
  if (has_text(*own)) json["sanitized"] = view.text(own->text);
  if (view.lens->sample != 0) json["sample"] = view.lens->sample;
  json.update(attack_json(attack));
  json["linked_text"] = attack.linked ? Json(linked) : Json(nullptr);
  json["claims"] = Json::array();
  std::string out = fmt::format("record {}/{} in run {}\nunder {}: {}\n\noriginal\n", card.dataset,
                                one_line(card.record), run, view.attacker(), outcome(attack));
  out += wrapped(view.text(card.text), 2, view.width);
  out += fmt::format("\nsanitized ({})\n", state_of(*own));
  if (has_text(*own)) out += wrapped(view.text(own->text), 2, view.width);
  if (attack.linked && !attack.right.value_or(false)) {
    out += fmt::format("\nlinked text ({})\n", one_line(attack.linked_key)) + wrapped(linked, 2, view.width);
  }
  out += "\nclaims\n";
  for (const auto& claim : card.claims) {
    const std::string text = view.text(claim.text);
    const bool known = is_known(attack, claim.n);
    const auto rating = rating_of(attack, claim.n);
    Json one = {{"n", claim.n},      {"claim", text},  {"known", known},
                {"rating", nullptr}, {"why", nullptr}, {"evidence", nullptr}};
    if (rating) one["rating"] = *rating;
    const std::string verdict = known    ? "known to the attacker"
                                : rating ? std::string(kRatingNames.at(*rating))
                                         : "not rated";
    out += wrapped(claim_head(claim) + " " + text, 2, view.width) + wrapped("→ " + verdict, 6, view.width);
    if (rating && !known && attack.linked_text.value != 0) {
      const query::Explanation why = why_rated(view, *judge, attack, claim, linked);
      const std::string evidence = linked.substr(why.window_begin, why.window_end - why.window_begin);
      one["why"] = why.sentence;
      one["evidence"] = evidence;
      out += wrapped(why.sentence, 6, view.width);
      if (!evidence.empty() && *rating <= 2) out += wrapped("“" + evidence + "”", 6, view.width);
    }
    json["claims"].push_back(std::move(one));
  }
  if (view.json()) {
    view.context.out.json(json);
  } else {
    view.write(out);
  }
}

void show_claim(const ShowView& view, const query::RecordCard& card, std::uint32_t n) {
  const auto claim =
      std::find_if(card.claims.begin(), card.claims.end(), [&](const query::ClaimCard& one) { return one.n == n; });
  if (claim == card.claims.end()) {
    throw Error(
        Code::kNotFound,
        fmt::format("record {}/{} has no claim #{} in the set \"{}\"", card.dataset, card.record, n, card.claim_set),
        fmt::format("it has {} claims", card.claims.size()));
  }
  Table table;
  table.columns = {{"run", Type::kText, ""}, {"rating", Type::kText, ""}, {"link", Type::kText, ""}};
  Json runs = Json::array();
  for (const auto& variant : card.variants) {
    const query::AttackCard attack =
        view.lens ? query::load_attack(view.store.db(), *view.lens, variant.run, card.record) : query::AttackCard();
    const auto rating = rating_of(attack, n);
    const bool known = is_known(attack, n);
    Json one = {{"run", variant.run}, {"state", variant.state}, {"known", known}, {"rating", nullptr}};
    if (rating) one["rating"] = *rating;
    one.update(attack_json(attack));
    runs.push_back(std::move(one));
    const std::string verdict = known ? "known" : rating ? std::string(kRatingNames.at(*rating)) : "-";
    table.rows.push_back({Cell(variant.run), Cell(verdict), Cell(outcome(attack))});
  }
  if (view.json()) {
    view.context.out.json({{"dataset", card.dataset},
                           {"record", card.record},
                           {"n", n},
                           {"claim", view.text(claim->text)},
                           {"categories", claim->categories},
                           {"protocol", view.lens ? Json(view.lens->spec.name()) : Json(nullptr)},
                           {"judge", view.lens ? Json(view.lens->judge_name) : Json(nullptr)},
                           {"runs", runs}});
    return;
  }
  view.write(fmt::format("claim {}/{}{}\n", card.dataset, one_line(card.record), claim_head(*claim)));
  view.write(wrapped(view.text(claim->text), 2, view.width) + "\n");
  if (view.lens) view.write(fmt::format("under {}\n\n", view.attacker()));
  view.write(render_table(table, view.context.out.look()));
}

}  // namespace residue::cli
