// Texts as the support features see them: words and numbers with their evidence weights, polarity and units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace residue::text {

// Raised when a text becomes other tokens, or tokens other features.
inline constexpr int kSupportReading = 4;

struct SupportToken {
  std::uint64_t key = 0;      // Equal keys support each other; numbers and words never share one.
  std::uint64_t root = 0;     // Equal roots support each other weakly; 0 for numbers.
  std::uint64_t implied = 0;  // See SupportWord.
  std::uint64_t unit = 0;     // Of a number: the key of the unit that follows it, or 0.
  std::uint64_t rival = 0;    // See SupportWord.
  std::uint32_t begin = 0;    // Bytes [begin, end) of the text.
  std::uint32_t end = 0;
  std::int32_t value = -1;  // Of a number without fraction below 10^9, or -1.
  std::uint8_t weight = 0;
  std::uint8_t kin = 0;     // See SupportWord.
  std::uint8_t holder = 0;  // The relative of whom this is said, or 0.
  bool number = false;
  bool name = false;      // Capitalized inside a sentence, or part of an e-mail or web address.
  bool opens = false;     // Capitalized where a sentence begins: a name or not.
  bool referent = false;  // See SupportWord.
  bool negated = false;   // In the scope of a negation.
};

// Code points that say nothing are passed over (text/as_read.h), full-width digits are digits. Case-folded under NFKC
// and without accents (text/accents.h), curly quotes straightened, a trailing 's dropped; ASCII by hand, the rest by
// ICU (UAX #29 for scripts without spaces). "4,500" is 4500, "twenty-one" is 21, the 10 of 2017-10-31 implies October.
// Placeholders of sanitizers are no evidence and give no token: [NAME], <PERSON>, {{DATE}}, XXXX, NAME_1, REDACTED.
// Negations hold until punctuation that ends a clause, a new subject, or twelve words. A relative who is no witness and
// follows no preposition holds what is said until the sentence ends or turns to another person; "in his mother" holds
// what came before it. Replaces the contents of `out`.
void support_tokens(std::string_view text, std::vector<SupportToken>& out);

}  // namespace residue::text
