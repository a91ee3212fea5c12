#include "verbs/look/show_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/inputs/texts.h"
#include "query/judge/open_judge.h"

namespace residue::verbs {
namespace {

std::string text_of(const storage::Store& store, TextId id) {
  return query::load_texts(store, std::vector<TextId>{id}).front();
}

// Of one that is ok, or one that is suspected.
std::optional<std::string> text_of(const storage::Store& store, const query::VariantCard& variant) {
  if (variant.state != "ok" && variant.text.value == 0) return std::nullopt;
  return text_of(store, variant.text);
}

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

bool is_known(const query::AttackCard& attack, std::uint32_t n) {
  return std::find(attack.known.begin(), attack.known.end(), n) != attack.known.end();
}

// Why the claim is rated so, with those that it was put to the judge with.
query::Explanation why_rated(const storage::Store& store, const query::Judge& judge, const query::AttackCard& attack,
                             const RatedClaim& claim, const std::string& linked) {
  const auto* found = judged(attack, claim.claim.n);
  if (found == nullptr || found->with.empty()) return judge.explain(linked, claim.text);
  const std::vector<std::string> claims = query::load_texts(store, found->with);
  const auto place = std::find(found->with.begin(), found->with.end(), claim.claim.text) - found->with.begin();
  return judge.explain_in({linked, {claims.begin(), claims.end()}}, static_cast<std::size_t>(place));
}

}  // namespace

ShownRecord show_record(storage::Store& store, query::RecordCard card) {
  ShownRecord shown{std::move(card), {}, {}, {}};
  shown.text = text_of(store, shown.card.text);
  for (const query::ClaimCard& claim : shown.card.claims) shown.claims.push_back(text_of(store, claim.text));
  for (const query::VariantCard& variant : shown.card.variants) shown.variants.push_back(text_of(store, variant));
  return shown;
}

ShownAttack show_attack(storage::Store& store, const query::Lens& lens, query::RecordCard card,
                        const std::string& run) {
  ShownAttack shown;
  shown.run = run;
  shown.card = std::move(card);
  shown.attack = query::load_attack(store.db(), lens, run, shown.card.record);
  shown.own =
      *std::ranges::find_if(shown.card.variants, [&](const query::VariantCard& variant) { return variant.run == run; });
  const auto judge = query::open_judge(store, lens.judge_name, "", nullptr);
  shown.linked = text_of(store, shown.attack.linked_text);
  shown.text = text_of(store, shown.card.text);
  shown.sanitized = text_of(store, shown.own);
  for (const query::ClaimCard& claim : shown.card.claims) {
    RatedClaim one{
        claim, text_of(store, claim.text), is_known(shown.attack, claim.n), rating_of(shown.attack, claim.n), {}, {}};
    if (one.rating && !one.known && shown.attack.linked_text.value != 0) {
      query::Explanation why = why_rated(store, *judge, shown.attack, one, shown.linked);
      one.evidence = shown.linked.substr(why.window_begin, why.window_end - why.window_begin);
      one.why = std::move(why.sentence);
    }
    shown.claims.push_back(std::move(one));
  }
  return shown;
}

ShownClaim show_claim(storage::Store& store, const std::optional<query::Lens>& lens, const query::RecordCard& card,
                      std::uint32_t n) {
  const auto claim = std::ranges::find_if(card.claims, [&](const query::ClaimCard& one) { return one.n == n; });
  if (claim == card.claims.end()) {
    throw Error(
        Code::kNotFound,
        fmt::format("record {}/{} has no claim #{} in the set \"{}\"", card.dataset, card.record, n, card.claim_set),
        fmt::format("it has {} claims", card.claims.size()));
  }
  ShownClaim shown{card.dataset, card.record, *claim, text_of(store, claim->text), {}};
  for (const query::VariantCard& variant : card.variants) {
    query::AttackCard attack =
        lens ? query::load_attack(store.db(), *lens, variant.run, card.record) : query::AttackCard();
    const bool known = is_known(attack, n);
    const auto rating = rating_of(attack, n);
    shown.runs.push_back({variant.run, variant.state, std::move(attack), known, rating});
  }
  return shown;
}

}  // namespace residue::verbs
