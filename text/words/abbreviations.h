// The abbreviations of sentences.h, by what may follow them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace residue::text {

enum class Abbreviation {
  kJoins,         // never ends a sentence: "Dr.", "e.g."
  kBeforeNumber,  // joins a number that follows: "No. 5"; otherwise it is a word: "No. He left."
  kMayEnd,        // ends a sentence only before a word that typically begins one: "at 5 p.m. The ..."
};

// What `word` is, lower-case and with its points. Nothing when it is no abbreviation that we know.
std::optional<Abbreviation> abbreviation(std::string_view word);

// True for lower-case words that typically begin a sentence and are no names: "the", "he", "however".
bool begins_sentences(std::string_view word);

}  // namespace residue::text
