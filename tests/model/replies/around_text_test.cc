// What models put around a text, and what they write instead of one.
#include "model/replies/around_text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/replies/rewritten.h"
#include "tests/model/tasks/answer_cases.h"

namespace residue::model::testing {
namespace {

constexpr const char* kNurse = "Ann is 45, a nurse in Graz, and works nights at the old hospital near the river.";
constexpr const char* kTold = "Somebody is a nurse abroad and works nights at a hospital near the river.";
constexpr const char* kMarker = "5948aa0c5948aa0c5948aa0c5948aa0c";

struct Around {
  std::string before, behind;
};

TEST(TextAlone, IsWhatStandsBetweenTheWordsOfTheModel) {
  const Around cases[] = {
      {"Sure! Here is the anonymized text: ", ""},
      {"Here is the anonymized text:\n\n", ""},
      {"Certainly, this is the rewritten version:\n", ""},
      {"**Anonymized:**\n\n", ""},
      {"**Paraphrased text:** ", ""},
      {"# Anonymized text\n", ""},
      {"**Rewritten version**\n\n", ""},
      {"Rewritten: \n", ""},
      {"", "\n\nI replaced the age 45 of Ann with \"some\"."},
      {"", "\nI have removed the name and the age."},
      {"", "\n\nI\u2019ve generalized \u201cGraz\u201d."},
      {"", " (Note: original age 45 removed)"},
      {"", " (Note: original age 45 removed)."},
      {"", "\n\nNote: the age was 45."},
      {"", "\n\nI hope this helps!"},
      {"", "\n\nI removed the age.\n\nLet me know if you need more."},
      {"```\n", "\n```"},
      {"Here is the text:\n```text\n", "\n```\nNote: I removed the age."},
      {"```text\n", "\n```\n\nI removed the age of Ann."},
      {"\"", "\""},
      {"5948aa0c5948aa0c5948aa0c5948aa0c\n", "\n5948aa0c5948aa0c5948aa0c5948aa0c"},
      {"Text, between the marker lines 5948aa0c5948aa0c5948aa0c5948aa0c:\n5948aa0c5948aa0c5948aa0c5948aa0c\n",
       "\n5948aa0c5948aa0c5948aa0c5948aa0c"},
      {"Sure, here is the new text:\n5948aa0c5948aa0c5948aa0c5948aa0c\n", "\n5948aa0c5948aa0c5948aa0c5948aa0c"},
  };
  for (const Around& one : cases) {
    const std::string answer = one.before + kTold + one.behind;
    SCOPED_TRACE(answer);
    const Rewritten result = rewritten(answer, kNurse);
    EXPECT_EQ(result.text, kTold);
    EXPECT_EQ(result.problem, nullptr) << result.problem;
  }
}

TEST(TextAlone, IsNotGuessed) {
  const std::string text = kTold;
  const std::pair<std::string, const char*> cases[] = {
      {"Version 1: " + text + "\n\nVersion 2: " + text, "several versions"},
      {"**Option 1**\n" + text + "\n**Option 2**\n" + text, "several versions"},
      {text + "\n" + kMarker, "marker lines among the text"},
      {"Text, between the marker lines 5948...:\n" + text, nullptr},  // taken off, it encloses nothing
      {std::string(kMarker) + "\n" + text + "\n" + kMarker + "\nInferences, between the marker lines x:\nage: 45",
       "marker lines among the text"},
      {"I took out the age 45.\n```\n" + text + "\n```", "words around a fenced text"},
      {"```\n" + text + "\n```\nAnn sleeps by day.", "words around a fenced text"},
      {text + "\n```", "a code fence among the text"},
  };
  for (const auto& [answer, problem] : cases) {
    SCOPED_TRACE(answer);
    const Rewritten result = rewritten(answer, kNurse);
    if (problem == nullptr) {
      EXPECT_EQ(result.text, kTold);
    } else {
      EXPECT_STREQ(result.problem, problem);
    }
  }
}

// In the place where the original has the like, it is the text's.
TEST(TextAlone, KeepsWhatTheTextHasItself) {
  struct Case {
    const char *original, *answer;
  };
  const Case cases[] = {
      {"Here is the text: Ann bakes.", "Here is the text: somebody bakes."},
      {"Ann bakes.\n\nI replaced the text of the recipe.", "Somebody bakes.\n\nI changed the text of the recipe."},
      {"The phone of Ann died.\n\nIts battery was exchanged.", "A phone died.\n\nI replaced the \"battery\"."},
      {"Ann bakes (note: at home)", "Somebody bakes (note: at home)"},
      {"Ann bakes\n```\nflour\n```", "Somebody bakes\n```\nflour\n```"},
      {"Version 1: Ann\nVersion 2: Bob", "Version 1: somebody, Ann\nVersion 2: somebody"},
      {"Ann: 5948aa0c5948aa0c5948aa0c5948aa0c", "someone: 5948aa0c5948aa0c5948aa0c5948aa0c"},
      {"I hope this helps you, Ann.\nBye", "I hope this helps somebody.\nBye\nI hope this helps you."},
      {"\"Ann bakes\"", "\"Somebody bakes\""},
      {"# Modified text\nAnn bakes", "# Modified text\nsomebody bakes"},
      {"Ann removed it", "I removed the battery."},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.answer);
    const TextAlone result = text_alone(one.answer, one.original);
    EXPECT_EQ(result.text, one.answer);
    EXPECT_EQ(result.problem, nullptr);
  }
}

TEST(ParseAnonymize, LeavesOutWhatFollowsTheText) {
  const std::string text = kTold;
  const std::string done = R"({"changes":"I removed the age.","text":")" + text + R"("})";
  const std::string bare = R"({"changes":"","text":")" + text + R"("})";
  const std::string tail = "I removed the age.\n#\n" + text + "\n#\nI hope that helps.";
  const std::string more = "I removed the age.\n#\n" + text + "\n#\nAnn is 45.";
  const std::string versions = "Version 1: " + text + "\n\nVersion 2: " + text;
  const std::string heading = "# Anonymized text\n" + text;
  check(setting(TaskKind::kAnonymizeAlone), {kNurse},
        {{kText, tail.c_str(), done.c_str()},
         {kText, more.c_str(), "", "no line with a single #"},
         {kText, heading.c_str(), bare.c_str()},
         {kText, versions.c_str(), "", "several versions"}});
}

TEST(ParseRewrite, TakesTheTextBehindAnExplanation) {
  const std::string answer = std::string("I put it otherwise.\n#\n") + kTold;
  check(setting(TaskKind::kRewrite), {kNurse}, {{kText, answer.c_str(), kTold}});
  const std::string swapped = std::string(kNurse) + "\n#\nI left it as it was.";
  check(setting(TaskKind::kRewrite), {kNurse},
        {{kText, swapped.c_str(), "", "the explanation in the place of the text"}});
}

TEST(ParseTask, TakesTheOneObjectAmongWords) {
  check(setting(TaskKind::kRewrite), {"Ann bakes."},
        {{kJson, "Sure! Here you go:\n```json\n{\"text\":\"Baking {it} is.\"}\n```\nLet me know.", "Baking {it} is."},
         {kJson, "Here it is: {\"text\":\"Baking.\"} I hope {this} helps.", "Baking."},
         {kJson, "{\"text\":\"Baking \\\"}\\\" it.\"} Bye.", "Baking \"}\" it."},
         {kJson, "{\"text\":\"Baking.\"}\n{\"text\":\"Cooking.\"}", "", "not JSON"},
         {kJson, "{\"text\":\"Baking.\"}\n{\"text\":\"Baking.\"}", "", "not JSON"},
         {kJson, "Here: {\"text\":\"Baking.\",\"text\":\"Cooking.\"}", "", "a key is given twice"},
         {kJson, "Here: {\"text\":\"Baking", "", "not JSON"},
         {kJson, "{{{{{", "", "not JSON"}});
}

TEST(ParseTask, TakesNoNul) {
  constexpr const char* kNul = "a NUL character";
  check(setting(TaskKind::kRewrite), {"Ann bakes."}, {{kJson, R"({"text":"Baking\u0000 it"})", "", kNul}});
  check(setting(TaskKind::kAnonymizeAlone), {"Ann bakes."},
        {{kJson, R"({"changes":"\u0000","text":"Baking"})", "", kNul}});
  check(setting(TaskKind::kAbstract), {"Ann bakes.", "Ann"}, {{kJson, R"({"phrases":["some\u0000body"]})", "", kNul}});
  check(setting(TaskKind::kRestore), {"Dear Ruth", "Ruth -> Ann"}, {{kJson, R"({"text":"Dear\u0000"})", "", kNul}});
  const std::string raw("Dear\0Ann", 8);
  EXPECT_EQ(parse_task(setting(TaskKind::kRespond), kText, std::vector<std::string_view>{"x"}, raw).problem, kNul);
  // A backslash and a u are no NUL.
  check(setting(TaskKind::kRewrite), {"Ann bakes."}, {{kJson, R"({"text":"Baking \\u0000 it"})", "Baking \\u0000 it"}});
}

TEST(ParseRestore, TakesNoMarkerLines) {
  const std::string enclosed = std::string(kMarker) + "\nDear Ann\n" + kMarker;
  const std::string open = std::string("Dear Ann\n") + kMarker;
  check(setting(TaskKind::kRestore), {"Dear Ruth", "Ruth -> Ann"},
        {{kText, enclosed.c_str(), "Dear Ann"}, {kText, open.c_str(), "", "marker lines among the text"}});
}

TEST(TextAlone, KeepsWhatTheAuthorSays) {
  const std::string original =
      "My recipe:\nSift the flour.\n\nMind that the dog is blind. Tell me if you want to join us.";
  for (const char* text :
       {"Sift flour.\n\nNote: the dog is blind.", "Sift flour.\n\nPlease note that the dog is blind.",
        "Sift flour.\n\nLet me know if you want to join us.", "Here is my recipe:\nSift flour."}) {
    EXPECT_EQ(text_alone(text, original).text, text);
  }
  EXPECT_EQ(text_alone("Sift flour.\n\nLet me know if you need anything else!", original).text, "Sift flour.");
}

TEST(TextAlone, IsNoneThatNamesBehindItWhatItHides) {
  const std::string text = "Somebody is a nurse abroad and works nights at a hospital near the river.";
  for (const char* behind : {"I replaced Ann, 45, with somebody.", "---\nThe name Ann and the age 45 were removed.",
                             "Removed: Ann, 45, Graz", "Personal details such as Ann and 45 have been generalized."}) {
    SCOPED_TRACE(behind);
    EXPECT_NE(rewritten(text + "\n\n" + behind, kNurse).text, text + "\n\n" + behind);
  }
  EXPECT_EQ(rewritten(text + "\n\nShe changed her job.", kNurse).text, text + "\n\nShe changed her job.");
}

}  // namespace
}  // namespace residue::model::testing
