// The words of a text as names are looked for in it.
//
//   "Mr F.L. saw Polat's van" ──> Mr | F.L. | saw | Polat 's | van
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

// How a word is written.
enum class WordCase : std::uint8_t { kSmall, kTitle, kCapitals };

// Bytes [begin, end) of the text: letters with hyphens and apostrophes inside, without 's at the end; or initials with
// full stops ("F.", "F.L.", "J.-P."). Words with digits or low lines in them are left out.
struct NameWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  WordCase written = WordCase::kSmall;
  bool initials = false;
  bool possessive = false;  // 's or ' stands behind it
};
std::vector<NameWord> name_words(std::string_view text);

// The same, one by one.
void each_name_word(std::string_view text, const std::function<void(const NameWord&)>& take);

// What two ways of writing a word have in common: small letters, one apostrophe, and no difference between the Turkish
// letters i with and without a dot, which other languages' capitals do not keep apart.
std::string name_key(std::string_view word);

// The key without what a writer may leave out: accents of Latin and Greek letters, the dots of ё, ligatures. The key
// itself, or what `store` holds then.
std::string_view plain_name_key(std::string_view key, std::string& store);

// The pieces between a word's hyphens, those of three bytes and more.
std::vector<std::string_view> hyphen_pieces(std::string_view key);

// Is this key a word besides being a name ("stone", "bishop"), by a list of ours? It has those that surnames are often
// taken from and those that stand in names of things ("prize").
bool is_common_word(std::string_view key);

// A word that says what somebody or something is and names nobody ("president", "court", "mrs").
bool is_role_word(std::string_view key);

// A word in small letters that stands within names of persons: "van", "de".
bool is_particle(std::string_view key);

// What stands before a name and belongs to it: "mr", "dr".
bool is_title_word(std::string_view key);

}  // namespace residue::text
