// Surrogates: like words in the place of what identifies, so that a text still reads as one of its kind.
//
//   draws, type, original ──> names by names, dates by shifted dates, digits by digits with valid checks
//
// The same original gets the same surrogate throughout the record and none gets itself. A surrogate may be somebody
// else's name or number, of nobody in the record: they are drawn, not looked up.
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

#include "ingest/method/draws.h"
#include "ingest/surrogates/like_names.h"
#include "ingest/surrogates/shifted_ages.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

class Surrogates {
 public:
  // Of one record. Within a record two originals get two surrogates, no name is one of `text`, which must outlive this,
  // and no tag is one that it has already: so they depend on what came before them. Across records (`consistency` of a
  // person or dataset) each depends on draws, type and original alone, and two originals may get one surrogate.
  Surrogates(Draws draws, Consistency consistency, std::string_view text = {});

  // Says that `original` is going to be replaced too: then a city goes with its country, and it is nobody's surrogate.
  void expect(text::EntityType type, std::string_view original);

  // What stands for `original`, a text that was recognized as `type`. Where nothing like it can be found in a bounded
  // number of draws, the tag of the type with a number. Cost: some draws; of types with check digits a thousand.
  std::string of(text::EntityType type, std::string_view original);

 private:
  std::string other_than(text::EntityType type, std::string_view original);
  std::string organisation(std::string_view original);
  std::string made(text::EntityType type, std::string_view original, std::uint64_t attempt);
  std::string place(std::string_view original, std::uint64_t attempt);
  // Whether the surrogate stands for another original of the record already.
  bool taken(const std::string& surrogate, const std::string& original);
  [[nodiscard]] std::string tag_of(text::EntityType type, std::string_view original);

  const Draws draws_;
  const bool alone_;             // no other record has to agree
  const std::string_view text_;  // of the record
  LikeNames names_;
  ShiftedAges ages_;
  std::map<std::pair<text::EntityType, std::string>, std::string> made_;  // by original
  std::map<std::string, std::string> given_;                              // originals by surrogates, in lower case
  std::map<std::string, std::string> firms_;                              // of organisations, without legal forms
  std::set<std::string> places_;                                          // expected, in lower case
};

}  // namespace residue::ingest
