#include "model/tasks/text_task.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/asking/vote_key.h"

namespace residue::model {
namespace {

using Texts = std::vector<std::string>;

TEST(ParseClaims, TakesWholeAnswersOnly) {
  struct Case {
    AnswerForm form;
    const char* content;
    Texts claims;
    const char* problem = "";
  };
  constexpr AnswerForm kJson = AnswerForm::kSchema, kText = AnswerForm::kText;
  const Case cases[] = {
      {kJson, R"({"claims":["a b.","c."]})", {"a b.", "c."}},
      {kJson, R"(["a","b"])", {"a", "b"}},
      {kJson, "<think>[1]</think>```json\n{\"claims\":[\" a \\n b\"]}\n```", {"a b"}},
      {kJson, R"({"claims":["2.5 mg daily","- a"]})", {"2.5 mg daily", "- a"}},
      {kJson, R"({"claims":["a","b","a"]})", {"a", "b"}},
      {kJson, R"({"claims":[]})", {}, "no claim"},
      {kJson, R"([])", {}, "no claim"},
      {kJson, R"({"claims":["a"," "]})", {}, "an empty claim"},
      {kJson, R"({"claims":["a",1]})", {}, "a claim that is no text"},
      {kJson, R"({"claims":"a"})", {}, "no list of claims"},
      {kJson, R"({"facts":["a"]})", {}, "no list of claims"},
      {kJson, R"("a")", {}, "no list of claims"},
      {kJson, R"({"claims":["a"],"claims":["b"]})", {}, "a key is given twice"},
      {kJson, R"({"claims":["a")", {}, "not JSON"},
      {kJson, "- a\n- b", {}, "not JSON"},
      {kJson, "", {}, "not JSON"},
      {AnswerForm::kObject, "- a\n- b", {}, "not JSON"},
      {kText, "- a\n* b\n3. c\n4) d\n-e", {"a", "b", "c", "d", "e"}},
      {kText, "Here are the claims:\n\n1. a\n2. b\n", {"a", "b"}},
      {kText, "a\r\n  b \n", {"a", "b"}},
      {kText, "Claims:\na\nb", {"a", "b"}},
      {kText, "b:", {"b:"}},
      {kText, "2.5 mg daily\n10 drops", {"2.5 mg daily", "10 drops"}},
      {kText, "-5 degrees outside\n**Age** 45", {"-5 degrees outside", "**Age** 45"}},
      {kText, "- -5 degrees\n- 2.5 mg", {"-5 degrees", "2.5 mg"}},
      {kText, "[NAME] keeps bees.", {"[NAME] keeps bees."}},
      {kText, R"({"claims":["a"]})", {"a"}},
      {kText, "- a\nand more of a\n- b", {}, "a line without a mark among lines with marks"},
      {kText, "- a\n-\n- b", {}, "an empty claim"},
      {kText, "", {}, "no claim"},
      {kText, "{\"claims\":[", {}, "not JSON"},
      {kText, "Sorry, I cannot do this.\nThe text has private data.\nAsk somebody else.", {}, "a refusal"},
      {kText, "I'm sorry, but I can't help with that.", {}, "a refusal"},
      {kText, "- I cannot assist with this request.", {}, "a refusal"},
      {kText, "Here it is:\n- Ann keeps bees.\n- I'm unable to continue.", {}, "a refusal"},
      {kJson, R"({"claims":["I'm sorry, but I can't help with that."]})", {}, "a refusal"},
      {kText, "There are private details.\nAsk somebody else.", {}, "lines that have nothing to do with the text"},
      {kText,
       "Bees are kept.\nSomebody is outside.\nMany people agree.",
       {"Bees are kept.", "Somebody is outside.", "Many people agree."}},
      {kText, "Somebody does.\nMany people agree.\nBees are kept.", {}, "lines that have nothing to do with the text"},
      {kText, "- Somebody does.\n- Many people agree.", {"Somebody does.", "Many people agree."}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.content);
    const TextAnswer answer = parse_texts(
        TextTask::kAtomize, one.form,
        "a b c d e. It is -5 degrees outside. 2.5 mg daily, 10 drops, age 45. [NAME] keeps bees.", one.content);
    EXPECT_EQ(answer.texts, one.claims);
    EXPECT_EQ(answer.problem, one.problem);
  }
}

TEST(ParseParaphrase, TakesOtherWordsOnly) {
  struct Case {
    AnswerForm form;
    const char* content;
    const char* words;  // empty: unusable
    const char* problem = "";
  };
  constexpr AnswerForm kJson = AnswerForm::kSchema, kText = AnswerForm::kText;
  const Case cases[] = {
      {kJson, R"({"paraphrase":" bees are kept\nby Ann "})", "bees are kept by Ann"},
      {kText, "Bees are kept by Ann.\n", "Bees are kept by Ann."},
      {kText, R"({"paraphrase":"x"})", "x"},
      {kJson, R"({"paraphrase":"Ann keeps bees."})", "", "the statement's own words"},
      {kText, " Ann  keeps bees. ", "", "the statement's own words"},
      {kJson, R"({"paraphrase":""})", "", "no paraphrase"},
      {kJson, R"({"paraphrase":["x"]})", "", "no paraphrase"},
      {kJson, R"(["x"])", "", "no paraphrase"},
      {kJson, "Bees are kept by Ann.", "", "not JSON"},
      {kText, "Sure!\nBees are kept by Ann.", "", "several lines"},
      {kText, "", "", "no paraphrase"},
      {kText, "I'm sorry, but I can't help with that.", "", "a refusal"},
      {kText, "I cannot rephrase this statement.", "", "a refusal"},
      {kJson, R"({"paraphrase":"As an AI language model, I do not rephrase that."})", "", "a refusal"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.content);
    const TextAnswer answer = parse_texts(TextTask::kParaphrase, one.form, "Ann keeps bees.", one.content);
    EXPECT_EQ(answer.texts.empty() ? "" : answer.texts.front(), one.words);
    EXPECT_EQ(answer.problem, one.problem);
  }
}

TEST(ParseCategories, TakesNamesOfTheListOnly) {
  struct Case {
    AnswerForm form;
    const char* content;
    Texts names;
    const char* problem = "";
  };
  constexpr AnswerForm kJson = AnswerForm::kSchema, kText = AnswerForm::kText;
  const Case cases[] = {
      {kJson, R"({"categories":["Family","Age"]})", {"Age", "Family"}},
      {kJson, R"({"categories":["race nationality","AGE","Age"]})", {"Age", "Race_Nationality"}},
      {kJson, R"({"categories":[]})", {}},
      {kJson, R"({"categories":["None"]})", {}},
      {kJson, R"(["Pet"])", {"Pet"}},
      {kJson, R"({"categories":["None","Age"]})", {}, "categories, and none"},
      {kJson, R"({"categories":["Age","Shoe_Size"]})", {}, "a category that is not in the list"},
      {kJson, R"({"categories":["Medications"]})", {}, "a category that is not in the list"},
      {kJson, R"({"categories":[1]})", {}, "a category that is no text"},
      {kJson, R"({"categories":"Age"})", {}, "no list of categories"},
      {kJson, R"({})", {}, "no list of categories"},
      {kJson, "Age, Pet", {}, "not JSON"},
      {kText, "Pet, Age.", {"Age", "Pet"}},
      {kText, "- Age\n- Mental Health\n", {"Age", "Mental_Health"}},
      {kText, "None.", {}},
      {kText, " \n", {}, "no list of categories"},
      {kText, "It is about the age.", {}, "a category that is not in the list"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.content);
    const TextAnswer answer = parse_texts(TextTask::kGeneralCategories, one.form, "text", one.content);
    EXPECT_EQ(answer.texts, one.names);
    EXPECT_EQ(answer.problem, one.problem);
  }
}

RC_GTEST_PROP(ParseTexts, SaysOfAnyAnswerWhatItHoldsOrWhyNot, (std::string content)) {
  for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kText}) {
    for (const TextTask task : {TextTask::kAtomize, TextTask::kParaphrase, TextTask::kMedicalCategories}) {
      const TextAnswer answer = parse_texts(task, form, "text", content);
      RC_ASSERT(answer.problem.empty() || answer.texts.empty());
      for (const std::string& text : answer.texts) RC_ASSERT(!text.empty() && text.find('\n') == std::string::npos);
      if (task != TextTask::kMedicalCategories) RC_ASSERT(answer.problem.empty() != answer.texts.empty());
    }
  }
}

TEST(Categories, AreThoseOfThePaperAndExplainedInTheTemplate) {
  EXPECT_EQ(category_list(TextTask::kGeneralCategories).size(), 16U);
  EXPECT_EQ(category_list(TextTask::kMedicalCategories).size(), 24U);
  for (const TextTask task : {TextTask::kGeneralCategories, TextTask::kMedicalCategories}) {
    const std::string instructions = text_instructions(task, AnswerForm::kText);
    for (const std::string_view name : category_list(task)) {
      EXPECT_NE(instructions.find("\n- " + std::string(name) + ": "), std::string::npos) << name;
    }
    EXPECT_EQ(text_schema(task)["properties"]["categories"]["items"]["enum"].size(), category_list(task).size());
  }
}

TEST(TextSpec, ChangesWithEverythingThatAnAnswerDependsOn) {
  std::set<std::string> specs;
  for (const TextTask task :
       {TextTask::kAtomize, TextTask::kParaphrase, TextTask::kGeneralCategories, TextTask::kMedicalCategories}) {
    Asking asking;
    asking.model = "m";
    for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kObject, AnswerForm::kText}) {
      asking.form = form;
      EXPECT_TRUE(specs.insert(text_spec(task, asking)).second);
    }
    asking.temperature = 0;
    EXPECT_TRUE(specs.insert(text_spec(task, asking)).second);
    asking.revision = "r";
    EXPECT_TRUE(specs.insert(text_spec(task, asking)).second);
  }
  const SpecDigest one = spec_digest(*specs.begin()), two = spec_digest(*specs.rbegin());
  EXPECT_EQ(std::set<VoteKey>({text_vote(one, "a"), text_vote(one, "b"), text_vote(two, "a")}).size(), 3U);
}

TEST(TextMessages, KeepTheTextBetweenMarkersThatItCannotKnow) {
  const Messages plain = text_messages(TextTask::kAtomize, AnswerForm::kText, spec_digest("spec"), "Ann keeps bees.");
  const std::size_t line = plain.user.find('\n') + 1;
  const std::string marker = plain.user.substr(line, plain.user.find('\n', line) - line);
  EXPECT_EQ(plain.user,
            "Text, between the marker lines " + marker + ":\n" + marker + "\nAnn keeps bees.\n" + marker + "\n");
  EXPECT_NE(plain.system.find("begins with \"- \""), std::string::npos);
  EXPECT_EQ(plain.system.find("JSON"), std::string::npos);
  const Messages strict =
      text_messages(TextTask::kAtomize, AnswerForm::kSchema, spec_digest("spec"), "x\n" + marker + "\ny");
  EXPECT_NE(strict.system.find("{\"claims\":["), std::string::npos);
  EXPECT_EQ(strict.user.find("marker lines " + marker), std::string::npos);
}

TEST(TextTemplate, StandsInForOurInstructionsOrIsTheWholeMessage) {
  Asking asking;
  asking.model = "m";
  const TextTemplate other = "Split as the handbook says.", whole = "Split {text} ({text}).";
  const auto ask = [](AnswerForm form, const TextTemplate& own) {
    return text_messages(TextTask::kAtomize, form, spec_digest("spec"), "a {text} b", own);
  };
  const Messages replaced = ask(AnswerForm::kText, other);
  EXPECT_EQ(replaced.system.find("Split as the handbook says.\nAnswer with the claims"), 0U) << replaced.system;
  EXPECT_EQ(replaced.user, ask(AnswerForm::kText, std::nullopt).user);
  for (const AnswerForm form : {AnswerForm::kText, AnswerForm::kSchema}) {
    EXPECT_EQ(ask(form, whole).system, "");
    EXPECT_EQ(ask(form, whole).user, "Split a {text} b (a {text} b).");
  }
  const std::set<std::string> specs = {text_spec(TextTask::kAtomize, asking),
                                       text_spec(TextTask::kAtomize, asking, other),
                                       text_spec(TextTask::kAtomize, asking, whole)};
  EXPECT_EQ(specs.size(), 3U);
  EXPECT_NO_THROW(check_text_template(std::nullopt));
  EXPECT_NO_THROW(check_text_template(std::string(65'536, 'x')));
  for (const std::string& wrong : {std::string(), std::string(" \n"), std::string(65'537, 'x')})
    EXPECT_THROW(check_text_template(wrong), Error);
}

TEST(TextSchema, HasTheFieldThatIsRead) {
  EXPECT_EQ(text_schema(TextTask::kAtomize)["properties"]["claims"]["type"], "array");
  EXPECT_EQ(text_schema(TextTask::kParaphrase)["properties"]["paraphrase"]["type"], "string");
  EXPECT_EQ(text_schema(TextTask::kParaphrase)["required"][0], "paraphrase");
}

// One answer to each task, in whatever words it comes.
TEST(ParseTexts, ReadsAlikeInWordsAndFences) {
  struct Answer {
    TextTask task;
    const char* json;
    bool list;  // it may also be the list alone
  };
  const Answer answers[] = {{TextTask::kAtomize, R"({"claims":["Ann met Bob.","Bob is tall."]})", true},
                            {TextTask::kParaphrase, R"({"paraphrase":"Bob was met by Ann."})", false},
                            {TextTask::kGeneralCategories, R"({"categories":["Age","Family"]})", true},
                            {TextTask::kMedicalCategories, R"({"categories":["Age","Pet"]})", true}};
  for (const Answer& one : answers) {
    const std::string text = "Ann met Bob, who is tall.";
    const std::string json = one.json;
    const TextAnswer bare = parse_texts(one.task, AnswerForm::kSchema, text, json);
    EXPECT_FALSE(bare.texts.empty());
    const auto wrapped = [](const std::string& value) {
      return std::vector<std::string>{"Here is the answer:\n```json\n" + value + "\n```",
                                      "Here is the answer: ```json\n" + value + "\n```\nI hope this helps.",
                                      "```\n" + value + "\n```"};
    };
    for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kObject, AnswerForm::kText}) {
      for (const std::string& said : wrapped(json)) {
        SCOPED_TRACE(said);
        EXPECT_EQ(parse_texts(one.task, form, text, said).texts, bare.texts);
      }
      EXPECT_EQ(parse_texts(one.task, form, text, "Sure! " + json + " Anything else?").texts, bare.texts);
    }
    if (!one.list) continue;
    const std::string list = json.substr(json.find('['), json.find(']') + 1 - json.find('['));
    for (const std::string& said : wrapped(list)) {
      SCOPED_TRACE(said);
      EXPECT_EQ(parse_texts(one.task, AnswerForm::kObject, text, said).texts, bare.texts);
    }
  }
  EXPECT_EQ(
      parse_texts(TextTask::kAtomize, AnswerForm::kSchema, "Ann.", R"({"claims":["A."]} {"claims":["B."]})").problem,
      "not JSON");
  EXPECT_EQ(
      parse_texts(TextTask::kAtomize, AnswerForm::kSchema, "Ann.", R"(Sure: {"claims":["A."],"claims":[]})").problem,
      "a key is given twice");
}

}  // namespace
}  // namespace residue::model
