// Why nothing is known of what a model is asked: its judge's spec against another's, field by field.
//
// A saved answer belongs to an answer spec (model, revision, instructions, every setting): one that differs in any
// field finds none of another's answers. Name, number of votes and the parser's version are the judge's alone; answers
// do not depend on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::query {

struct SpecField {
  std::string name;          // "temperature", "template" ...
  std::string ours, theirs;  // "unset" is none of the values; of long ones the beginning of their SHA-256
  bool equal = true;
  bool decides = true;  // answers depend on it
};

// How SpecField shows a text.
std::string shown_value(std::string_view text);

struct LineChanges {
  std::uint64_t added = 0, removed = 0;
};

struct SpecDifference {
  std::vector<SpecField> fields;  // all of them, those that decide first, in byte order
  LineChanges instructions;       // lines that only we have, lines that only they have

  [[nodiscard]] std::uint64_t deciding() const;  // fields that differ, and on which answers depend
};

// Of two specs of model judges. Throws Error{corrupt} for what is none.
SpecDifference difference_of(std::string_view ours, std::string_view theirs);

// A longest common subsequence of lines is what stays.
LineChanges changed_lines(std::string_view ours, std::string_view theirs);

// Judgments of the model judge of this name that are of claims which no record has together any more: its claims, or
// their order, have changed since. A rating may depend on its neighbours, so they are not found although the spec is
// the same. 0 for judges of one claim per request. Throws as explain_miss(). Cost: reads the claim sets that it rated.
std::uint64_t moved_judgments(storage::Store& store, const std::string& judge);

struct Miss {
  std::string judge, against;
  std::uint64_t judgments = 0, against_judgments = 0;  // stored under each
  std::uint64_t others = 0;                            // further specs of models in the store
  SpecDifference difference;
};

// `judge`: an endpoint, as eval would ask it now, or a judge of the store. `against`: nothing: of the store's judges
// with judgments the one with the fewest deciding fields that differ (of equals the one with more judgments, then by
// name). Nothing if there is no other. Throws Error{not found}, Error{usage} for a judge that is no model.
std::optional<Miss> explain_miss(storage::Store& store, const std::string& judge,
                                 const std::optional<std::string>& against);

}  // namespace residue::query
