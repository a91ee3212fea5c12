// What the support features know about single words: how much evidence they carry, which ones mean the same, which
// exclude each other, which negate, and which name a relative, of whom a thing may be said instead of the patient.
// Hand-written for English prose and clinical notes; no dataset went into it, so ratings never drift.
#pragma once

#include <cstdint>
#include <string_view>

namespace residue::text {

// Weights of evidence; kOrdinary is what a word gets that no list names.
inline constexpr std::uint8_t kFunctionWeight = 0;
inline constexpr std::uint8_t kFrameWeight = 2;   // "patient", "history": in every record of the kind
inline constexpr std::uint8_t kCommonWeight = 8;  // "pain", "mother": in many
inline constexpr std::uint8_t kOrdinaryWeight = 20;
inline constexpr std::uint8_t kNumberWeight = 26;
inline constexpr std::uint8_t kNameWeight = 28;

// Relatives from this number on may be any of the others.
inline constexpr std::uint8_t kAnyKin = 100;

// A word, looked up. Two words support each other if their `key`s are equal (same stem or listed as the same), weakly
// if their `root`s are (abdomen, abdominal).
struct SupportWord {
  std::uint64_t key = 0;
  std::uint64_t root = 0;
  std::uint64_t implied = 0;  // A key that the word's presence implies ("she" implies "woman"), or 0.
  std::uint64_t rival = 0;    // The key that this word excludes (left, right), or 0.
  std::int64_t number = -1;   // Value of a number word, or -1.
  std::uint8_t kin = 0;       // Which relative it names, or 0; from kAnyKin on any of them ("family").
  std::uint8_t weight = kOrdinaryWeight;
  bool negator = false;     // Opens a negation: no, not, denies, without.
  bool ends_scope = false;  // Ends one: but, she, which.
  bool ends_kin = false;    // Behind it nothing is said of a relative any more: patient, he, reports.
  bool preposition = false;
  bool unit = false;      // A unit of measure: a number before it belongs to it.
  bool referent = false;  // Speaks of somebody of whom more may be said: patient, man.
  bool placeholder = false;
};

// `word` is case-folded and without a trailing 's. Answers from a cache of the calling thread; the answer is a function
// of the word alone.
const SupportWord& support_word(std::string_view word);

// Key of a number written with digits in canonical form ("4500", "36.8").
std::uint64_t support_number_key(std::string_view canonical);

// A number that changes with any of the lists and weights.
std::uint64_t support_words_digest();

}  // namespace residue::text
