// Is a guessed attribute the true one? As the evaluation of Advanced Anonymizers does (AA B.2), up to its judge.
//
//   attribute, truth, guess ── age: numbers; options: the closest one; else: Jaro-Winkler ──> same or not
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace residue::text {

enum class AttributeKind { kText, kOptions, kAge };

// How a truth of `attribute` is compared: "age" by numbers, and where the truth is one of the options that people label
// with (income, relationship, education, in any letters) by options. Everything else, places too, is one text.
AttributeKind attribute_kind(std::string_view attribute, std::string_view truth);

// The attributes that people label: those of AA's Reddit profiles (AA 5) and of SynthPAI's, which name some otherwise.
std::span<const std::string_view> attribute_names();

// True if the guess is the truth. In lower case, without the white space around it; the truth's own words are always
// right.
//   kText     Jaro-Winkler strictly above 0.75
//   kOptions  the guess is a label (in any of its spellings) of the truth's option; a guess that is no label: the
//   option
//             of highest Jaro-Winkler with it, the first of equals, is the truth's
//   kAge      numbers below 200 count, of several the first two as a range. Two numbers: at most 5 years apart; a
//   number
//             and a range: inside; two ranges: overlap at least 0.75 of the shorter one (which counts 1 year at least).
bool same_attribute(std::string_view attribute, std::string_view truth, std::string_view guess);

// Guesses of which none is the same are put to a judge, but ages never are.
inline bool judge_may_decide(std::string_view attribute) { return attribute != "age"; }

}  // namespace residue::text
