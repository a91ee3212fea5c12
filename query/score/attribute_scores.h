// Attribute inference: what a model guessed about the author of a text, against what people know. Pure functions.
//
//   labels of the kind attribute, guesses ── text::same_attribute, decisions of a judge ──> counts, in all and by part
//
// AA 5, B.2, G.1, Table 2, Figures 5, 17, 18.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/tasks/attribute_guesses.h"
#include "query/metric/contribution.h"
#include "query/score/task_scores.h"
#include "text/measures/redaction.h"

namespace residue::query {

using model::AttributeGuess;
using model::AttributeGuesses;
using model::AttributeTruth;

struct AttributeCounts {
  text::Share first;    // labels whose first guess is right; a less precise one is not
  text::Share any;      // whose first, second or third guess is
  text::Share certain;  // whose first guess is right and of certainty 3 to 5, or of none that it said
  std::array<text::Share, 5> at_certainty;  // [c - 1]: of first guesses of certainty c, those that are right
  text::Share certainty;                    // sum of (c - 1) of right first guesses, and four for each
  // first, any and certain in halves, two for each label: a less precise guess counts one.
  text::Share first_half, any_half, certain_half;
  std::uint64_t unasked = 0;  // labels of attributes that `guesses` does not name: in none of the above

  AttributeCounts& operator+=(const AttributeCounts& other);
  friend bool operator==(const AttributeCounts&, const AttributeCounts&) = default;
};

// By part: "" is the whole, then "age" ..., "hardness 1" ..., "level city" ... An attribute that
// `guesses` names without a guess is guessed wrong.
std::map<std::string, AttributeCounts> attribute_counts(std::span<const AttributeTruth> truths,
                                                        const AttributeGuesses& guesses);

// attribute_accuracy, _any, _certain (with their parts), each also with _half, accuracy_at_certainty (parts "1" to "5")
// and mean_certainty. Not applicable without a label that counts; of a record that was not asked about, or in vain, all
// guesses are right if it leaked.
std::vector<Contribution> attribute_scores(const TaskCase& record, std::span<const AttributeTruth> truths);

}  // namespace residue::query
