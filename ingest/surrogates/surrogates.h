// Surrogates: like words in the place of what identifies, so that a text still reads as one of its kind.
//
//   draws, type, original ──> names by names, dates by shifted dates, digits by digits with valid checks
//
// The same original gets the same surrogate throughout the record and none gets itself. A surrogate may be somebody
// else's name or number: they are drawn, not looked up.
//
// A first name of women gets one of women, one of men one of men, by the lists; where those do not know, the title
// before the name says it (within a record only), else it gets any. A city or region gets one of its country; where the
// country is replaced too, or draws are the same in several records, one of what stands for the country.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/method/draws.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

class Surrogates {
 public:
  // Of one record. Within a record two originals get two surrogates, and no tag is one that `text`, which must outlive
  // this, has already: so they depend on what came before them. Across records (`consistency` of a person or dataset)
  // each depends on draws, type and original alone, and two originals may get one surrogate.
  Surrogates(Draws draws, Consistency consistency, std::string_view text = {});

  // Says that `original` is going to be replaced too: then a city goes with its country.
  void expect(text::EntityType type, std::string_view original);

  // What stands for `original`, a text that was recognized as `type`. Where nothing like it can be found in a bounded
  // number of draws, the tag of the type with a number. Cost: some draws; of types with check digits a thousand.
  std::string of(text::EntityType type, std::string_view original);

 private:
  std::string other_than(text::EntityType type, std::string_view original);
  std::string organisation(std::string_view original);
  std::string made(text::EntityType type, std::string_view original, std::uint64_t attempt);
  [[nodiscard]] std::uint64_t draw(std::string_view words, std::uint64_t number) const { return draws_(words, number); }
  // Whether the surrogate stands for another original of the record already.
  bool taken(const std::string& surrogate, const std::string& original);
  [[nodiscard]] std::string tag_of(text::EntityType type, std::string_view original);
  // Which characters are others: kDigits, digits alone; kDates, those that are no year; kCapitals, and capitals.
  enum class Shape : std::uint8_t { kLetters, kDigits, kDates, kHex, kCapitals };
  std::string shaped(std::string_view original, std::uint64_t attempt, std::size_t keep,
                     Shape shape = Shape::kLetters) const;
  std::string email(std::string_view original, std::uint64_t attempt) const;
  std::string url(std::string_view original, std::uint64_t attempt) const;
  std::string ip(std::string_view original, std::uint64_t attempt) const;
  std::string person(std::string_view original, std::uint64_t attempt);
  std::string like_name(text::EntityType type, std::string_view original, std::uint64_t attempt);
  std::string street(std::string_view original, std::uint64_t attempt);
  std::string age(std::string_view original, std::uint64_t attempt) const;
  std::string in_country(std::string_view original, std::uint64_t attempt);
  std::string name_for(std::string_view word, std::uint8_t kind, text::Gender gender = text::Gender::kUnknown);

  const Draws draws_;
  const bool alone_;                                                      // no other record has to agree
  const std::string_view text_;                                           // of the record
  std::map<std::pair<text::EntityType, std::string>, std::string> made_;  // by original
  std::map<std::string, std::string> given_;                              // originals by surrogates, in lower case
  std::map<std::string, std::string> words_;                              // of names, by the original's in lower case
  std::map<std::string, std::string> firms_;                              // of organisations, without legal forms
  std::set<std::string> places_;                                          // expected, in lower case
  std::vector<std::string> fresh_;                                        // of words_, of the last candidate
  std::set<std::string> used_;                                            // those, in lower case
};

// A date in any of the forms of text/recognizers.h moved by `days` in the same form. A day or month that there is not
// ("30 February") counts as the last one that there is. Empty where it is no date.
std::string shifted_date(std::string_view date, int days);

// All numbers of four digits moved by the whole years of `days`, of what is no date that can be moved.
std::string with_other_years(std::string_view words, int days);

// "1990-1995", "1990-95" and "2006/07" moved by whole years, "1990s" by decades; empty where that is nothing such.
std::string shifted_years(std::string_view years, int days);

// The same for a time of day, by minutes, within the day.
std::string shifted_time(std::string_view time, int minutes);

}  // namespace residue::ingest
