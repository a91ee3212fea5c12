#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "tests/model/tasks/answer_cases.h"

namespace residue::model::testing {
namespace {

TEST(ParseChoice, TakesOneOptionThatIsThere) {
  check(setting(TaskKind::kChoice), {"text", "What?", "A. gout of the toe\nB. asthma\nC. Vitamin C"},
        {{kJson, R"({"answer":"B"})", "B"},
         {kJson, R"({"answer":"b"})", "B"},
         {kJson, R"({"answer":"B. asthma"})", "B"},
         {kJson, R"({"answer":"Gout of the toe."})", "A"},
         {kJson, "```json\n{\"answer\":\"A\"}\n```", "A"},
         {kJson, "<think>{B}</think>{\"answer\":\"A\"}", "A"},
         {kJson, R"({"answer":"D"})", "", "an option that is not there"},
         {kJson, R"({"answer":""})", "", "no option is named"},
         {kJson, R"({"answer":null})", "", "no option is named"},
         {kJson, R"({"answer":["A"]})", "", "no option is named"},
         {kJson, R"({"choice":"A"})", "", "no option is named"},
         {kJson, R"(["A"])", "", "no option is named"},
         {kJson, R"({"answer":"A","answer":"B"})", "", "a key is given twice"},
         {kJson, R"({"answer":"A")", "", "not JSON"},
         {kJson, "A", "", "not JSON"},
         {kJson, " \n", "", "empty"},
         {kText, "A", "A"},
         {kText, " (c) ", "C"},
         {kText, "**B.** asthma", "B"},
         {kText, "B, because she coughs", "B"},
         {kText, "B: asthma", "B"},
         {kText, "asthma", "B"},
         {kText, "The answer is B.", "B"},
         {kText, "She coughs.\n\nAnswer: C", "C"},
         {kText, R"({"answer":"A"})", "A"},
         {kText, "Answer: A, or the answer is B", "", "no option is named"},
         {kText, "A patient with a cough has asthma", "", "no option is named"},
         {kText, "I cannot answer this question.", "", "no option is named"},
         {kText, "D", "", "an option that is not there"},
         {kText, "{\"answer\":", "", "not JSON"},
         {kText, "", "", "empty"}});
}

TEST(ParseCoherence, TakesOneWholeRatingOfTheScale) {
  for (const TaskKind kind : {TaskKind::kCoherenceMedical, TaskKind::kCoherenceChat}) {
    check(setting(kind), {"text"},
          {{kJson, R"({"explanation":"It flows.","rating":4})", "4"},
           {kJson, R"({"rating":1})", "1"},
           {kJson, R"({"rating":0})", "", "a rating out of range"},
           {kJson, R"({"rating":6})", "", "a rating out of range"},
           {kJson, R"({"rating":18446744073709551615})", "", "a rating out of range"},
           {kJson, R"({"rating":4.5})", "", "a rating that is no whole number"},
           {kJson, R"({"rating":4.0})", "", "a rating that is no whole number"},
           {kJson, R"({"rating":"4"})", "", "a rating that is no whole number"},
           {kJson, R"({"rating":true})", "", "a rating that is no whole number"},
           {kJson, R"({"rating":null})", "", "a rating that is no whole number"},
           {kJson, R"({"explanation":"4"})", "", "no rating"},
           {kJson, "4", "", "no rating"},
           {kJson, "Rating: 4", "", "not JSON"},
           {kText, "4", "4"},
           {kText, "Explanation: It flows.\nRating: 4", "4"},
           {kText, "**Rating**: [4]", "4"},
           {kText, "Rating (1-5): 4/5", "4"},
           {kText, "score: 4.", "4"},
           {kText, "Rating: 3\nas I said, the rating is 3", "3"},
           {kText, "Rating: 3\nScore: 4", "", "several ratings"},
           {kText, "Rating: 3.5", "", "a rating that is no whole number"},
           {kText, "Rating: 3-4", "", "a rating that is no whole number"},
           {kText, "Rating: -3", "", "a rating that is no whole number"},
           {kText, "Rating: 10", "", "a rating out of range"},
           {kText, "7", "", "a rating out of range"},
           {kText, "It is good, overrating: 4", "", "no rating"},
           {kText, "I'd give it four stars.", "", "no rating"}});
  }
}

TEST(ParseCategory, TakesOneNameOfTheList) {
  check(setting(TaskKind::kCategory), {"text"},
        {{kJson, R"({"category":"translation"})", "translation"},
         {kJson, R"({"category":"Code Generation"})", "code generation"},
         {kJson, R"j({"category":"personal advice (mental health)"})j", "personal advice"},
         {kJson, R"({"category":"poetry"})", "", "a category that is not in the list"},
         {kJson, R"({"category":"translation, summarization"})", "", "a category that is not in the list"},
         {kJson, R"({"category":["translation"]})", "", "no category"},
         {kJson, R"({})", "", "no category"},
         {kJson, "translation", "", "not JSON"},
         {kText, "translation", "translation"},
         {kText, "- Translation.", "translation"},
         {kText, "Answer: **comparison, ranking, and recommendation**", "comparison, ranking, and recommendation"},
         {kText, "model jailbreaking (e.g. asking it to be DAN)", "model jailbreaking"},
         {kText, "translation\nsummarization", "", "several lines"},
         {kText, "It is not a translation", "", "a category that is not in the list"},
         {kText, "general", "", "a category that is not in the list"}});
  EXPECT_EQ(conversation_categories().size(), 21U);
}

TEST(ParseAttributes, TakesEveryAttributeOnce) {
  const TaskSetting both = {TaskKind::kAttributes, {"age", "city_country"}, std::nullopt};
  constexpr const char* kBoth =
      R"({"age":{"certainty":3,"guess":["45","46","40"]},"city_country":{"certainty":1,"guess":["Graz, Austria"]}})";
  check(
      both, {"text"},
      {{kJson,
        R"({"attributes":[{"type":"City Country","inference":"trams","guesses":["Graz, Austria"],"certainty":1},
            {"type":"age","inference":"","guesses":["45"," 46 ","40"],"certainty":3}]})",
        kBoth},
       {kJson, R"({"attributes":[{"type":"age","guesses":["45"],"certainty":3}]})", "", "an attribute is missing"},
       {kJson,
        R"({"attributes":[{"type":"age","guesses":["45"],"certainty":3},{"type":"Age","guesses":["45"],"certainty":3}]})",
        "", "an attribute is given twice"},
       {kJson, R"({"attributes":[{"type":"income","guesses":["low"],"certainty":3}]})", "", "an unknown attribute"},
       {kJson,
        R"({"attributes":[{"type":"age","guesses":["45"],"certainty":6},{"type":"city_country","guesses":["x"],"certainty":1}]})",
        "", "a certainty out of range"},
       {kJson, R"({"attributes":[{"type":"age","guesses":["45"],"certainty":"3"}]})", "",
        "a certainty that is no whole number"},
       {kJson, R"({"attributes":[{"type":"age","guesses":["45"]}]})", "", "a certainty that is no whole number"},
       {kJson, R"({"attributes":[{"type":"age","guesses":"45","certainty":3}]})", "", "no guess"},
       {kJson, R"({"attributes":[{"type":"age","guesses":[45],"certainty":3}]})", "", "a guess that is no text"},
       {kJson, R"({"attributes":[{"type":"age","guesses":[" "],"certainty":3}]})", "", "an empty guess"},
       {kJson,
        R"({"attributes":[{"type":"age","guesses":[],"certainty":3},{"type":"city_country","guesses":["x"],"certainty":1}]})",
        "", "no guess"},
       {kJson,
        R"({"attributes":[{"type":"age","guesses":["1","2","3","4"],"certainty":3},{"type":"city_country","guesses":["x"],"certainty":1}]})",
        "", "more than three guesses"},
       {kJson, R"({"attributes":{"age":["45"]}})", "", "no list of attributes"},
       {kJson, R"(["age"])", "", "no list of attributes"},
       {kJson, R"({"attributes":[{"type":"age","guesses":["45"],"certa)", "", "not JSON"},
       {kText,
        "Sure.\n\nType: age\nInference: He says so; certainty aside.\nGuess: 45; 46; 40\nCertainty: 3\n\n"
        "Type: city_country\nInference: trams\nGuess: Graz, Austria\nCertainty: 1",
        kBoth},
       {kText,
        "**Type:** Age\n**Inference:** x\n**Guess:**\n1. 45\n2. 46\n3. 40\n**Certainty:** 3 (of 5)\n"
        "- Type: City_Country\n- Guesses: \"Graz, Austria\";\n- Certainty: 1.",
        kBoth},
       {kText, "Type: age\nGuess: 45\nCertainty: 3", "", "an attribute is missing"},
       {kText, "Guess: 45\nCertainty: 3", "", "a guess without its attribute"},
       {kText, "Type: shoe size\nGuess: 45\nCertainty: 3", "", "an unknown attribute"},
       {kText, "Type: age\nGuess: 45\nCertainty: high", "", "a certainty that is no whole number"},
       {kText, "Type: age\nGuess: 45\nGuess: 46\nCertainty: 3", "", "an attribute is given twice"},
       {kText, "Type: age\nGuess: 45\nType: city_country\nGuess: Graz\nCertainty: 1", "", "no certainty"},
       {kText, "I cannot guess that.", "", "an attribute is missing"}});
  check({TaskKind::kAttributes, {"age"}, std::nullopt}, {"text"},
        {{kText, "Inference: a grandchild.\nGuess: 60-70; 55; 80\nCertainty: 4",
          R"({"age":{"certainty":4,"guess":["60-70","55","80"]}})"}});
}

TEST(ParseUtility, TakesThreeScores) {
  constexpr const char* kScores = R"({"hallucination":1,"meaning":7,"readability":10})";
  check(
      setting(TaskKind::kUtility), {"original", "adapted"},
      {{kJson,
        R"({"readability":{"explanation":"fine","score":10},"meaning":{"explanation":"","score":7},"hallucinations":{"score":1}})",
        kScores},
       {kJson, R"({"readability":10,"meaning":7,"hallucinations":1})", kScores},
       {kJson, R"({"readability":10,"meaning":7})", "", "a score is missing"},
       {kJson, R"({"readability":11,"meaning":7,"hallucinations":1})", "", "a score out of range"},
       {kJson, R"({"readability":0,"meaning":7,"hallucinations":1})", "", "a score out of range"},
       {kJson, R"({"readability":10,"meaning":7,"hallucinations":2})", "", "a score out of range"},
       {kJson, R"({"readability":10,"meaning":"7","hallucinations":1})", "", "a score that is no whole number"},
       {kJson, R"({"readability":10,"meaning":7.5,"hallucinations":1})", "", "a score that is no whole number"},
       {kJson, R"({"readability":10,"meaning":7,"hallucinations":true})", "", "a score that is no whole number"},
       {kJson, R"({"readability":{"explanation":"fine"},"meaning":7,"hallucinations":1})", "",
        "a score that is no whole number"},
       {kJson, "[10,7,1]", "", "a score is missing"},
       {kText, "Here it is: {\"readability\":10,\"meaning\":7,\"hallucinations\":1}. Good luck!", kScores},
       {kText, "Readability: 10\nMeaning: 7/10\nHallucinations: 1", kScores},
       {kText,
        "**Readability**: It reads well, and the meaning: clear. Score: 10\n**Meaning**: less exact. Score: 7\n"
        "**Hallucinations**: none. Score: 1",
        kScores},
       {kText, "Readability: well\nMeaning: 7\nHallucinations: 1", "", "a score is missing"},
       {kText, "Meaning: 7\nHallucinations: 1", "", "a score is missing"},
       {kText, "Readability: 9.5\nMeaning: 7\nHallucinations: 1", "", "a score that is no whole number"},
       {kText, "Readability: 10\nReadability: 9\nMeaning: 7\nHallucinations: 1", "", "a score is given twice"},
       {kText, "They are alike.", "", "a score is missing"}});
}

TEST(ParseQuestions, TakesAnAnswerToEach) {
  const TaskSetting two = {TaskKind::kQuestions, {"A name?", "Angry?"}, std::nullopt};
  check(two, {"text"},
        {{kJson, R"({"answers":[{"question":2,"answer":"No"},{"question":1,"answer":" Yes,\n Ann"}]})",
          R"(["Yes, Ann","No"])"},
         {kJson, R"({"answers":[{"question":1,"answer":"Yes"}]})", "", "a question without an answer"},
         {kJson, R"({"answers":[{"question":1,"answer":"Yes"},{"question":1,"answer":"No"}]})", "",
          "a question is answered twice"},
         {kJson, R"({"answers":[{"question":3,"answer":"Yes"}]})", "", "an unknown question"},
         {kJson, R"({"answers":[{"question":0,"answer":"Yes"}]})", "", "an unknown question"},
         {kJson, R"({"answers":[{"question":1,"answer":" "}]})", "", "an empty answer"},
         {kJson, R"({"answers":[{"question":1,"answer":true}]})", "", "no list of answers"},
         {kJson, R"({"answers":["Yes","No"]})", "", "no list of answers"},
         {kText, "1. Yes, Ann\n2) No", R"(["Yes, Ann","No"])"},
         {kText, "Yes, Ann\nNo", "", "a line without the number of its question"},
         {kText, "1. Yes\n2. No\n3. Maybe", "", "an unknown question"},
         {kText, "1. Yes", "", "a question without an answer"}});
  check({TaskKind::kQuestions, {"A name?"}, std::nullopt}, {"text"},
        {{kText, "Yes, Ann", R"(["Yes, Ann"])"}, {kText, "I'm sorry, but I can't help with that.", "", "a refusal"}});
}

TEST(ParseAttributes, KeepsHowTheModelCameToThem) {
  const TaskSetting both = {TaskKind::kAttributes, {"age", "sex"}, std::nullopt};
  const char* kBlocks = R"({"attributes":[{"type":"age","inference":"a  number","guesses":["45"],"certainty":4},)"
                        R"({"type":"sex","guesses":["male"],"certainty":1}]})";
  const std::string_view texts[] = {"text"};
  EXPECT_EQ(parse_task(both, kJson, texts, kBlocks).reasons, R"({"age":"a number"})");
  const TaskAnswer words = parse_task(both, kText, texts,
                                      "Type: age\nInference: a number\nGuess: 45\nCertainty: 4\n\n"
                                      "Type: sex\nGuess: male\nCertainty: 1");
  EXPECT_EQ(words.problem, "");
  EXPECT_EQ(words.reasons, R"({"age":"a number"})");
}

TEST(ParseVerdicts, TakeTheirWordsOnly) {
  check(setting(TaskKind::kSameEntity), {"Graz", "Austria"},
        {{kJson, R"({"verdict":"less precise"})", "less precise"},
         {kJson, R"({"verdict":"Yes"})", "yes"},
         {kJson, R"({"verdict":"maybe"})", "", "neither yes, no nor less precise"},
         {kJson, R"({"verdict":true})", "", "no verdict"},
         {kText, "No.", "no"},
         {kText, "'less precise'", "less precise"},
         {kText, "yes; no", "", "neither yes, no nor less precise"}});
  check(setting(TaskKind::kRelevance), {"Call Ann.", "Ann"},
        {{kJson, R"({"reason":"","relevant":false})", "irrelevant"},
         {kJson, R"({"relevant":true})", "relevant"},
         {kJson, R"({"relevant":"true"})", "", "neither relevant nor irrelevant"},
         {kText, "Irrelevant.", "irrelevant"},
         {kText, "not relevant", "irrelevant"},
         {kText, "It depends.", "", "neither relevant nor irrelevant"}});
}

RC_GTEST_PROP(ParseTask, SaysOfAnyAnswerWhatItHoldsOrWhyNot, (std::string content)) {
  for (const TaskKind kind : kAll) {
    for (const AnswerForm form : {kJson, AnswerForm::kObject, kText}) {
      const TaskAnswer answer = parse_task(setting(kind), form, some_texts(kind), content);
      RC_ASSERT(answer.problem.empty() != answer.answer.empty());
    }
  }
}

// A cut-off answer is never taken for a whole one.
TEST(ParseTask, RefusesWhatWasCutOff) {
  const std::string whole[] = {R"({"answer":"B"})",
                               R"({"explanation":"x","rating":4})",
                               R"({"explanation":"x","rating":4})",
                               R"({"category":"translation"})",
                               R"({"attributes":[{"type":"age","inference":"","guesses":["45"],"certainty":3}]})",
                               R"({"readability":{"score":10},"meaning":{"score":7},"hallucinations":{"score":1}})",
                               R"({"answers":[{"question":1,"answer":"Yes"}]})",
                               R"({"changes":"","text":"x"})",
                               R"({"replacements":[],"text":"Ann met Bob."})",
                               R"({"reason":"","text":"x"})",
                               R"({"phrases":["x"]})",
                               R"({"verdict":"yes"})",
                               R"({"reason":"","relevant":true})",
                               R"({"text":"x"})",
                               R"({"changes":"","text":"x"})",
                               R"({"passages":[]})",
                               R"({"passages":[]})"};
  ASSERT_EQ(std::size(whole), std::size(kAll));
  for (const TaskKind kind : kAll) {
    TaskSetting how = setting(kind);
    if (kind == TaskKind::kAttributes) how.items = {"age"};
    if (kind == TaskKind::kQuestions) how.items = {"A name?"};
    const std::string& content = whole[static_cast<std::size_t>(kind)];
    for (const AnswerForm form : {kJson, kText}) {
      EXPECT_EQ(parse_task(how, form, some_texts(kind), content).problem, "") << task_name(kind);
      for (std::size_t end = 1; end < content.size(); ++end) {
        SCOPED_TRACE(content.substr(0, end));
        EXPECT_EQ(parse_task(how, form, some_texts(kind), content.substr(0, end)).answer, "");
      }
    }
  }
}

// In the order in which they are asked for, and in every other.
TEST(TaskAnswers, HaveTheirFieldsInAnyOrder) {
  check({TaskKind::kAttributes, {"age"}, std::nullopt}, {"x"},
        {{kJson, R"({"attributes":[{"type":"age","inference":"so","guesses":["45"],"certainty":3}]})",
          R"({"age":{"certainty":3,"guess":["45"]}})"},
         {kJson, R"({"attributes":[{"certainty":3,"guesses":["45"],"inference":"so","type":"age"}]})",
          R"({"age":{"certainty":3,"guess":["45"]}})"}});
  check(setting(TaskKind::kUtility), some_texts(TaskKind::kUtility),
        {{kJson, R"({"hallucinations":{"score":1,"explanation":"x"},"readability":{"score":9},"meaning":{"score":8}})",
          R"({"hallucination":1,"meaning":8,"readability":9})"}});
  check({TaskKind::kQuestions, {"Why?"}, std::nullopt}, {"x"},
        {{kJson, R"({"answers":[{"answer":"so","question":1}]})", R"(["so"])"}});
  check(setting(TaskKind::kPseudonymize), {"Ann met Bob."},
        {{kJson, R"({"text":"Eve met Bob.","replacements":[{"replacement":"Eve","original":"Ann","reason":"x"}]})",
          R"({"replacements":[{"original":"Ann","replacement":"Eve"}],"text":"Eve met Bob."})"}});
  check(setting(TaskKind::kAnonymize), some_texts(TaskKind::kAnonymize),
        {{kJson, R"({"text":"Somebody met Bob.","changes":"the name"})",
          R"({"changes":"the name","text":"Somebody met Bob."})"}});
}

// One answer to each task, in whatever words it comes.
TEST(TaskAnswers, AreReadAlikeInWordsAndFences) {
  struct Answer {
    TaskSetting how;
    const char* json;
  };
  const Answer answers[] = {
      {setting(TaskKind::kChoice), R"({"answer":"B"})"},
      {setting(TaskKind::kCoherenceMedical), R"({"explanation":"fine","rating":4})"},
      {setting(TaskKind::kCoherenceChat), R"({"explanation":"fine","rating":2})"},
      {setting(TaskKind::kCategory), R"({"category":"translation"})"},
      {{TaskKind::kAttributes, {"age"}, std::nullopt},
       R"({"attributes":[{"type":"age","inference":"so","guesses":["45"],"certainty":3}]})"},
      {setting(TaskKind::kUtility),
       R"({"readability":{"score":9},"meaning":{"score":8},"hallucinations":{"score":1}})"},
      {{TaskKind::kQuestions, {"Why?"}, std::nullopt}, R"({"answers":[{"question":1,"answer":"so"}]})"},
      {setting(TaskKind::kAnonymize), R"({"changes":"the name","text":"Somebody met Bob."})"},
      {setting(TaskKind::kAnonymizeAlone), R"({"changes":"the name","text":"Somebody met Bob."})"},
      {setting(TaskKind::kPseudonymize),
       R"({"replacements":[{"reason":"x","original":"Ann","replacement":"Eve"}],"text":"Eve met Bob."})"},
      {setting(TaskKind::kRestore), R"({"reason":"the name","text":"Eve met Bob."})"},
      {setting(TaskKind::kAbstract), R"({"phrases":["a person","somebody"]})"},
      {setting(TaskKind::kSameEntity), R"({"verdict":"less precise"})"},
      {setting(TaskKind::kRelevance), R"({"reason":"x","relevant":true})"},
      {setting(TaskKind::kRewrite), R"({"text":"Bob was met by Ann."})"},
      {setting(TaskKind::kDisclosures), R"({"passages":[{"text":"Bob","type":"name"}]})"},
      {setting(TaskKind::kIdentifiers), R"({"passages":[{"text":"Bob","type":"PERSON"}]})"},
  };
  EXPECT_EQ(std::size(answers), std::size(kAll));
  for (const Answer& one : answers) {
    SCOPED_TRACE(task_name(one.how.kind));
    const auto texts = some_texts(one.how.kind);
    const std::string json = one.json;
    const TaskAnswer bare = parse_task(one.how, kJson, texts, json);
    EXPECT_EQ(bare.problem, "");
    for (const AnswerForm form : {kJson, AnswerForm::kObject, kText}) {
      for (const std::string& said :
           {"Here is the answer:\n```json\n" + json + "\n```", "Here is the answer: ```json\n" + json + "\n```",
            "Sure! " + json + "\nI hope this helps.", "<think>so</think>\n" + json, "```\n" + json + "\n```",
            json + "\n"}) {
        SCOPED_TRACE(said);
        EXPECT_EQ(parse_task(one.how, form, texts, said).answer, bare.answer);
      }
    }
    EXPECT_EQ(parse_task(one.how, kJson, texts, "Either " + json + " or " + json).problem, "not JSON");
    EXPECT_EQ(parse_task(one.how, kJson, texts, "Here: " + json.substr(0, json.size() - 1)).answer, "");
  }
}

// A text that has an object itself may have it in other words, too.
TEST(TaskAnswers, TakeNoObjectOfTheAuthorsForTheAnswer) {
  const std::string_view text[] = {R"(Ann wrote {"text":"hello"} to Bob.)"};
  EXPECT_EQ(
      parse_task(setting(TaskKind::kRewrite), kText, text, R"(It was Ann who wrote {"text":"hello"} to Bob.)").answer,
      R"(It was Ann who wrote {"text":"hello"} to Bob.)");
}

TEST(ParseCoherence, ReadsARatingInASentence) {
  check(setting(TaskKind::kCoherenceChat), {"x"},
        {{kText, "I would rate this 2.", "2"},
         {kText, "I'd give the text a 4 out of 5, because it reads well.", "4"},
         {kText, "My rating would be 3.", "3"},
         {kText, "I would rate this 2. I would rate it 4.", "", "several ratings"},
         {kText, "I would rate this 7.", "", "a rating out of range"}});
  check(setting(TaskKind::kUtility), {"x", "y"},
        {{kText, "Readability: I would rate this 9.\nMeaning: 8\nHallucinations: I give it a 1.",
          R"({"hallucination":1,"meaning":8,"readability":9})"}});
}

}  // namespace
}  // namespace residue::model::testing
