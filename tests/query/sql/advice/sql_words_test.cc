#include "query/sql/advice/sql_words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "text/characters/unicode.h"

namespace residue::query {
namespace {

std::string names_of(std::string_view sql) {
  std::string all;
  for (const SqlWord& word : sql_words(sql)) all += (all.empty() ? "" : " ") + word.name + (word.compared ? "!" : "");
  return all;
}

TEST(SqlWords, AreNamesOutsideTextsAndComments) {
  EXPECT_EQ(names_of("SELECT Record FROM leaks -- run\n/* n */ WHERE x = 'run''s' AND \"Judge\" LIKE [a b]"),
            "select record from leaks where x! and judge like a b");
  EXPECT_EQ(names_of("SELECT 'open"), "select");
  EXPECT_EQ(names_of("SELECT \"open"), "select ope");
  EXPECT_EQ(names_of(""), "");
  EXPECT_EQ(names_of("/* open"), "");
}

TEST(SqlWords, SayWhatIsCompared) {
  EXPECT_EQ(names_of("a = 1 AND b IN (2) AND c IS NULL AND d > 3 AND 4 = e"),
            "a! and b! in and c! is null and d and e!");
  EXPECT_EQ(names_of("v JOIN w USING (record, run) ON x.y = v.z"), "v join w using record! run! on x y! v! z!");
}

TEST(SqlWords, ShowThePlaceOfAnError) {
  EXPECT_EQ(shown_place("SELECT recrd FROM leaks", 7, 80), "SELECT recrd FROM leaks\n       ^\n");
  EXPECT_EQ(shown_place("SELECT 1,\n\trecrd\nFROM leaks", 11, 80), " recrd\n ^\n");
  EXPECT_EQ(shown_place("SELECT 'ä', recrd", 13, 80), "SELECT 'ä', recrd\n            ^\n");
  EXPECT_EQ(shown_place("SELECT", 99, 80), "SELECT\n      ^\n");
  EXPECT_EQ(shown_place("", 0, 80), "\n^\n");
  EXPECT_EQ(shown_place("\x1b[2J x", 5, 80), "\\x1b[2J x\n        ^\n") << "it drives no terminal";
  const std::string longest = "SELECT " + std::string(200, 'a') + ", recrd, " + std::string(200, 'b');
  const std::string shown = shown_place(longest, 209, 40);
  const std::string line = shown.substr(0, shown.find('\n'));
  EXPECT_LE(text::display_width(line), 40U) << line;
  EXPECT_EQ(line.find("recrd") - 2, shown.substr(line.size() + 1).find('^'))
      << "an ellipsis has three bytes: " << shown;
}

TEST(SqlWords, KnowWhetherATextIsOpen) {
  EXPECT_EQ(open_text("SELECT 'ab"), std::optional<std::size_t>(8));
  EXPECT_EQ(open_text("SELECT 'a''b"), std::optional<std::size_t>(8));
  EXPECT_EQ(open_text("SELECT 'ab'"), std::nullopt);
  EXPECT_EQ(open_text("SELECT -- 'ab"), std::nullopt);
  EXPECT_EQ(open_text("'"), std::optional<std::size_t>(1));
  EXPECT_EQ(open_text(""), std::nullopt);
}

}  // namespace
}  // namespace residue::query
