// What a model inferred about an author (AA section 4): when it is nothing any more, and in which words it is passed
// on.
//
//   answer to the task "attributes" ─> inferences ─> another round? ─> words for the task "anonymize"
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/tasks/task.h"

namespace residue::ingest {

struct Inference {
  std::string attribute;
  std::vector<std::string> guesses;  // best first, at least one
  int certainty = 0;                 // 2 to 5
  std::string reason;                // how the model came to it; empty: it did not say
};

// Of a usable answer what was inferred, by attribute. Left out: guesses of certainty 1 ("a mere prejudice, nothing in
// the text speaks for it"), and those whose first one says that there is none ("unknown").
std::vector<Inference> inferences_of(const model::TaskAnswer& answer);

// Whether the text is worth another round: something was inferred with more certainty than `cutoff`. 1: anything (AA
// section 4); 2 to 4: AA G.2.
bool another_round(std::span<const Inference> inferences, int cutoff);

// One line for each and one for its reason, as the anonymizing model gets them.
std::string inference_words(std::span<const Inference> inferences);

}  // namespace residue::ingest
