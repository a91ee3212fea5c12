#include "cli/report/show_print.h"

#include <utility>

#include "base/json.h"
#include "text/characters/unicode.h"

namespace residue::cli {
std::string one_line(std::string_view text) { return text::escape_controls(text, text::Breaks::kEscape); }

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string state_of(const query::VariantCard& variant) {
  return variant.error.empty() ? variant.state : variant.state + ": " + one_line(variant.error);
}

std::string claim_head(const query::ClaimCard& claim) {
  return fmt::format("#{}{}", claim.n,
                     claim.categories.empty() ? "" : fmt::format(" [{}]", one_line(joined(claim.categories))));
}

void show_record(const ShowView& view, const verbs::ShownRecord& shown) {
  const query::RecordCard& card = shown.card;
  if (view.json()) {
    Json json = {{"dataset", card.dataset}, {"record", card.record}, {"person", nullptr}, {"label", nullptr}};
    if (card.person) json["person"] = *card.person;
    if (card.label) json["label"] = *card.label;
    json["text"] = shown.text;
    json["claim_set"] = card.claim_set;
    json["claims"] = Json::array();
    for (std::size_t i = 0; i < card.claims.size(); ++i) {
      const query::ClaimCard& claim = card.claims[i];
      json["claims"].push_back({{"n", claim.n}, {"claim", shown.claims[i]}, {"categories", claim.categories}});
    }
    json["runs"] = Json::array();
    for (std::size_t i = 0; i < card.variants.size(); ++i) {
      const query::VariantCard& variant = card.variants[i];
      Json one = {{"run", variant.run}, {"state", variant.state}, {"error", nullptr}, {"text", nullptr}};
      if (!variant.error.empty()) one["error"] = variant.error;
      if (shown.variants[i]) one["text"] = *shown.variants[i];
      json["runs"].push_back(std::move(one));
    }
    view.context.out.json(json);
    return;
  }
  view.write(fmt::format("record {}/{}{}{}\n\noriginal\n", card.dataset, one_line(card.record),
                         card.person ? ", person " + one_line(*card.person) : "",
                         card.label ? ", label " + one_line(*card.label) : ""));
  view.write(wrapped(shown.text, 2, view.width));
  view.write(card.claims.empty() ? "\nno claims\n" : fmt::format("\nclaims ({})\n", card.claim_set));
  for (std::size_t i = 0; i < card.claims.size(); ++i) {
    view.write(wrapped(claim_head(card.claims[i]) + " " + shown.claims[i], 2, view.width));
  }
  for (std::size_t i = 0; i < card.variants.size(); ++i) {
    const query::VariantCard& variant = card.variants[i];
    if (variant.run == "none" && variant.state == "ok") continue;  // the original again
    view.write(fmt::format("\n{} ({})\n", variant.run, state_of(variant)));
    if (shown.variants[i]) view.write(wrapped(*shown.variants[i], 2, view.width));
  }
}

}  // namespace residue::cli
