#include "cli/shell/completion.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace residue::cli {
namespace {

ShellNames some() {
  ShellNames names;
  names.views = {{"leaks", {"record", "rating", "run"}}, {"records", {"record", "person"}}};
  names.functions = {"rouge_l", "round"};
  names.tables = {"bm25"};
  names.values = {"clinic", "clinic/scrub", "scrub", "leak_rate", "o'b", "evil\x1b[2J"};
  names.commands = {".mode", ".schema"};
  names.modes = {"json", "jsonl"};
  return names;
}

std::string found(std::string_view text) {
  const Completion completion = complete(some(), text);
  std::string all = std::to_string(completion.begin) + ":";
  for (const std::string& word : completion.words) all += " " + word;
  return all;
}

TEST(Completion, IsOfWhatMayStandThere) {
  const struct {
    const char* text;
    const char* words;
  } cases[] = {
      {"SELECT rec", "7: record records"},
      {"SELECT REC", "7: record records"},
      {"SELECT * FROM l", "14: leaks"},
      {"SELECT * FROM leaks JOIN r", "25: records"},
      {"SELECT * FROM b", "14: bm25("},
      {"SELECT * FROM leaks WHERE p", "26: PARTITION"},
      {"SELECT * FROM records WHERE p", "28: PARTITION person"},
      {"SELECT l.rat", "9: rating"},
      {"SELECT ro", "7: rouge_l( round("},
      {"SELECT * FROM leaks WHERE run = 'sc", "33: scrub'"},
      {"SELECT * FROM bm25('cli", "20: clinic' clinic/scrub'"},
      {"SELECT 'o", "8:"},
      {"SELECT 'ev", "8:"},
      {"SELECT 'x' le", "11: LEFT leaks"},
      {"SELECT zz", "7:"},
      {".m", "0: .mode"},
      {".mode j", "6: json jsonl"},
      {".schema L", "8: leaks"},
      {".quit l", "6:"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(found(one.text), one.words);
  }
}

TEST(Completion, GoesAsFarAsAllAgree) {
  EXPECT_EQ(common_beginning({"record", "records"}), "record");
  EXPECT_EQ(common_beginning({"LIKE", "limit"}), "LI");
  EXPECT_EQ(common_beginning({"ä", "ö"}), "");
  EXPECT_EQ(common_beginning({"one"}), "one");
  EXPECT_EQ(common_beginning({}), "");
}

}  // namespace
}  // namespace residue::cli
