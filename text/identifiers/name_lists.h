// Names of persons, places and organisations in running text, by lists, capital letters and the words around them.
//
//   lists of names ──> words of them ┐
//   text, a capitalized word ────────┴─> titles of firms, cues ("lives in") ──> the longest name that begins there
//
// Pure, no locale. Names in small letters are not looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/hash_places.h"

namespace residue::text {

enum class NameKind : std::uint8_t { kNone, kPerson, kPlace, kOrganisation };

// A name: bytes [begin, end) of the text; kNone: there is none.
struct NameFound {
  std::size_t end = 0;
  NameKind kind = NameKind::kNone;
};

// What the lists know of a word or phrase, as bits.
struct NameBits {
  std::uint8_t bits = 0;
  static constexpr std::uint8_t kFirst = 1;
  static constexpr std::uint8_t kLast = 2;
  static constexpr std::uint8_t kPlace = 4;
  static constexpr std::uint8_t kOrganisation = 8;
  static constexpr std::uint8_t kWord = 16;     // a word that is no name by itself
  static constexpr std::uint8_t kLonger = 32;   // begins a listed name of several words
  static constexpr std::uint8_t kCountry = 64;  // a place that is one
  [[nodiscard]] constexpr bool has(std::uint8_t any) const { return (bits & any) != 0; }
};

class NameLists {
 public:
  // The lists that come with the program (name_lists.txt), read once.
  static const NameLists& own();

  // Reads such a file: [section], then names separated by commas. Throws Error{internal} where a line is of no section.
  void read(std::string_view file);

  // `kind` is one of NameBits. Letters of either case, but an entry of two to five capitals is found in capitals only.
  // Names of more than four words, of more than 64 bytes, or without a letter are left out.
  void add(std::uint8_t kind, std::string_view name);

  // The name that begins at the capitalized word at `at`. Looks at most at eight words from there and at 64 bytes
  // before.
  [[nodiscard]] NameFound find(std::string_view text, std::size_t at) const;

  // What is known of a word or a phrase with single spaces.
  [[nodiscard]] NameBits bits_of(std::string_view phrase) const;

  // Entries; for tests and for whoever wants to know that a list was read.
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  // A key whose hash is known: it is asked of places_, then of names_.
  struct Hashed {
    std::string_view key;
    std::uint64_t hash = 0;
    friend bool operator==(const std::string& name, const Hashed& hashed) { return name == hashed.key; }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return static_cast<std::size_t>(hash_bytes(key)); }
    std::size_t operator()(const Hashed& hashed) const { return static_cast<std::size_t>(hashed.hash); }
  };
  [[nodiscard]] NameFound phrase(std::string_view text, std::size_t at, std::size_t first_end) const;
  [[nodiscard]] std::size_t organisation(std::string_view text, std::size_t at, std::size_t first_end) const;
  [[nodiscard]] std::size_t person(std::string_view text, std::size_t first_end, NameBits first) const;
  [[nodiscard]] std::size_t more_of_person(std::string_view text, std::size_t end) const;
  [[nodiscard]] NameFound announced_name(std::string_view text, std::size_t at, std::size_t first_end) const;

  [[nodiscard]] std::uint8_t bits_of_key(std::string_view key) const;

  std::unordered_map<std::string, std::uint8_t, Hash, std::equal_to<>> names_;
  HashPlaces<32'768> places_;  // of names_: most words are of none
};

// The names of exactly a kind (bits of NameBits) that come with the program and are no words besides, as they are
// written, in the order of the file.
std::vector<std::string> own_names(std::uint8_t kind);

// A word that says that a name is of a firm or an institution: "Ltd", "hospital". Letters of either case.
bool is_organisation_word(std::string_view word);

// The bytes of an organisation's name without its legal form, which stands for the same one: "Siemens" of "Siemens AG",
// "Smith" of "Smith & Co., Ltd.".
std::size_t without_legal_form(std::string_view name);

// What a name says of who or what has it (name_kinds.cc).
enum class Gender : std::uint8_t { kUnknown, kFemale, kMale };

// Of a first name; unknown: no list has it, or women and men alike have it. Letters of either case.
Gender gender_of(std::string_view first_name);

// What a title says: "Mrs", "Frau", "Sir". Letters of either case, without the full stop.
Gender gender_of_title(std::string_view title);

// First names of women or of men; all of a list.
const std::vector<std::string>& first_names_of(Gender gender);

// The cities or the regions of a country that the lists know.
struct PlacesOfCountry {
  std::vector<std::string> country;  // what it is called, the first one is its name: "Czechia", "Czech Republic"
  bool cities = true;                // else regions
  std::vector<std::string> places;
};
const std::vector<PlacesOfCountry>& places_of_countries();

// The row that has this city or region; null: none has. Letters of either case.
const PlacesOfCountry* row_of_place(std::string_view place);

// The row of this country; null: there is none. A name of several ("UK") is of the first of them.
const PlacesOfCountry* row_of_country(std::string_view country, bool cities);

// The file itself: its digest names the lists.
std::string_view own_names_file();

}  // namespace residue::text
