#include "text/replacing/substitution.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace residue::text {
namespace {

std::string restored(std::string_view text, const Substitutions& table) {
  std::string words;
  for (const std::string& word : restored_words(text, table)) words += (words.empty() ? "" : " ") + word;
  return words;
}

TEST(Substitution, IsTakenBackWordByWord) {
  const struct {
    const char* text;
    Substitutions table;
    const char* restored;
  } cases[] = {
      {"Yes, David Williams.", {{"John", "David"}, {"Smith", "Williams"}}, "yes john smith"},
      {"DAVID'S dog", {{"John", "David"}}, "john dog"},
      // Only whole words.
      {"Davidson and David", {{"John", "David"}}, "davidson and john"},
      // The longest one that begins there.
      {"New York, York", {{"Leeds", "York"}, {"Oslo", "New York"}}, "oslo leeds"},
      // Two originals under one replacement: the first row of the table.
      {"Ann", {{"Ruth", "Ann"}, {"Eve", "Ann"}}, "ruth"},
      // What was put in stays: names may have been exchanged.
      {"Ann met Ruth", {{"Ruth", "Ann"}, {"Ann", "Ruth"}}, "ruth met ann"},
      {"Köln", {{"日本", "KÖLN"}}, "日本"},
      {"nothing", {{"John", "..."}}, "nothing"},
      {"", {{"John", "David"}}, ""},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(restored(one.text, one.table), one.restored);
  }
}

}  // namespace
}  // namespace residue::text
