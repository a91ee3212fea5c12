// Answers that are texts: written anew, under pseudonyms and back, and what of a text is to be replaced by what.
#include <string>

#include "tests/model/tasks/answer_cases.h"

namespace residue::model::testing {
namespace {

TEST(ParseAnonymize, KeepsTheTextBehindTheHash) {
  check(setting(TaskKind::kAnonymize), {"I bake in Graz.", "place: Graz"},
        {{kJson, "{\"changes\":\"the town\",\"text\":\"I bake.\\n\\nYes.\\n\"}",
          "{\"changes\":\"the town\",\"text\":\"I bake.\\n\\nYes.\"}"},
         {kJson, R"({"text":"I bake."})", R"({"changes":"","text":"I bake."})"},
         {kJson, R"({"changes":"all"})", "", "no text"},
         {kJson, R"({"text":" "})", "", "no text"},
         {kText, "I leave out the town.\n#\nI bake.\n\n# yes",
          "{\"changes\":\"I leave out the town.\",\"text\":\"I bake.\\n\\n# yes\"}"},
         {kText, "The town goes.\n**#**\nI bake.", R"({"changes":"The town goes.","text":"I bake."})"},
         {kText, "The town goes.\n# I bake.", R"({"changes":"The town goes.","text":"I bake."})"},
         {kText, "# Changes\nThe town.\n# Text\nI bake.", "", "no line with a single #"},
         {kText, "I bake.", "", "no line with a single #"},
         {kText, "The town goes.\n#\n", "", "no text"},
         // The separator is lost: one place may have been meant, or none.
         {kText, "The town goes.\n---\nI bake.", R"({"changes":"The town goes.","text":"I bake."})"},
         {kText, "The town goes.\n\n**Anonymized text:** I bake.", R"({"changes":"The town goes.","text":"I bake."})"},
         {kText, "The town goes.\n---\nI bake.\n---\nYes.", "", "no line with a single #"},
         {kText, "I'm sorry, but I cannot help with that.", "", "refused"},
         {kJson, R"({"text":"I\u2019m sorry, I can't assist with this request."})", "", "refused"},
         // As it was: there may have been nothing to change.
         {kJson, R"({"text":"I bake in Graz."})", R"({"changes":"","text":"I bake in Graz."})"}});
  // Text and explanation may change places; of a short text that cannot be told.
  const std::string nurse = "I am a nurse in Graz and work nights at the old hospital near the river.";
  constexpr const char* kSwapped = "the explanation in the place of the text";
  check(
      setting(TaskKind::kAnonymizeAlone), {nurse},
      {{kText, "I am a nurse and work nights at the old hospital near the river.\n#\nI left out the town.", "",
        kSwapped},
       {kJson,
        R"({"changes":"I am a nurse and work nights at the old hospital near the river.","text":"The town, which tells where the author lives, was taken out."})",
        "", kSwapped},
       {kText, "I left out the town.\n#\nI am a nurse and work nights at the old hospital near the river.",
        R"({"changes":"I left out the town.","text":"I am a nurse and work nights at the old hospital near the river."})"},
       // It says all that it takes out, and takes out nearly everything.
       {kText,
        "I replaced the nurse in Graz, who works at the old hospital near the river, by someone.\n#\nI work nights.",
        R"({"changes":"I replaced the nurse in Graz, who works at the old hospital near the river, by someone.","text":"I work nights."})"},
       // It repeats the text, then changes some of it.
       {kText,
        "I am a nurse in Graz and work nights at the old hospital near the river: the town goes.\n#\nI am a nurse and "
        "work nights at a hospital.",
        R"({"changes":"I am a nurse in Graz and work nights at the old hospital near the river: the town goes.","text":"I am a nurse and work nights at a hospital."})"}});
  check(setting(TaskKind::kAnonymizeAlone), {"I bake bread in Graz."},
        {{kText, "I bake bread.\n#\nThe town goes.", R"({"changes":"I bake bread.","text":"The town goes."})"}});
  // What may be the text's own line is no separator.
  check(setting(TaskKind::kAnonymizeAlone), {"I bake.\n#yum\nIn Graz."},
        {{kText, "I bake.\n#yum\nAbroad.", "", "no line with a single #"},
         {kText, "The town goes.\n#\nI bake.\n#yum\nAbroad.",
          "{\"changes\":\"The town goes.\",\"text\":\"I bake.\\n#yum\\nAbroad.\"}"}});
  check(setting(TaskKind::kAnonymizeAlone), {"One\n#\nTwo in Graz"},
        {{kText, "One\n#\nTwo", "", "no line with a single #"},
         {kText, "The town.\n#\nOne\n#\nTwo", "{\"changes\":\"The town.\",\"text\":\"One\\n#\\nTwo\"}"}});
}

TEST(ParsePseudonymize, KeepsReplacementsThatWereMade) {
  const TaskSetting how = setting(TaskKind::kPseudonymize);
  constexpr const char* kDone =
      R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Ruth keeps bees."})";
  constexpr const char* kSame = R"({"replacements":[],"text":"Ann keeps bees."})";
  check(
      how, {"Ann keeps bees."},
      {{kJson,
        R"({"replacements":[{"reason":"a name","original":"Ann","replacement":"Ruth"}],"text":"Ruth keeps bees."})",
        kDone},
       {kJson,
        R"({"changed_entities":[{"explanation":"","original_entity":"Ann","new_entity":"Ruth"}],"modified_prompt":"Ruth keeps bees."})",
        kDone},
       {kJson, R"({"replacements":[],"text":"Ann keeps bees."})", kSame},
       // What does not stand in the text is not replaced.
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Bob","replacement":"Tom"}],"text":"Ruth keeps bees."})",
        kDone},
       {kJson, R"({"replacements":[{"original":"Bob","replacement":"Tom"}],"text":"Ann keeps bees."})", kSame},
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Annie","replacement":"Ruth"}],"text":"Ruth keeps bees."})",
        kDone},
       // What looks the same is the same.
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"An\u200bn"}],"text":"An\u200bn keeps bees."})", "",
        "a replacement that only looks different"},
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"ANN"}],"text":"ANN keeps bees."})", "",
        "a replacement that only looks different"},
       // White space is ours, and so is saying things twice.
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Ruth\nkeeps  bees.\n"})", kDone},
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":" Ann","replacement":"Ruth "}],"text":"Ruth keeps bees."})",
        kDone},
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"Ann"}],"text":"Ann keeps bees."})", kSame},
       {kJson, R"({"replacements":[{"original":"Bob","replacement":"Ruth"}],"text":"Ruth keeps bees."})", "",
        "it replaces what is not in the text"},
       {kJson, R"({"replacements":[{"original":"An","replacement":"Ruth"}],"text":"Ruthn keeps bees."})", "",
        "a text that is not the input with its replacements"},
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Ann keeps bees."})", "",
        "a text that is not the input with its replacements"},
       {kJson, R"({"replacements":[],"text":"Ruth keeps bees."})", "",
        "a text that is not the input with its replacements"},
       {kJson, R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Here it is: Ruth keeps bees."})",
        "", "a text that is not the input with its replacements"},
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Ann","replacement":"Ida"}],"text":"Ruth, Ida"})",
        "", "a name is replaced twice"},
       {kJson, R"({"replacements":[{"original":"","replacement":"Ruth"}],"text":"Ruth"})", "", "an empty replacement"},
       {kJson, R"({"replacements":[{"original":"","replacement":""}],"text":"Ann keeps bees."})", "",
        "an empty replacement"},
       {kJson, R"({"replacements":[{"original":"Ann"}],"text":"Ruth"})", "", "no list of replacements"},
       {kJson, R"({"text":"Ruth"})", "", "no list of replacements"},
       {kJson, R"({"replacements":[]})", "", "no text"},
       {kJson, R"([])", "", "no text"},
       {kText, "1. Ann -> Ruth\n#\nRuth keeps bees.", kDone},
       {kText, "Sure!\nAnn -> Ruth\n#\nRuth keeps bees.\n", kDone},
       {kText, "Ruth keeps bees.", "", "no line with a single #"}});
}

// What is put in has to say later what it stood for.
TEST(ParsePseudonymize, TakesNothingThatCannotBeUndone) {
  const TaskSetting how = setting(TaskKind::kPseudonymize);
  check(
      how, {"Ann met Bob Lee. Ann's dog likes Lee."},
      {{kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Bob Lee","replacement":"Tom Ray"},{"original":"Lee","replacement":"Ray"}],"text":"Ruth met Tom Ray. Ruth's dog likes Ray."})",
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Bob Lee","replacement":"Tom Ray"},{"original":"Lee","replacement":"Ray"}],"text":"Ruth met Tom Ray. Ruth's dog likes Ray."})"},
       // Exchanged names.
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Lee"},{"original":"Lee","replacement":"Ann"}],"text":"Lee met Bob Ann. Lee's dog likes Ann."})",
        R"({"replacements":[{"original":"Ann","replacement":"Lee"},{"original":"Lee","replacement":"Ann"}],"text":"Lee met Bob Ann. Lee's dog likes Ann."})"},
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"},{"original":"Lee","replacement":"Ruth"}],"text":"Ruth met Bob Ruth. Ruth's dog likes Ruth."})",
        "", "two names are replaced by one"},
       {kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Lee"}],"text":"Lee met Bob Lee. Lee's dog likes Lee."})",
        "", "a replacement stands in the text already"},
       {kJson,
        R"({"replacements":[{"original":"Bob Lee","replacement":"Tom"},{"original":"Bob","replacement":"Tim"}],"text":"Ann met Tom. Ann's dog likes Lee."})",
        "", "a replacement that is not in the text"}});
  // Side by side, two replacements look like a third.
  check(
      how, {"a b c"},
      {{kJson,
        R"({"replacements":[{"original":"a","replacement":"x"},{"original":"b","replacement":"y"},{"original":"c","replacement":"x y"}],"text":"x y x y"})",
        "", "replacements that cannot be undone"}});
}

// Markdown's emphasis is no part of a name.
TEST(ParsePseudonymize, ReplacesNamesInLowLines) {
  check(
      setting(TaskKind::kPseudonymize), {"Tell _Ann_ and __Ann__ and Ann of Ann_Lee."},
      {{kJson,
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Tell _Ruth_ and __Ruth__ and Ruth of Ruth_Lee."})",
        R"({"replacements":[{"original":"Ann","replacement":"Ruth"}],"text":"Tell _Ruth_ and __Ruth__ and Ruth of Ruth_Lee."})"}});
}

TEST(ParseResponse, IsWhateverComes) {
  check(setting(TaskKind::kRespond), {"Write JSON."},
        {{kText, " {\"a\":1} \n", "{\"a\":1}"},
         {kText, "{\"a\":1", "{\"a\":1"},
         {kText, "```json\n[]\n```", "```json\n[]\n```"},
         {kText, "<think>{hm}</think>\nDear Ann,\n\nhello", "Dear Ann,\n\nhello"},
         {kText, " \n", "", "empty"}});
}

TEST(ParseRestore, KeepsTheText) {
  check(setting(TaskKind::kRestore), {"Dear Ruth", "Ruth -> Ann"},
        {{kJson, R"({"reason":"","text":"Dear Ann\n"})", "Dear Ann"},
         {kJson, R"({"reason":"x"})", "", "no text"},
         {kText, "Dear Ann,\n\nhello\n", "Dear Ann,\n\nhello"},
         {kText, "[NAME], hello", "[NAME], hello"},
         {kText, "  ", "", "empty"},
         {kText, "I'm sorry, but I can't help with that.", "", "a refusal"},
         {kJson, R"({"reason":"","text":"I cannot assist with this request."})", "", "a refusal"}});
  // What another model declined is restored as it declined it.
  check(setting(TaskKind::kRestore), {"Sorry, Ruth, I cannot help with that.", "Ruth -> Ann"},
        {{kText, "Sorry, Ann, I cannot help with that.", "Sorry, Ann, I cannot help with that."},
         {kText, "I'm sorry, but I am unable to do that.", "", "a refusal"}});
}

TEST(ParseAbstract, TakesOneToThreeOtherPhrases) {
  check(setting(TaskKind::kAbstract), {"I am 27.", "27"},
        {{kJson, R"({"phrases":["in my twenties","young"]})", R"(["in my twenties","young"])"},
         {kJson, R"(["young"])", R"(["young"])"},
         {kJson, R"({"phrases":[]})", "", "no phrase"},
         {kJson, R"({"phrases":["a","b","c","d"]})", "", "more than three phrases"},
         {kJson, R"({"phrases":["27"]})", "", "the passage's own words"},
         {kJson, R"({"phrases":[""]})", "", "an empty phrase"},
         {kJson, R"({"phrases":[27]})", "", "a phrase that is no text"},
         // What says no less, or nothing, is passed over.
         {kJson, R"({"phrases":["27 years","N/A","1. young"]})", R"(["young"])"},
         {kJson, R"({"phrases":["2\u200b7","2) in my twenties","..."]})", R"(["in my twenties"])"},
         {kJson, R"({"phrases":["about 27","27"]})", "", "a phrase that has the passage in it"},
         {kJson, R"({"phrases":["N/A","-"]})", "", "words in the place of a phrase"},
         {kJson, R"({"phrases":["271st street"]})", R"(["271st street"])"},
         {kText, "1. \"in my twenties\"\n- young", R"(["in my twenties","young"])"},
         {kText, "I'm sorry, but I can't help with that.", "", "a refusal"},
         {kJson, R"({"phrases":["I cannot assist with this request."]})", "", "a refusal"}});
}

TEST(ParseRewrite, TakesAnotherTextWithoutWhatStandsAround) {
  check(setting(TaskKind::kRewrite), {"Ann bakes.\nShe is sorry."},
        {{kJson, R"({"text":"Baking is what Ann does."})", "Baking is what Ann does."},
         {kJson, R"({"text":"Ann  bakes.\n\nShe is sorry. "})", "", "the text's own words"},
         {kJson, R"({"text":""})", "", "no text"},
         {kJson, R"({"answer":"x"})", "", "no text"},
         {kJson, R"(["x"])", "", "no text"},
         {kText, "Baking is what Ann does.\n\nSorry she is.", "Baking is what Ann does.\n\nSorry she is."},
         {kText, "Here is the paraphrased text:\n\nBaking is what Ann does.", "Baking is what Ann does."},
         {kText, "**Paraphrased text:** Baking is what Ann does.", "Baking is what Ann does."},
         {kText, "Baking is what Ann does.\n\n(Note: I kept the name.)", "Baking is what Ann does."},
         {kText, "\"Baking is what Ann does.\"", "Baking is what Ann does."},
         {kText, "\"Baking\" is what Ann calls \"it\"", "\"Baking\" is what Ann calls \"it\""},
         {kText, "0123456789abcdef01\nAnn is a baker.\n0123456789abcdef01", "Ann is a baker."},
         {kText, "Ann bakes. She is sorry.", "", "the text's own words"},
         {kText, "I'm sorry, but I can't assist with that.", "", "refused"},
         {kText, "Here is the text:\n\nI cannot paraphrase this content.", "", "refused"},
         {kText, "I am sorry that Ann bakes.", "I am sorry that Ann bakes."}});
  const std::string long_text = "I am a nurse in Graz and work nights at the old hospital near the river.";
  check(setting(TaskKind::kRewrite), {long_text},
        {{kText, "A nurse on night duty.", "A nurse on night duty."},
         {kText, "N/A", "", "words in the place of a text"},
         {kText, "...", "", "words in the place of a text"},
         {kText, "[No output]", "", "words in the place of a text"},
         {kText, "No changes needed.", "", "words in the place of a text"},
         {kText, "The text contains no personal information.", "", "words in the place of a text"},
         {kText, "As an AI I cannot do that.", "", "refused"},
         {kText, "Je ne peux pas faire cela.", "", "refused"},
         {kText, "Plut\u00f4t autre chose.", "", "it shares no word with the text"},
         {kText, "Somebody is employed at a clinic after dark, in a city of another country, by flowing water.", "",
          "it shares no word with the text"},
         {kText, "Somebody is employed at a hospital after dark, in a city of another country.",
          "Somebody is employed at a hospital after dark, in a city of another country."}});
  check(setting(TaskKind::kRewrite), {"None!"}, {{kText, "none", "none"}});
  // What the text says itself is no announcement, no label, no remark and no apology.
  check(setting(TaskKind::kRewrite), {"Sure, here goes:\nI bake.\n\nNote: at home."},
        {{kText, "Okay, like this:\nI am a baker.\n\nNote: where I live.",
          "Okay, like this:\nI am a baker.\n\nNote: where I live."}});
  check(setting(TaskKind::kRewrite), {"Sorry, I cannot help you with this request."},
        {{kText, "I'm sorry, but I can't assist you here.", "I'm sorry, but I can't assist you here."}});
}

TEST(ParseDisclosures, TakesPassagesThatStandInTheText) {
  check(setting(TaskKind::kDisclosures), {"I'm a 27 year\nold Nurse; 27!"},
        {{kJson, R"({"passages":[{"text":"27","type":"Age"},{"text":"Nurse","type":"job"},{"text":"27","type":"x"}]})",
          R"([{"text":"27","type":"age"},{"text":"Nurse","type":"job"}])"},
         {kJson, R"({"passages":[{"text":"27 YEAR old nurse","type":"Sexual orientation 2"}]})",
          R"([{"text":"27 year\nold Nurse","type":"sexual_orientation_"}])"},
         {kJson, R"({"passages":[]})", "[]"},
         {kJson, R"([{"text":"27"}])", R"([{"text":"27","type":"disclosure"}])"},
         {kJson, R"({"passages":[{"text":"28"}]})", "", "a passage that is not in the text"},
         // Whole words.
         {kJson, R"({"passages":[{"text":"7"}]})", "", "a passage that is not in the text"},
         {kJson, R"({"passages":[{"text":"Nur"}]})", "", "a passage that is not in the text"},
         {kJson, R"({"passages":[{"text":" "}]})", "", "a passage that is not in the text"},
         // One that is not there says nothing against the others.
         {kJson, R"({"passages":[{"text":"28"},{"text":"27"},{"text":""}]})",
          R"([{"text":"27","type":"disclosure"},{"not_found":true},{"not_found":true}])"},
         {kText, "age | 28\njob | Nurse", R"([{"text":"Nurse","type":"job"},{"not_found":true}])"},
         {kJson, R"({"passages":["27"]})", "", "no list of passages"},
         {kJson, R"({"spans":[]})", "", "no list of passages"},
         {kText, "None.", "[]"},
         {kText, "Here they are:\n- age | 27\n- job | \"nurse\"",
          R"([{"text":"27","type":"age"},{"text":"Nurse","type":"job"}])"},
         {kText, "age | 27\njob", "", "a line without a vertical bar"},
         {kText, "27", "", "a line without a vertical bar"}});
}

}  // namespace
}  // namespace residue::model::testing
