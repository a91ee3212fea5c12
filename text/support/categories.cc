#include "text/support/categories.h"

#include <fmt/format.h>

#include "base/embedded.h"
#include "text/support/category_rules.h"

RESIDUE_EMBEDDED(category_rules)

namespace residue::text {
namespace {

constexpr std::string_view kGeneral[] = {
    "Age",       "Gender", "Sexual_Orientation", "Race_Nationality", "Spouse",     "Partner", "Relationship_Status",
    "Family",    "Health", "Mental_Health",      "Location",         "Appearance", "Pet",     "Occupation",
    "Education", "Finance"};

constexpr std::string_view kMedical[] = {"Age",
                                         "Gender",
                                         "Sexual_Orientation",
                                         "Race_Nationality",
                                         "Spouse",
                                         "Partner",
                                         "Relationship_Status",
                                         "Family",
                                         "Location",
                                         "Appearance",
                                         "Pet",
                                         "Occupation",
                                         "Education",
                                         "Finance",
                                         "Chief_Concern",
                                         "History_of_Present_Illness",
                                         "Past_Medical_History",
                                         "Medications",
                                         "Allergies_Reactions",
                                         "Social_History",
                                         "Family_History",
                                         "Review_of_Systems",
                                         "Physical_Exam",
                                         "Diagnostic_Results"};

const CategoryRules& rules() {
  static const CategoryRules all{embedded_category_rules()};
  return all;
}

}  // namespace

bool is_category_name(std::string_view name) {
  for (const std::string_view word : {kNoCategory, kNotCategorized, std::string_view("right"),
                                      std::string_view("wrong"), std::string_view("not_linked")}) {
    if (name == word) return false;
  }
  return !name.empty() && !name.starts_with("bin:");
}

std::string_view category_list_name(CategoryList list) {
  return list == CategoryList::kMedical ? "medical" : "general";
}

std::string rules_name(CategoryList list) {
  return fmt::format("rules/{} {}", kCategoryRules, category_list_name(list));
}

std::span<const std::string_view> category_names(CategoryList list) {
  if (list == CategoryList::kMedical) return kMedical;
  return kGeneral;
}

std::vector<std::string_view> categories(std::string_view claim, CategoryList list) {
  const CategoryBits found = rules().match(category_words(claim));
  std::vector<std::string_view> names;
  for (const std::string_view name : category_names(list)) {
    if ((found & rules().bit(name)) != 0) names.push_back(name);
  }
  return names;
}

}  // namespace residue::text
