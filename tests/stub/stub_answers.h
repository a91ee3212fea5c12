// What the stub answers to questions about a text: always the same to the same text.
#pragma once

#include <optional>
#include <string>

namespace residue::stub {

// Nothing if the request asks for something else. In the form that the instructions ask for.
//   choice       the first option whose words are in the text, else the last
//   coherence    2 where something is masked ("[" or "*"), else 5
//   category     translation, code generation or general chitchat, by a word of the text
//   attributes   the first number of the text (of none: "unknown"), twice something else, certainty 3
//   anonymize    the text with SOME in the place of its first number
//   disclosures  the numbers of the text; phrases for one "about 2 digits" and two others; "unchanged": numbers with
//   the
//                word behind, and a phrase that has it
//   rewrite      "In other words: " and the text
//   utility      readability 9; meaning 10 of the same text, else 7; nothing invented, unless the adapted text has
//                "INVENTED"
//   questions    "Yes" where the text has a capital letter after its first word, else "No"
// Behaviours of the two that give texts: "commentary" (words before it), "no-hash" and "label" (the line # is lost),
// "unchanged", "apology" and "blank" (instead of a text).
// Behaviours: "out-of-range" gives what is no answer, "half" leaves out the last part of several.
std::optional<std::string> task_answer(const std::string& body, const std::string& text, const std::string& behaviour);

}  // namespace residue::stub
