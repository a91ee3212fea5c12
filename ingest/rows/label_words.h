// The words that labels are written in: categories of claims, attributes of people, identifiers, ratings. A word that
// nothing here knows would count as a part of its own, or as nothing at all, so it is refused unless it is mapped.
// Types of entities have no end: those that nothing knows are noted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// Each function throws Refusal, naming the field and never the word.
class LabelWords {
 public:
  // A category or attribute that something is mapped to is
  // accepted whatever it is: DIAGNOSIS=DIAGNOSIS makes it known.
  explicit LabelWords(const LabelWordOptions& options);

  // Of either list of text/categories.h. With --any-category any that can be names (text::is_category_name).
  [[nodiscard]] std::vector<std::string> categories(std::vector<std::string> names) const;

  // Of text::attribute_names().
  [[nodiscard]] std::string attribute(const std::string& name) const;

  // DIRECT, QUASI or NO_MASK, in any letters.
  [[nodiscard]] std::string identifier(const std::string& word) const;

  // country, state or city.
  [[nodiscard]] std::string level(const std::string& name) const;

  // Any word. `known`: it is mapped, or a type of the Text Anonymization Benchmark, Amazon Comprehend (LOP's detector),
  // Presidio or text/recognizers.h.
  struct Type {
    std::string name;
    bool known = false;
  };
  [[nodiscard]] Type type(const std::string& name) const;

  // What a rating in words stands for; nothing where it is not mapped.
  [[nodiscard]] std::optional<std::string> rating(const std::string& word) const;

 private:
  [[nodiscard]] std::string mapped(const std::string& word) const;

  std::map<std::string, std::string> map_;
  bool any_category_ = false;
};

}  // namespace residue::ingest
