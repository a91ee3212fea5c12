// What is known about the author of a text, and what a model guessed: as labels and answers keep it. Reading alone;
// query/attribute_scores.h counts.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::model {

inline constexpr std::size_t kCountedGuesses = 3;  // more are not counted, as the papers ask for three

struct AttributeTruth {
  std::string attribute, value;
  std::optional<int> certainty, hardness;  // as people said: 0 to 5
  std::string level;                       // of a place: "country", "state", "city"; empty where nobody said
};

// A label as ingest keeps it; nothing where it is none. Labels count from certainty 3 and hardness 1 on, or where
// nobody said either: `counts`.
std::optional<AttributeTruth> attribute_truth(std::string_view payload);
bool counts(const AttributeTruth& truth);

enum class Sameness { kYes, kNo, kLessPrecise, kUnknown };  // kUnknown: a judge was asked in vain

// What a judge said of each guess; nothing inside: it was not asked about this one.
using Verdicts = std::vector<std::optional<Sameness>>;

struct AttributeGuess {
  std::vector<std::string> guesses;  // best first; none: an answer without a guess, which is wrong
  Verdicts decisions;                // by guess: what somebody decided; nothing: the rules do
  std::optional<int> certainty;      // 1 to 5
  // Of answers that were put to a judge: by truth, as the label has it. Nothing: no judge was meant to decide.
  std::optional<std::map<std::string, Verdicts>> judged = std::nullopt;
};
using AttributeGuesses = std::map<std::string, AttributeGuess>;

// {"age":{"guess":["45","46"],"certainty":4,"same":["no","yes"],"judged":{"31":["no",null]}}}: "guess" may be one text;
// "same" holds "yes", "no", "less precise", or 1, 0 and 0.5, and null where nobody decided; "judged", by truth, these
// words or "unknown". Nothing where it is not of this form.
std::optional<AttributeGuesses> parse_guesses(std::string_view json);

// The form that parse_guesses() reads: canonical JSON.
std::string guesses_json(const AttributeGuesses& guesses);

// How each of the first three guesses compares with the truth (AA B.2): what somebody decided, else the rules of
// text/attribute_match.h; where none of these is right, what the judge said, if these are guesses for a judge (ages
// never are). kUnknown: he has not said, or in vain.
std::array<Sameness, kCountedGuesses> compare(const AttributeTruth& truth, const AttributeGuess& guess);

// The guesses that a judge is asked about: those of the first three that nobody decided about, where none is right.
std::vector<std::size_t> open_guesses(const AttributeTruth& truth, const AttributeGuess& guess);

}  // namespace residue::model
