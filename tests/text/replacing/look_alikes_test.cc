#include "text/replacing/look_alikes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/replacing/whole_words.h"

namespace residue::text {
namespace {

using Words = std::vector<std::string_view>;

TEST(LookAlikes, AreReplacementsInAnotherForm) {
  const struct {
    const char* text;
    Words replacements;
    const char* original;
    std::uint64_t places;
    std::vector<bool> rows;
  } cases[] = {
      {"Dear Ruth", {"Ruth"}, "", 0, {false}},
      // Other letters, also where something else stands between the words.
      {"RUTH and ruth and R\u00FBth", {"Ruth"}, "", 3, {true}},
      {"INGE  ADLER, inge-adler", {"Inge Adler"}, "", 2, {true}},
      {"PERSON_1, [person_1], [PERSON 1], [PERSON_10], a person", {"[PERSON_1]"}, "", 3, {true}},
      // In part.
      {"Adler came; inge did not", {"Inge Adler"}, "", 1, {true}},
      {"Adler", {"Inge Adler", "Otto Adler"}, "", 1, {true, true}},
      {"in 2014, in 12 days", {"12 May 2014"}, "", 1, {true}},
      {"the Health of Al", {"Ministry of Health", "Al Bo"}, "", 1, {true, false}},
      // Other endings.
      {"Bergens Bergener Bergenerin", {"Bergen"}, "", 2, {true}},
      {"Anittys Anitas Anitxyzw bergens", {"Anitta", "Bergen"}, "", 2, {true, false}},
      {"Christ, Chr, Christmas", {"Christopher"}, "", 1, {true}},
      {"Rutger Ruthie Rubi", {"Ruth"}, "", 1, {true}},
      // Cut at the end.
      {"Dear Be", {"Bergen"}, "", 1, {true}},
      {"Dear Be.", {"Bergen"}, "", 0, {false}},
      {"Dear B", {"Bergen"}, "", 0, {false}},
      // What the original has itself.
      {"ruth, RUTH", {"Ruth"}, "the ruth of it", 0, {false}},
      {"Health and Ministry and MINISTRY OF HEALTH", {"Ministry of Health"}, "their Health of late", 2, {true}},
      {"Bergens Bergene", {"Bergen"}, "Bergens", 1, {true}},
      // Within what is no whole word.
      {"Ruth2020, ruth_x, 12Ruthie", {"Ruth"}, "", 3, {true}},
      {"", {"Ruth"}, "", 0, {false}},
      {"x", {}, "", 0, {}},
      {"- _", {"-", "_"}, "", 0, {false, false}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    const std::vector<Occurrence> known = WholeWords(one.replacements).occurrences(one.text);
    const LookAlikes::Found found = LookAlikes(one.replacements, one.original).in(one.text, known);
    EXPECT_EQ(found.places, one.places);
    EXPECT_EQ(found.rows, one.rows);
  }
}

}  // namespace
}  // namespace residue::text
