#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/error.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {
namespace {

// The row of one line, or nothing where it is refused.
std::optional<LabelRow> label(const std::string& kind, const std::string& line, bool reversed = false,
                              LabelSourceOptions options = {}) {
  options.path = std::filesystem::temp_directory_path() / ("residue-label-" + std::to_string(::getpid()) + ".jsonl");
  options.kind = kind;
  options.reversed_scale = reversed;
  std::ofstream(options.path, std::ios::binary) << line << '\n';
  LabelRow row;
  RowError bad;
  const RowResult result = open_labels(options)->next(row, bad);
  std::filesystem::remove(options.path);
  return result == RowResult::kRow ? std::optional(row) : std::nullopt;
}

TEST(LabelRows, TurnReversedRatings) {
  const auto row = label("support", R"({"claim":"r#1#2","rating":3,"annotator":"a1"})", true);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->record, "r#1");
  EXPECT_EQ(row->claim, 2U);
  EXPECT_EQ(row->payload, R"({"annotator":"a1","claim":"r#1#2","rating":1})");
}

TEST(LabelRows, RefuseWhatIsOutOfRange) {
  EXPECT_FALSE(label("support", R"({"claim":"r#0","rating":1})"));
  EXPECT_FALSE(label("support", R"({"claim":"r#1","rating":4})"));
  EXPECT_FALSE(label("support", R"({"claim":"r#1","rating":1.5})"));
  EXPECT_FALSE(label("span", R"({"record":"r","start":3,"end":3})"));
  EXPECT_FALSE(label("span", R"({"record":"r","start":3,"end":5,"unit":"word"})"));
  EXPECT_TRUE(label("span", R"({"record":"r","start":3,"end":5,"unit":"utf16"})"));
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"age","value":"4","certainty":6})"));
  EXPECT_TRUE(label("attribute", R"({"record":"r","attribute":"age","value":45,"certainty":5})"));
  EXPECT_FALSE(label("entity", R"({"record":"r","entity":"J","type":"P","relevant":1})"));
  EXPECT_TRUE(label("entity", R"({"record":"r","entity":"J","type":"P","relevant":false})"));
  EXPECT_TRUE(label("category", R"({"record":"r","category":["Age"]})"));
  EXPECT_TRUE(label("span", R"({"record":"r","start":3,"end":5,"weight":2.5})"));
  for (const char* weight : {"-1", "\"2\"", "1000001", "true"}) {
    EXPECT_FALSE(label("span", std::string(R"({"record":"r","start":3,"end":5,"weight":)") + weight + "}")) << weight;
  }
  EXPECT_FALSE(label("response", R"({"record":"r"})"));
}

TEST(LabelRows, RefuseWordsThatNothingKnows) {
  EXPECT_FALSE(label("category", R"({"record":"r","category":["Age","Agee"]})"));
  EXPECT_FALSE(label("category", R"({"record":"r","category":["no category"]})"));
  EXPECT_TRUE(label("category", R"({"record":"r","category":[]})"));
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"shoe size","value":"45"})"));
  EXPECT_FALSE(label("span", R"({"record":"r","start":3,"end":5,"identifier":"INDIRECT"})"));
  EXPECT_TRUE(label("span", R"({"record":"r","start":3,"end":5,"identifier":"quasi"})"));
  EXPECT_FALSE(label("support", R"({"claim":"r#1","rating":"Yes"})"));
}

TEST(LabelRows, RefuseWhatIsEmptyOrNoLevel) {
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"age","value":""})"));
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"age","value":" \t"})"));
  EXPECT_TRUE(label("attribute", R"({"record":"r","attribute":"location","value":"Oslo","level":"city"})"));
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"location","value":"Oslo","level":"town"})"));
  EXPECT_FALSE(label("attribute", R"({"record":"r","attribute":"location","value":"Oslo","level":2})"));
  EXPECT_FALSE(label("entity", R"({"record":"r","entity":"","type":"PERSON","relevant":false})"));
  EXPECT_FALSE(label("entity", R"({"record":"r","entity":"J","type":"","relevant":false})"));
  EXPECT_FALSE(label("span", R"({"record":"r","start":3,"end":5,"type":""})"));
  EXPECT_FALSE(label("span", R"({"record":"r","start":3,"end":5,"type":7})"));
  EXPECT_TRUE(label("span", R"({"record":"r","start":3,"end":5})"));
}

TEST(LabelRows, MarkTypesThatNothingKnows) {
  const auto unknown = [](const char* kind, const char* line, const LabelSourceOptions& options = {}) {
    return label(kind, line, false, options)->unknown_type;
  };
  EXPECT_FALSE(unknown("entity", R"({"record":"r","entity":"J","type":"PERSON","relevant":false})"));
  EXPECT_FALSE(unknown("span", R"({"record":"r","start":3,"end":5,"type":"IBAN"})"));
  EXPECT_FALSE(unknown("span", R"({"record":"r","start":3,"end":5})"));
  EXPECT_TRUE(unknown("entity", R"({"record":"r","entity":"J","type":"Person","relevant":false})"));
  LabelSourceOptions options;
  options.words.map = {{"Person", "PERSON"}, {"slot", "slot"}};
  EXPECT_FALSE(unknown("entity", R"({"record":"r","entity":"J","type":"slot","relevant":false})", options));
  const auto row = label("entity", R"({"record":"r","entity":"J","type":"Person","relevant":false})", false, options);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->payload, R"({"entity":"J","record":"r","relevant":false,"type":"PERSON"})");
}

TEST(LabelRows, MapWords) {
  LabelSourceOptions options;
  options.words.map = {{"Agee", "Age"}, {"shoe size", "shoe size"}, {"INDIRECT", "QUASI"},
                       {"Yes", "1"},    {"Perhaps", "often"},       {"odd", "no category"}};
  const auto mapped = [&](const char* kind, const char* line) {
    const auto row = label(kind, line, false, options);
    return row ? row->payload : std::string("refused");
  };
  EXPECT_EQ(mapped("category", R"({"record":"r","category":["Agee"]})"), R"({"category":["Age"],"record":"r"})");
  EXPECT_EQ(mapped("category", R"({"record":"r","category":["odd"]})"), "refused");
  EXPECT_EQ(mapped("attribute", R"({"record":"r","attribute":"shoe size","value":"45"})"),
            R"({"attribute":"shoe size","record":"r","value":"45"})");
  EXPECT_EQ(mapped("span", R"({"record":"r","start":3,"end":5,"identifier":"INDIRECT"})"),
            R"({"end":5,"identifier":"QUASI","record":"r","start":3})");
  EXPECT_EQ(mapped("support", R"({"claim":"r#1","rating":"Yes"})"), R"({"claim":"r#1","rating":1})");
  EXPECT_EQ(mapped("support", R"({"claim":"r#1","rating":"Perhaps"})"), "refused");
  EXPECT_EQ(mapped("support", R"({"claim":"r#1","rating":2})"), R"({"claim":"r#1","rating":2})");
  options.words.any_category = true;
  EXPECT_EQ(mapped("category", R"({"record":"r","category":["Hobby"]})"), R"({"category":["Hobby"],"record":"r"})");
  EXPECT_EQ(mapped("category", R"({"record":"r","category":["not categorized"]})"), "refused");
}

TEST(LabelRows, MapRatingsThatAreNumbers) {
  LabelSourceOptions options;
  options.words.map = {{"1", "3"}, {"3", "1"}, {"0", "2"}};
  const auto rating = [&](const char* said) {
    const auto row = label("support", fmt::format(R"({{"claim":"r#1","rating":{}}})", said), false, options);
    return row ? row->payload : std::string("refused");
  };
  const auto stored = [](int number) { return fmt::format(R"({{"claim":"r#1","rating":{}}})", number); };
  EXPECT_EQ(rating("1"), stored(3));
  EXPECT_EQ(rating("1.0"), stored(3));
  EXPECT_EQ(rating("1e0"), stored(3));
  EXPECT_EQ(rating("0"), stored(2));
  EXPECT_EQ(rating("2.0"), stored(2));
  for (const char* said : {"2.5", "2.", "\"2\"", "true", "4"}) EXPECT_EQ(rating(said), "refused") << said;
}

TEST(LabelRows, ReverseWhatWordsStandFor) {
  LabelSourceOptions options;
  options.words.map = {{"Yes", "3"}};
  const auto row = label("support", R"({"claim":"r#1","rating":"Yes"})", true, options);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->payload, R"({"claim":"r#1","rating":1})");
}

}  // namespace
}  // namespace residue::ingest
