#include "query/agree/validation.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "base/digest.h"
#include "query/agree/calibration.h"
#include "query/judge/lexical_judge.h"
#include "storage/catalog/answers/judge.h"

namespace residue::query {
namespace {

// Two digits; what rounds to zero has no sign.
std::string number_text(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? text.substr(1) : text;
}

std::string with_interval(const std::optional<double>& value, const std::optional<numbers::Interval>& interval) {
  if (!value) return "none";
  const std::string shown = number_text(*value);
  return interval ? fmt::format("{} [{}, {}]", shown, number_text(interval->low), number_text(interval->high)) : shown;
}

std::string agreement_words(const PeopleAgreement& people) {
  const Agreement& found = people.everyone;
  std::string text = fmt::format("quadratic kappa {}, Spearman {} of {} labels on {} records",
                                 with_interval(found.kappa, found.kappa_interval),
                                 with_interval(found.spearman, found.spearman_interval), found.pairs, found.records);
  if (found.unrated > 0) text += fmt::format(" ({} more it has not rated)", found.unrated);
  text += ", " + blind_words(people);
  if (people.not_samples > 0) text += fmt::format(", {} of pairs chosen as hard", people.not_samples);
  return text;
}

}  // namespace

std::string blind_words(const PeopleAgreement& people) {
  if (people.blind == people.labels) return "all blind";
  std::string text = fmt::format("{} blind", people.blind);
  if (people.shown > 0) text += fmt::format(", {} with the judge's rating in sight", people.shown);
  const std::uint64_t unsaid = people.labels - people.blind - people.shown;
  if (unsaid > 0) text += fmt::format(", of {} nobody said", unsaid);
  return text;
}

std::string validation_text(const Judge& judge) {
  const auto* lexical = dynamic_cast<const LexicalJudge*>(&judge);
  if (lexical == nullptr) return "never";
  const auto v = lexical->validation();
  if (!v) return "never with this WordNet";
  const LexicalValidation::Unseen& agreement = v->least_agreement();
  const LexicalValidation::Unseen& flattering = v->most_flattering();
  return fmt::format(
      "on labels that it never saw (Spearman {:.2f} [{:.2f}, {:.2f}] on {} of {}; {:.0f} % of supported claims called "
      "unsupported on {} of {})",
      agreement.spearman, agreement.low, agreement.high, agreement.pairs, agreement.labels,
      100 * flattering.flattering(), flattering.pairs, flattering.labels);
}

Worth worth_of(const PeopleAgreement& people) {
  const Agreement& found = people.everyone;
  if (people.labels == 0) return Worth::kNobody;
  if (people.too_few) return Worth::kTooFew;
  const auto reaches_zero = [](const std::optional<double>& value, const std::optional<numbers::Interval>& interval) {
    return !value || !interval || interval->low <= 0;
  };
  const bool poor = reaches_zero(found.kappa, found.kappa_interval) || *found.kappa < kLeastKappa ||
                    reaches_zero(found.spearman, found.spearman_interval);
  return poor ? Worth::kPoor : Worth::kHeld;
}

Validation validation_on(storage::Store& store, JudgeId judge, const std::string& dataset) {
  storage::Db& db = store.db();
  Validation found;
  found.text = "not validated on this dataset";
  storage::Statement find = db.prepare(storage::sql::kJudgeNameAndDigest);
  if (!find.bind(judge).step()) return found;
  const auto present = installed_judge(find.text(0));
  if (present && find.text(1) != sha256(present->spec())) {
    found.worth = Worth::kOtherVersion;
    found.text += " in the version that rated it";
    return found;
  }
  found.people = load_people_agreement(
      store, {.dataset = dataset, .run = std::nullopt, .judge = std::string(find.text(0)), .together = true});
  found.worth = worth_of(found.people);
  if (found.worth == Worth::kPoor || found.worth == Worth::kHeld) {
    found.text = found.worth == Worth::kPoor ? "agrees poorly with people on this dataset"
                                             : "held against people's labels of this dataset";
    found.text += "; " + agreement_words(found.people);
    return found;
  }
  if (found.worth == Worth::kTooFew) {
    found.text += fmt::format(", too few: {} of {} labels", found.people.everyone.pairs, kFewestLabels);
  }
  if (!present) return found;
  if (const std::string elsewhere = validation_text(*present); elsewhere != "never") {
    found.text += "; elsewhere " + elsewhere;
  }
  return found;
}

}  // namespace residue::query
