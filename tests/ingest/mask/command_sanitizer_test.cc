#include "ingest/mask/command_sanitizer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/mask/program_files.h"

namespace residue::ingest {
namespace {

using Answers = std::vector<std::string>;

// "text" or "!why" of each of the records "a" to "e".
Answers ask(const std::string& command, const std::string& timeout = "5", std::function<bool()> interrupted = {}) {
  const std::vector<std::string> keys = {"a", "b", "c", "d", "e"};
  std::vector<std::string> texts;
  std::vector<SanitizeInput> inputs;
  for (const std::string& key : keys) texts.push_back("Zoë says " + key + ".");
  for (std::size_t i = 0; i < keys.size(); ++i) inputs.push_back({keys[i], texts[i]});
  std::vector<SanitizeOutput> outputs(inputs.size());
  SanitizerSetting setting{{{"command", command}, {"timeout", timeout}}};
  setting.interrupted = std::move(interrupted);
  make_sanitizer("command", setting)->sanitize_all(inputs, outputs, 2);
  Answers answers;
  for (const SanitizeOutput& output : outputs) {
    EXPECT_NE(output.text.has_value(), output.error.has_value());
    answers.push_back(output.text ? *output.text : "!" + output.error.value_or(""));
  }
  return answers;
}

Code error_of(const std::string& command, const std::string& timeout = "5") {
  try {
    ask(command, timeout);
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kInternal;
}

TEST(CommandSanitizer, TakesTextsInAnyOrder) {
  EXPECT_EQ(ask("cat"), (Answers{"Zoë says a.", "Zoë says b.", "Zoë says c.", "Zoë says d.", "Zoë says e."}));
  EXPECT_EQ(ask("sed s/Zoë/X/ | tac"), (Answers{"X says a.", "X says b.", "X says c.", "X says d.", "X says e."}));
}

TEST(CommandSanitizer, RendersSpans) {
  const std::string said =
      R"(while read line; do id=$(echo "$line" | cut -d'"' -f4); echo "{\"id\":\"$id\",\"spans\":)";
  EXPECT_EQ(ask(said + R"([[0,3],[9,10,\"somebody\"]]}"; done)")[1], "[MASKED] says somebody.");
  EXPECT_EQ(ask(said + R"([{\"start\":0,\"end\":3,\"type\":\"person\"}]}"; done)")[1], "[PERSON] says b.");
  EXPECT_EQ(ask(said + R"([[0,99]]}"; done)")[1], "!span 1 does not mark a part of the record's text");
  EXPECT_EQ(ask(said + R"([[3,3]]}"; done)")[1], "!span 1 does not start before its end");
  EXPECT_EQ(ask(said + R"([]}"; done)")[1], "Zoë says b.");
}

// The answers of a tagger to one record, whatever it is asked.
std::string tagged(const std::string& text, const std::string& answer, std::map<std::string, std::string> params) {
  const SanitizeInput input{"a", text};
  SanitizeOutput output;
  params["command"] = "cat > /dev/null; echo '{\"id\":\"a\"," + answer + "}'";
  make_sanitizer("command", {std::move(params)})->sanitize_all({&input, 1}, {&output, 1}, 1);
  return output.text ? *output.text : "!" + output.error.value_or("");
}

TEST(CommandSanitizer, MergesSpansWithThoseOfScrub) {
  const std::string text = "At W\u00EFmm Quux, Ann Smith paid on 3 March 2021. Quux's flu, quux@x.org";
  const std::string said = R"("spans":[{"start":3,"end":12,"type":"PERSON"},{"start":53,"end":56,"type":"DISEASE"}])";
  EXPECT_EQ(tagged(text, said, {}), "At [PERSON], Ann Smith paid on 3 March 2021. Quux's [DISEASE], quux@x.org");
  // Its names are followed like ours, are called as ours, and hide nothing of ours.
  EXPECT_EQ(tagged(text, said, {{"merge", "scrub"}}), "At [NAME], [NAME] paid on [DATE]. [NAME]'s [DISEASE], [EMAIL]");
  EXPECT_EQ(tagged(text, said, {{"merge", "scrub"}, {"replacement", "token"}}),
            "At [NAME_1], [NAME_2] paid on [DATE_1]. [NAME_3]'s [DISEASE_1], [EMAIL_1]");
  EXPECT_EQ(tagged(text, R"("spans":[])", {{"merge", "scrub"}}),
            "At W\u00EFmm Quux, [NAME] paid on [DATE]. Quux's flu, [EMAIL]");
  // What overlaps is one span, of the type that begins first.
  EXPECT_EQ(tagged(text, R"("spans":[[12,18],[20,28]])", {{"merge", "scrub"}}),
            "At W\u00EFmm Quux[MASKED] on [DATE]. Quux's flu, [EMAIL]");
  EXPECT_EQ(tagged("Ann Smith", R"("spans":[[0,9,"Bea"]])", {{"merge", "scrub"}}), "Bea");
  EXPECT_EQ(tagged(text, R"("text":"x")", {{"merge", "scrub"}}),
            "!the command's answer has no \"spans\" to merge with those of scrub");
}

TEST(CommandSanitizer, MakesSafeWhatItMerges) {
  const std::string text = "Wimm Quux lives here";
  const auto one = [](const std::string& type, const std::string& with) {
    return R"("spans":[{"start":0,"end":9,"type":")" + type + R"(","replacement":")" + with + R"("}])";
  };
  EXPECT_EQ(tagged(text, R"("spans":[{"start":0,"end":9,"type":"QUUX"}])", {{"merge", "scrub"}}),
            "[MASKED] lives here");
  EXPECT_EQ(tagged(text, R"("spans":[{"start":0,"end":9,"type":"x] Wimm"}])", {{"merge", "scrub"}}),
            "[MASKED] lives here");
  EXPECT_EQ(tagged(text, one("PERSON", "Mr quux"), {{"merge", "scrub"}}), "[NAME] lives here");
  EXPECT_EQ(tagged(text, one("PERSON", "somebody"), {{"merge", "scrub"}}), "somebody lives here");
  // By itself the program is what is measured.
  EXPECT_EQ(tagged(text, one("PERSON", "Mr quux"), {}), "Mr quux lives here");
  const SanitizeInput input{"a", text};
  SanitizeOutput output;
  const auto sanitizer = make_sanitizer(
      "command",
      {{{"command", "cat > /dev/null; echo '{\"id\":\"a\"," + one("PERSON", "Wimm") + "}'"}, {"merge", "scrub"}}});
  EXPECT_TRUE(sanitizer->notes().empty());
  sanitizer->sanitize_all({&input, 1}, {&output, 1}, 1);
  EXPECT_EQ(
      sanitizer->notes(),
      std::vector<std::string>{"1 replacements of the program say words that are hidden: tags stand there instead"});
}

TEST(CommandSanitizer, FollowsTheTypesOfCommonTaggers) {
  const std::string text = "Zorbex Qwillan came. qwillan left the hospital.";
  const auto as = [&](const std::string& type) {
    return tagged(text, R"("spans":[{"start":0,"end":14,"type":")" + type + R"("}])", {{"merge", "scrub"}});
  };
  for (const char* type : {"PER", "B-PER", "I-PER", "B_PER", "PERSON_NAME", "NAME_GIVEN", "GIVENNAME", "GIVENNAME1",
                           "SURNAME", "FIRSTNAME", "LASTNAME", "PATIENT", "Doctor"})
    EXPECT_EQ(as(type), "[NAME] came. [NAME] left the hospital.") << type;
  for (const char* type : {"ORG", "COMPANY", "HOSPITAL", "B-ORG", "COMPANYNAME"}) {
    EXPECT_EQ(tagged("At Zorbex; zorbex paid", R"("spans":[{"start":3,"end":9,"type":")" + std::string(type) + R"("}])",
                     {{"merge", "scrub"}}),
              "At [ORGANISATION]; [ORGANISATION] paid")
        << type;
  }
  for (const char* type : {"CITY", "LOC", "GPE", "B-LOC", "LOCATION_CITY", "COUNTRY"}) {
    EXPECT_EQ(tagged("In Zorbex; zorbex burns",
                     R"("spans":[{"start":3,"end":9,"type":")" + std::string(type) + R"("}])", {{"merge", "scrub"}}),
              "In [PLACE]; [PLACE] burns")
        << type;
  }
}

// One name for another would put that one back.
TEST(CommandSanitizer, PutsNoHiddenNameInThePlaceOfAnother) {
  const std::string text = "Wimm Quux met Jan Kowalczyk. Kowalczyk left.";
  for (const char* with : {"Kowalczyk", "K o w a l c z y k", "KOWALCZ", "owalczyk"}) {
    EXPECT_EQ(tagged(text,
                     R"("spans":[{"start":0,"end":9,"type":"PER","replacement":")" + std::string(with) +
                         R"("},{"start":14,"end":27,"type":"PER","replacement":"Peter"}])",
                     {{"merge", "scrub"}}),
              "[NAME] met Peter. [NAME] left.")
        << with;
  }
}

TEST(CommandSanitizer, CountsOffsetsAsItIsTold) {
  const std::string text = "\U0001F600 Zo\u00EB!";
  EXPECT_EQ(tagged(text, R"("spans":[[2,5]])", {}), "\U0001F600 [MASKED]!");
  EXPECT_EQ(tagged(text, R"("spans":[[5,9]])", {{"unit", "byte"}}), "\U0001F600 [MASKED]!");
  EXPECT_EQ(tagged(text, R"("spans":[[3,6]])", {{"unit", "utf16"}}), "\U0001F600 [MASKED]!");
  EXPECT_EQ(tagged(text, R"("unit":"utf16","spans":[[3,6]])", {{"unit", "byte"}}), "\U0001F600 [MASKED]!");
  EXPECT_EQ(tagged(text, R"("unit":"word","spans":[[3,6]])", {}), "!unit is none of codepoint, byte, utf16");
  EXPECT_EQ(tagged(text, R"("spans":[[5,9]])", {{"unit", "byte"}, {"replacement", "stars"}}), "\U0001F600 ***!");
}

TEST(CommandSanitizer, IsAskedAgainWhereItsSpansMeanSomethingElse) {
  const auto asked = [](const std::map<std::string, std::string>& params) {
    return make_sanitizer("command", {params})->asked();
  };
  EXPECT_EQ(asked({{"command", "cat"}}), asked({{"command", "cat"}, {"merge", "no"}, {"unit", "codepoint"}}));
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"merge", "scrub"}, {"unit", "byte"}, {"replacement", "token"}}) {
    EXPECT_NE(asked({{"command", "cat"}}), asked({{"command", "cat"}, {name, value}})) << name;
    EXPECT_THROW(asked({{"command", "cat"}, {name, "other"}}), Error) << name;
  }
}

TEST(CommandSanitizer, FailsTheRecordsThatItAnswersWrongly) {
  const std::string none = "!the command gave no answer";
  EXPECT_EQ(ask("sed '2d; 3s/.*/garbage/; 4s/\"d\"/\"z\"/'"),
            (Answers{"Zoë says a.", none, none, none, "Zoë says e."}));
  EXPECT_EQ(ask("sed 's/\"text\".*/\"error\":\"refused\"}/'")[0], "!refused");
  EXPECT_EQ(ask("sed 's/\"text\".*/\"texts\":1}/'")[0],
            "!the command's answer has neither \"text\" nor \"spans\" nor \"error\"");
  EXPECT_EQ(ask("sed 1p")[0], "!the command answered twice");
  EXPECT_EQ(ask("true"), (Answers{none, none, none, none, none}));
}

// What cannot be read was meant for somebody all the same.
TEST(CommandSanitizer, SaysWhyAnAnswerCannotBeRead) {
  const auto said = [](const std::string& answer) {
    return ask("cat > /dev/null; printf '%b\\n' '" + answer + "'")[1];
  };
  const std::string why = "!the command's answer cannot be read: ";
  EXPECT_EQ(said(R"({"id":"b","text":"\\ud83d"})"), why + "a string has a malformed escape or a lone surrogate");
  EXPECT_EQ(said(R"({"id":"b","text":"a\\u0000b"})"), why + "a NUL character");
  EXPECT_EQ(said(R"({"text":"a\0000b", "id" : "b"})"), why + "a string has an unescaped control character");
  EXPECT_EQ(said(R"({"id":"b","text":"\0377"})"), why + "not valid UTF-8");
  EXPECT_EQ(said(R"({"id":"b","text":"Zo)"), why + "a string is not closed");
  EXPECT_EQ(said(R"({"id":"b","text":NaN})"), why + "a number is not finite");
  EXPECT_EQ(said(R"({"id":"b","text":"a","text":"b"})"), why + "a field appears twice in one object");
  EXPECT_EQ(said(R"({"id":"\\u0062","text":"\\ud83d"})"), why + "a string has a malformed escape or a lone surrogate");
  // Nobody's, or somebody's who is only spoken of.
  EXPECT_EQ(said(R"({"id":"z","text":"\\ud83d"})"), "!the command gave no answer");
  EXPECT_EQ(said(R"({"text":"\\"id\\":\\"b\\" \\ud83d"})"), "!the command gave no answer");
  EXPECT_EQ(said(R"({"id":"b","text":"fine"}\n{"id":"b","text":"\\ud83d"})"), "!the command answered twice");
}

// Its answers are kept under all that is known to decide them.
TEST(CommandSanitizer, KnowsWhomItAsked) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("programs-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string script = folder / "mine.sh", python = folder / "a b.py", log = folder / "calls.txt";
  const auto write = [](const std::string& file, const char* text) { std::ofstream(file) << text; };
  write(script, "#!/bin/sh\ncat\n");
  write(python, "pass\n");
  write(log, "1\n");
  const std::string command =
      "exec " + script + " --log " + log + " | /usr/bin/env cat '" + python + "' > \"$HOME/x.sh\"";
  EXPECT_EQ(program_files(command), (std::vector<std::string>{script, python}));
  const auto asked = [&](std::map<std::string, std::string> more = {}, std::optional<std::uint64_t> seed = {}) {
    SanitizerSetting setting{{{"command", command}}};
    setting.params.merge(more);
    setting.seeded = seed.has_value();
    setting.seed = seed.value_or(0);
    return make_sanitizer("command", setting)->asked();
  };
  const std::string first = asked();
  EXPECT_EQ(first.size(), 32U);
  write(log, "2\n");
  EXPECT_EQ(asked({{"timeout", "7"}}), first);
  EXPECT_NE(asked({{"revision", "2"}}), first);
  EXPECT_NE(asked({}, 0), first);
  EXPECT_NE(asked({}, 0), asked({}, 1));
  write(python, "exit()\n");
  EXPECT_NE(asked(), first);
  EXPECT_EQ(make_sanitizer("scrub", {})->asked(), "");
  std::filesystem::remove_all(folder);
}

TEST(CommandSanitizer, GoesOnBehindARecordThatKillsIt) {
  EXPECT_EQ(ask(R"(while read line; do case $line in *'"b"'*) kill -9 $$;; *) echo "$line";; esac; done)"),
            (Answers{"Zoë says a.", "!the command died of signal 9", "Zoë says c.", "Zoë says d.", "Zoë says e."}));
  EXPECT_EQ(ask(R"(while read line; do case $line in *'"d"'*) exit 3;; *) echo "$line";; esac; done)")[3],
            "!the command ended with exit code 3");
}

TEST(CommandSanitizer, GoesOnBehindARecordThatItHangsOn) {
  EXPECT_EQ(ask(R"(while read line; do case $line in *'"c"'*) sleep 60;; *) echo "$line";; esac; done)", "0.3"),
            (Answers{"Zoë says a.", "Zoë says b.", "!the command fell silent", "Zoë says d.", "Zoë says e."}));
}

TEST(CommandSanitizer, GarbageWithoutEndIsSilence) {
  EXPECT_EQ(ask("cat; yes garbage", "0.3")[4], "Zoë says e.");
  EXPECT_EQ(error_of("yes garbage", "0.1"), Code::kBadInput);
}

TEST(CommandSanitizer, ManyRecordsInARowMayKillAProgramThatHasAnswered) {
  std::vector<std::string> keys;
  for (int i = 0; i < 9; ++i) keys.push_back("r" + std::to_string(i));
  std::vector<SanitizeInput> inputs;
  for (const std::string& key : keys) inputs.push_back({key, "Zoë"});
  std::vector<SanitizeOutput> outputs(inputs.size());
  const std::string command =
      R"(while read line; do case $line in *'"r0"'*|*'"r8"'*) echo "$line";; *) exit 3;; esac; done)";
  make_sanitizer("command", {{{"command", command}}})->sanitize_all(inputs, outputs, 1);
  EXPECT_EQ(outputs.front().text, "Zoë");
  EXPECT_EQ(outputs.back().text, "Zoë");
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(outputs[i].error, "the command ended with exit code 3");
}

TEST(CommandSanitizer, GivesUpWhereNothingIsEverAnswered) {
  EXPECT_EQ(error_of("exit 1"), Code::kBadInput);
  EXPECT_EQ(error_of("no-such-program-anywhere 2> /dev/null"), Code::kBadInput);
}

TEST(CommandSanitizer, StopsWhenInterrupted) {
  EXPECT_THROW(ask("sleep 60", "50", [] { return true; }), Error);
}

TEST(CommandSanitizer, TakesTextsThatFillEveryPipe) {
  std::string text(300'000, 'x');
  const SanitizeInput input{"a", text};
  std::vector<SanitizeInput> inputs(4, input);
  const std::vector<std::string> keys = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < keys.size(); ++i) inputs[i].key = keys[i];
  std::vector<SanitizeOutput> outputs(4);
  make_sanitizer("command", {{{"command", "cat"}}})->sanitize_all(inputs, outputs, 1);
  for (const SanitizeOutput& output : outputs) EXPECT_EQ(output.text, text);
}

}  // namespace
}  // namespace residue::ingest
