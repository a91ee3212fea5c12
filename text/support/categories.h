// The sensitive categories that a claim is about, by rules: the embedded stand-in for a model that categorizes.
//
//   claim ──> words ──> phrases of category_rules.txt ──> categories
//
// FSP Table 7, appendix G.7: 16 categories in general, 24 for patients. The rules see words, not meaning: they miss
// what no listed word says, and take figures of speech for facts. docs/categories.md says how often.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

enum class CategoryList : std::uint8_t { kGeneral, kMedical };

// What leak_by_category calls claims that no category names. Like the words that tables of metrics use for parts of
// their own (how the attack ended, bins), they are no names for categories.
inline constexpr std::string_view kNoCategory = "no category";          // about none of them
inline constexpr std::string_view kNotCategorized = "not categorized";  // nobody said what they are about
bool is_category_name(std::string_view name);

// Changes whenever a rule does.
inline constexpr int kCategoryRules = 1;

// "general", "medical".
std::string_view category_list_name(CategoryList list);

// Who speaks where these rules do: "rules/1 general" (claim_set.categorizer).
std::string rules_name(CategoryList list);

// The names of a list, in the paper's order.
std::span<const std::string_view> category_names(CategoryList list);

// Those of them that the rules find in `claim`, in the list's order; a function of the claim's bytes and the list
// alone. Any bytes are accepted. Linear in the claim.
std::vector<std::string_view> categories(std::string_view claim, CategoryList list);

}  // namespace residue::text
