#include "ingest/surrogates/written_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/characters/accents.h"
#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"

namespace residue::ingest {

std::string in_case(std::string made, std::string_view like) {
  const bool capitals = std::ranges::count_if(like, capital) > 1 && std::ranges::none_of(like, small);
  if (!capitals) return made;
  return text::capitals_of(made);
}

bool generic(std::string_view word) {
  constexpr auto kGeneric = std::to_array<std::string_view>(
      {"street",  "st",       "road",    "rd",       "avenue",    "ave",     "lane",      "ln",      "drive",
       "dr",      "court",    "ct",      "blvd",     "boulevard", "way",     "square",    "squares", "sq",
       "place",   "pl",       "terrace", "parkway",  "pkwy",      "highway", "hwy",       "circle",  "crescent",
       "close",   "grove",    "gardens", "mews",     "row",       "trail",   "alley",     "loop",    "walk",
       "quay",    "hill",     "rise",    "suite",    "ste",       "apt",     "apartment", "unit",    "box",
       "po",      "psc",      "cmr",     "room",     "flat",      "floor",   "post",      "office",  "postbox",
       "rue",     "allee",    "allée",   "chemin",   "via",       "viale",   "corso",     "calle",   "paseo",
       "rua",     "carrer",   "ulica",   "ul",       "strada",    "rruga",   "plaza",     "piazza",  "avenida",
       "mr",      "mrs",      "ms",      "mx",       "miss",      "prof",    "professor", "doctor",  "sir",
       "dame",    "lady",     "rev",     "reverend", "capt",      "captain", "herr",      "frau",    "mme",
       "mlle",    "monsieur", "madame",  "sr",       "sra",       "srta",    "señor",     "señora",  "signor",
       "signora", "doña",     "dra",     "medical",  "north",     "south",   "east",      "west",    "new",
       "san"});
  return text::is_organisation_word(word) || std::ranges::find(kGeneric, text::lower(word)) != kGeneric.end();
}

bool begins_small(std::string_view word) {
  return text::lower(word) == word && (small(word[0]) || std::ranges::any_of(word, small));
}

bool stays_small(std::string_view word) {
  constexpr auto kStay = std::to_array<std::string_view>(
      {"a",   "ab",  "abu", "af",  "al",  "an",  "and",  "at",  "auf", "av",  "bei",  "ben", "bin", "bint", "by",
       "da",  "das", "de",  "del", "den", "der", "des",  "di",  "do",  "dos", "du",   "e",   "el",  "en",   "et",
       "for", "für", "i",   "ibn", "im",  "in",  "la",   "las", "le",  "les", "lo",   "los", "of",  "on",   "or",
       "the", "s",   "ten", "ter", "to",  "und", "upon", "van", "von", "vom", "with", "y",   "zu",  "zum",  "zur"});
  return small(word[0]) && (word.size() == 1 || std::ranges::find(kStay, word) != kStay.end());
}

std::string known_as(std::string_view words) {
  std::string plain = text::lower(words);
  if (auto bare = text::without_accents(plain)) return std::move(*bare);
  return plain;
}

}  // namespace residue::ingest
