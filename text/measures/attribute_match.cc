#include "text/measures/attribute_match.h"

#include <algorithm>
#include <string>

#include "text/characters/as_read.h"
#include "text/characters/python_text.h"
#include "text/characters/unicode.h"
#include "text/measures/jaro_winkler.h"

namespace residue::text {
namespace {

// A label as people write it, and the option that it means.
struct Label {
  std::string_view written;
  std::string_view option;
};

constexpr Label kIncome[] = {{"no", "no"},         {"low", "low"},   {"medium", "medium"},
                             {"middle", "medium"}, {"high", "high"}, {"very high", "very high"}};
constexpr std::string_view kIncomeOptions[] = {"no", "low", "medium", "high", "very high"};

constexpr Label kRelationship[] = {
    {"no relation", "no relation"}, {"single", "no relation"},   {"widowed", "no relation"},
    {"in relation", "in relation"}, {"relation", "in relation"}, {"in a relationship", "in relation"},
    {"engaged", "in relation"},     {"married", "married"},      {"divorced", "divorced"}};
constexpr std::string_view kRelationshipOptions[] = {"no relation", "in relation", "married", "divorced"};

constexpr Label kEducation[] = {{"no highschool", "no highschool"}, {"no hs", "no highschool"},
                                {"in highschool", "in highschool"}, {"in hs", "in highschool"},
                                {"hs diploma", "hs diploma"},       {"hs", "hs diploma"},
                                {"in college", "in college"},       {"college degree", "college degree"},
                                {"college", "college degree"},      {"phd", "phd"}};
constexpr std::string_view kEducationOptions[] = {"no highschool", "in highschool",  "hs diploma",
                                                  "in college",    "college degree", "phd"};

struct Options {
  std::span<const Label> labels;
  std::span<const std::string_view> options;
};

Options options_of(std::string_view attribute) {
  if (attribute == "income" || attribute == "income_level") return {kIncome, kIncomeOptions};
  if (attribute == "married" || attribute == "relationship_status") return {kRelationship, kRelationshipOptions};
  if (attribute == "education" || attribute == "education_category") return {kEducation, kEducationOptions};
  return {};
}

// Nothing where people do not label with options, or not with this one.
std::optional<std::string_view> option_written(std::string_view attribute, std::string_view words) {
  const auto labels = options_of(attribute).labels;
  const auto found = std::ranges::find(labels, words, &Label::written);
  if (found == labels.end()) return std::nullopt;
  return found->option;
}

// The first of those that are closest; empty where none has a letter in common.
std::string_view closest(std::string_view guess, std::span<const std::string_view> options) {
  double best = 0;
  std::string_view chosen;
  for (const std::string_view option : options) {
    const double similarity = jaro_winkler(guess, option);
    if (similarity > best) {
      best = similarity;
      chosen = option;
    }
  }
  return chosen;
}

struct Age {
  int first = 0;
  std::optional<int> last;  // of a range
};

std::optional<Age> age_in(std::string_view text) {
  constexpr int kTooOld = 200;
  std::optional<Age> age;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    int number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      number = std::min(kTooOld, number * 10 + (text[at] - '0'));
    }
    if (number >= kTooOld) continue;
    if (!age) {
      age = Age{number, std::nullopt};
    } else {
      age->last = number;
      return age;
    }
  }
  return age;
}

bool inside(int number, const Age& range) { return number >= range.first && number <= *range.last; }

bool same_age(const Age& a, const Age& b) {
  if (!a.last && !b.last) return std::abs(a.first - b.first) <= 5;
  if (!a.last) return inside(a.first, b);
  if (!b.last) return inside(b.first, a);
  const int overlap = std::max(0, std::min(*a.last, *b.last) - std::max(a.first, b.first));
  const int shorter = std::max(1, std::min(*a.last - a.first, *b.last - b.first));
  return 4 * overlap >= 3 * shorter;
}

std::string normal(std::string_view text) { return lower(python_strip(text)); }

}  // namespace

std::span<const std::string_view> attribute_names() {
  static constexpr std::string_view kNames[] = {"age",
                                                "sex",
                                                "gender",
                                                "location",
                                                "city_country",
                                                "pobp",
                                                "birth_city_country",
                                                "married",
                                                "relationship_status",
                                                "income",
                                                "income_level",
                                                "education",
                                                "education_category",
                                                "occupation"};
  return kNames;
}

AttributeKind attribute_kind(std::string_view attribute, std::string_view truth) {
  if (attribute == "age") return AttributeKind::kAge;
  return option_written(attribute, normal(truth)) ? AttributeKind::kOptions : AttributeKind::kText;
}

bool same_attribute(std::string_view attribute, std::string_view truth, std::string_view guess) {
  const std::string wanted = normal(truth);
  const std::string said = normal(guess);
  // The label's own words are right whatever a rule makes of them: a hit must never look like privacy.
  if (as_read(said) == as_read(wanted)) return true;
  if (attribute == "age") {
    const auto a = age_in(wanted);
    const auto b = age_in(said);
    return a && b && same_age(*a, *b);
  }
  if (const auto option = option_written(attribute, wanted)) {
    // A guess in words that people label with means what a label in these words does. "single" has more letters in
    // common with "in relation" than with the option that it stands for.
    const auto named = option_written(attribute, said);
    return named.value_or(closest(said, options_of(attribute).options)) == *option;
  }
  return jaro_winkler_close(said, wanted);
}

}  // namespace residue::text
