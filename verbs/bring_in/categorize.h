// `categorize`: the sensitive categories that the claims of a set are about, by rules or by a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/tasks/text_task.h"
#include "storage/store.h"
#include "text/support/categories.h"
#include "verbs/bring_in/asking.h"

namespace residue::verbs {

inline constexpr std::string_view kByRules = "rules";

struct CategorizeOptions {
  std::string dataset;
  std::string set;   // empty: the only one of the dataset
  std::string with;  // kByRules, or a model's name
  text::CategoryList list = text::CategoryList::kGeneral;
  bool replace = false;              // also categories that came from files
  model::TextTemplate instructions;  // of a model, instead of ours
  AskingOptions asking;
};

// By rules only these are known: there is no result of bringing in, and nobody is asked.
struct CategorizedByRules {
  std::uint64_t claims = 0;
  std::uint64_t categorized = 0;  // of these, with a category
};

struct CategorizeResult : Asked {
  std::optional<CategorizedByRules> by_rules;
};

// What categorize() refuses whatever the store holds: instructions for rules. Throws Error{usage}.
void check(const CategorizeOptions& options);

// Rules have read the claims when this returns. Throws as check(), query::find_claim_set(),
// ingest::categorize_by_rules(), find_endpoint() and ingest::categorize_claims().
CategorizeResult categorize(storage::Store& store, const CategorizeOptions& options);

}  // namespace residue::verbs
