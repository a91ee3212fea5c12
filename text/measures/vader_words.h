// The words that VADER's rules know, beside the lexicon of valences that its user brings.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace residue::text {

// What a word is to the rules; several at once are possible.
enum VaderRole : std::uint32_t {
  kVaderLexicon = 1U << 0,
  kVaderBooster = 1U << 1,  // strengthens or weakens the word behind it
  kVaderNegates = 1U << 2,
  kVaderNo = 1U << 3,
  kVaderOr = 1U << 4,  // or, nor
  kVaderNever = 1U << 5,
  kVaderSo = 1U << 6,  // so, this
  kVaderWithout = 1U << 7,
  kVaderDoubt = 1U << 8,
  kVaderLeast = 1U << 9,
  kVaderAt = 1U << 10,  // at, very
  kVaderBut = 1U << 11,
};

struct VaderRoleWord {
  std::string_view word;
  std::uint32_t role;
};

// Words of one role each; a word may occur several times. Words with n't in them negate as well.
std::span<const VaderRoleWord> vader_role_words();

// Words of degree and what they add to a positive valence.
inline constexpr double kVaderMore = 0.293;
std::span<const std::string_view> vader_intensifiers();  // + kVaderMore
std::span<const std::string_view> vader_dampeners();     // - kVaderMore

// Up to three words whose valence is not that of their parts; empty behind the last.
struct VaderPhrase {
  std::array<std::string_view, 3> words;
  double valence;
};
std::span<const VaderPhrase> vader_phrases();

// Dampeners of two words.
std::span<const std::array<std::string_view, 2>> vader_double_dampeners();

}  // namespace residue::text
