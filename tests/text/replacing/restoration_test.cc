#include "text/replacing/restoration.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/text/nasty_text.h"

namespace residue::text {
namespace {

TEST(Restoration, PutsOriginalsBack) {
  const struct {
    const char* text;
    Substitutions table;
    const char* restored;
    std::uint64_t put_back;
  } cases[] = {
      {"Dear Inge, Inge's rent is due.", {{"Ruth", "Inge"}}, "Dear Ruth, Ruth's rent is due.", 2},
      // Tags with numbers: 1 is not 10.
      {"[PERSON_1] met [PERSON_10].", {{"Ann", "[PERSON_1]"}, {"Bob", "[PERSON_10]"}}, "Ann met Bob.", 2},
      // The longest first, wherever it stands; the rest of what overlaps it is left.
      {"Anna Lee Marsh Hall", {{"Eve", "Anna Lee"}, {"Kew", "Lee Marsh Hall"}}, "Anna Kew", 1},
      {"New York, York", {{"Leeds", "York"}, {"Oslo", "New York"}}, "Oslo, Leeds", 2},
      // Equally long: the first in the text.
      {"ab ab ab", {{"x", "ab ab"}}, "x ab", 1},
      // Letters as they are, whole words.
      {"Rose likes a rose, ROSE.", {{"Ann", "Rose"}}, "Ann likes a rose, ROSE.", 1},
      {"Davidson, David-John", {{"Jo", "David"}}, "Davidson, Jo-John", 1},
      // Low lines are emphasis, or join words: either way what stands beside them is a word.
      {"_Ruth_, __Ruth__, Ruth_2, _Ruthie_", {{"Ann", "Ruth"}}, "_Ann_, __Ann__, Ann_2, _Ruthie_", 3},
      {"Zo\xC3\xAB, Zo, Zo\xCC\x88", {{"Al", "Zo"}}, "Zo\xC3\xAB, Al, Zo\xCC\x88", 1},
      // Numbers.
      {"12 and 312, 12.5 and 1,12; 12.", {{"7", "12"}}, "7 and 312, 12.5 and 1,12; 7.", 2},
      {"12.5 kg, 112.5", {{"9.1", "12.5"}}, "9.1 kg, 112.5", 1},
      // Scripts without spaces.
      {"\xE6\x9D\x8E\xE6\x98\x8E\xE3\x81\xAF",
       {{"\xE7\x8E\x8B", "\xE6\x9D\x8E\xE6\x98\x8E"}},
       "\xE7\x8E\x8B\xE3\x81\xAF",
       1},
      // What was put in is not looked at again: names may have been exchanged.
      {"Ann met Ruth", {{"Ruth", "Ann"}, {"Ann", "Ruth"}}, "Ruth met Ann", 2},
      {"Ruth", {{"Ann", "Ruth"}, {"Eve", "Ann"}}, "Ann", 1},
      {"Ann met Ann", {{"Ann", "Ann"}}, "Ann met Ann", 0},
      {"nothing of it", {{"Ann", "Ruth"}}, "nothing of it", 0},
      {"", {{"Ann", "Ruth"}}, "", 0},
      {"Ruth", {}, "Ruth", 0},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    const Restored restored = Restorer(one.table).restore(one.text);
    EXPECT_EQ(restored.text, one.restored);
    EXPECT_EQ(restored.put_back, one.put_back);
    EXPECT_EQ(restored.ambiguous, 0U);
  }
}

TEST(Restoration, LeavesWhatMayMeanSomethingElse) {
  // Two originals under one replacement.
  Restorer two(Substitutions{{"Ann", "Ruth"}, {"Eve", "Ruth"}, {"Oslo", "Bergen"}});
  Restored restored = two.restore("Ruth and Ruth in Bergen");
  EXPECT_EQ(restored.text, "Ruth and Ruth in Oslo");
  EXPECT_EQ(std::tuple(restored.put_back, restored.ambiguous, two.ambiguous()), std::tuple(1U, 2U, 1U));
  EXPECT_EQ(two.table(), (Substitutions{{"Oslo", "Bergen"}}));
  // The same row twice is one.
  EXPECT_EQ(Restorer(Substitutions{{"Ann", "Ruth"}, {"Ann", "Ruth"}}).restore("Ruth").text, "Ann");
  // The original has the word itself.
  EXPECT_EQ(Restorer(Substitutions{{"Ann", "Ruth"}}, "Ann met Ruth").restore("Ruth").ambiguous, 1U);
  EXPECT_EQ(Restorer(Substitutions{{"Ann", "Ruth"}}, "Ann met Ruthie").restore("Ruth").text, "Ann");
  // Not where that was replaced, too.
  EXPECT_EQ(Restorer(Substitutions{{"Ann", "Ruth"}, {"Ruth", "Ann"}}, "Ann met Ruth").restore("Ruth").text, "Ann");
  EXPECT_EQ(Restorer(Substitutions{{"Ann", "Lee"}, {"Lee Marsh", "Kew"}}, "Ann of Lee Marsh").restore("Lee").text,
            "Ann");
  // A gap joins no words.
  EXPECT_EQ(Restorer(Substitutions{{"-", "x"}, {"Ann", "a b"}}, "a-b Ann").restore("a b").text, "Ann");
}

// What is replaced wherever it stands comes back letter by letter, unless the text has the replacements itself.
RC_GTEST_PROP(Restoration, UndoesWhatItDid, ()) {
  const std::string text = *nasty_text();
  Substitutions forth, back;
  const std::pair<const char*, const char*> names[] = {{"Ana", "Ruth"}, {"Smith", "Lee"}, {"Oslo", "Bergen"},
                                                       {"12", "[N_1]"}, {"x", "[N_10]"},  {"Will", "Smith"}};
  for (const auto& [from, to] : names) {
    forth.emplace_back(to, from);
    back.emplace_back(from, to);
  }
  const std::string made = Restorer(forth).restore(text).text;
  const Restorer restorer(back, text);
  if (restorer.ambiguous() == 0) RC_ASSERT(restorer.restore(made).text == text);
}

using By = Restorer::By;

TEST(Restoration, LeavesWordsOfTheOriginalInTextsOfAnyone) {
  const Substitutions exchanged = {{"Ann", "Ruth"}, {"Ruth", "Eve"}};
  const Restored restored = Restorer(exchanged, "Ann met Ruth.", By::kAnyone).restore("Dear Ruth, Eve is here.");
  EXPECT_EQ(restored.text, "Dear Ruth, Ruth is here.");
  EXPECT_EQ(std::tuple(restored.put_back, restored.ambiguous), std::tuple(1U, 1U));
  const struct {
    Substitutions table;
    const char* original;
  } own[] = {{{{"Ann", "Lee"}, {"Lee Marsh", "Kew"}}, "Ann of Lee Marsh"},
             {{{"Ann", "Lee"}}, "Ann met Lee"},
             {{{"Ann", "Lee"}, {"Lee", "Kew"}}, "a table of another text"},
             {{{"Ann", "Lee"}, {"Lee", "Lee"}}, ""},
             {{{"Ann", "Lee"}, {"Bob", "Lee"}}, "Ann, Bob"}};
  for (const auto& [table, original] : own) {
    const Restorer restorer(table, original, By::kAnyone);
    EXPECT_EQ(restorer.restore("Lee").text, "Lee") << original;
    EXPECT_EQ(restorer.restore("Lee").ambiguous, 1U) << original;
  }
  EXPECT_EQ(Restorer({{"Ann", "Lee"}}, "Ann saw leeway, LEE", By::kAnyone).restore("Lee").text, "Ann");
}

TEST(Restoration, CountsWhatIsLeftInTextsOfAnyone) {
  const Restorer restorer({{"Ann", "Ruth"}, {"Bo Lind", "Inge Adler"}, {"Oslo", "Bergen"}}, "Ann, Bo Lind, Oslo",
                          By::kAnyone);
  Restored restored = restorer.restore("RUTH met Ruth and Adler");
  EXPECT_EQ(restored.text, "RUTH met Ann and Adler");
  EXPECT_EQ(std::tuple(restored.put_back, restored.ambiguous, restored.left, restored.absent),
            std::tuple(1U, 0U, 2U, 1U));
  EXPECT_EQ(restorer.restore("nothing").absent, 3U);
  // A replacement inside a longer one is there.
  EXPECT_EQ(Restorer({{"Ann Lee", "Inge Adler"}, {"Ann", "Inge"}}, "", By::kAnyone).restore("Inge Adler").absent, 0U);
}

// Words of one letter and one digit, so that no two look alike: every word decided by itself.
RC_GTEST_PROP(Restoration, IsThatOfEveryWordByItself, ()) {
  const auto word = rc::gen::map(rc::gen::inRange(0, 12), [](int i) { return fmt::format("w{}", i); });
  const auto table = *rc::gen::container<Substitutions>(rc::gen::pair(word, word));
  const auto original = *rc::gen::container<std::vector<std::string>>(word);
  const auto response = *rc::gen::container<std::vector<std::string>>(word);
  std::set<std::string> own(original.begin(), original.end());
  for (const auto& [from, to] : table) own.insert(from);
  std::string expected;
  std::uint64_t put_back = 0, ambiguous = 0;
  for (const std::string& one : response) {
    std::set<std::string> meanings;
    for (const auto& [from, to] : table) {
      if (to == one && from != one) meanings.insert(from);
    }
    const bool left = meanings.size() > 1 || own.contains(one);
    put_back += !meanings.empty() && !left ? 1 : 0;
    ambiguous += !meanings.empty() && left ? 1 : 0;
    expected += (meanings.empty() || left ? one : *meanings.begin()) + ", ";
  }
  const auto listed = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& one : words) text += one + ", ";
    return text;
  };
  const Restored restored = Restorer(table, listed(original), By::kAnyone).restore(listed(response));
  RC_ASSERT(restored.text == expected);
  RC_ASSERT(restored.put_back == put_back);
  RC_ASSERT(restored.ambiguous == ambiguous);
  RC_ASSERT(restored.left == 0U);
  std::set<std::string> absent;
  for (const auto& [from, to] : table) {
    if (from != to && std::ranges::find(response, to) == response.end()) absent.insert(to);
  }
  RC_ASSERT(restored.absent == absent.size());
}

}  // namespace
}  // namespace residue::text
