// The rules of categories.h, read from category_rules.txt once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace residue::text {

// A word of a claim: lower case, numbers as "#".
struct CategoryWord {
  std::string word;
  bool name = false;  // capitalized as names are, within a statement
};

// Letters and digits apart: "45yo" is "#", "yo"; 's is a word.
std::vector<CategoryWord> category_words(std::string_view claim);

// All categories of both lists have a bit each.
using CategoryBits = std::uint32_t;

class CategoryRules {
 public:
  // Throws Error{internal} where a line is no rule.
  explicit CategoryRules(std::string_view file);

  // The categories that the words are about.
  [[nodiscard]] CategoryBits match(const std::vector<CategoryWord>& words) const;

  // The bit of a category; 0: no rules name it.
  [[nodiscard]] CategoryBits bit(std::string_view category) const;

 private:
  struct Rule {
    std::vector<std::string> words;
    CategoryBits gives = 0, forbids = 0;
    CategoryBits where = 0;  // looked for only where these were found
  };
  void add(std::string_view phrase, CategoryBits category, CategoryBits where);
  static bool matches(const Rule& rule, const std::vector<CategoryWord>& words, std::size_t at);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::vector<Rule>> by_first_;
  std::vector<std::pair<std::string, CategoryBits>> begins_, ends_;
};

}  // namespace residue::text
