#include "ingest/rows/text_spans.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/span_masking.h"
#include "ingest/read/json_parser.h"

namespace residue::ingest {
namespace {

using text::Unit;

// Code points: a 0, U+1F600 1, é 2, space 3, b 4. UTF-16: 0, 1, 3, 4, 5. Bytes: 0, 1, 5, 7, 8.
constexpr std::string_view kText = "a\xF0\x9F\x98\x80\xC3\xA9 b";

std::vector<MaskedSpan> spans_of(std::string_view json, Unit unit = Unit::kCodepoint) {
  JsonParser parser;
  Value value;
  parser.parse(json, value, true);
  return text_spans(value, kText, unit);
}

std::string rendered(std::string_view json, Unit unit = Unit::kCodepoint) {
  return mask(kText, spans_of(json, unit), Masking::kTag).text.value();
}

std::string refusal(std::string_view json, Unit unit = Unit::kCodepoint) {
  try {
    spans_of(json, unit);
  } catch (const Refusal& refusal) {
    return refusal.cause;
  }
  return "";
}

TEST(TextSpans, CountInTheUnitThatIsSaid) {
  EXPECT_EQ(rendered("[[1,3]]"), "a[MASKED] b");
  EXPECT_EQ(rendered("[[1,4]]", Unit::kUtf16), "a[MASKED] b");
  EXPECT_EQ(rendered("[[1,7]]", Unit::kByte), "a[MASKED] b");
  EXPECT_EQ(rendered("[[4,5],[0,1]]"), "[MASKED]\xF0\x9F\x98\x80\xC3\xA9 [MASKED]");
  EXPECT_EQ(rendered("[[5,6],[0,1]]", Unit::kUtf16), "[MASKED]\xF0\x9F\x98\x80\xC3\xA9 [MASKED]");
}

TEST(TextSpans, MayBeInsideNoCharacter) {
  EXPECT_EQ(refusal("[[0,1],[2,3]]", Unit::kUtf16), "span 2 does not mark a part of the record's text");
  EXPECT_EQ(refusal("[[1,6]]", Unit::kByte), "span 1 does not mark a part of the record's text");
  EXPECT_EQ(refusal("[[1,5]]", Unit::kByte), "");
  EXPECT_EQ(refusal("[[0,6]]"), "span 1 does not mark a part of the record's text");
  EXPECT_EQ(refusal("[[0,7]]", Unit::kUtf16), "span 1 does not mark a part of the record's text");
  EXPECT_EQ(refusal("[[0,5]]"), "");
}

TEST(TextSpans, MustSayWhatTheyCover) {
  EXPECT_EQ(refusal(R"([{"start":1,"end":2,"text":"\ud83d\ude00"},{"start":2,"end":3,"text":"\u00e9"}])"), "");
  EXPECT_EQ(refusal(R"([{"start":1,"end":3,"text":"\ud83d\ude00"}])", Unit::kUtf16), "");
  EXPECT_EQ(refusal(R"([{"start":0,"end":1,"text":"a"},{"start":3,"end":4,"text":"\u00e9"}])"),
            "the text of span 2 is not what its offsets cover");
  EXPECT_EQ(refusal(R"([{"start_offset":0,"end_offset":1,"span_text":"b"}])"),
            "the text of span 1 is not what its offsets cover");
  EXPECT_EQ(refusal(R"([{"start":0,"end":1,"text":null}])"), "");
}

TEST(TextSpans, AreReadInEveryShape) {
  EXPECT_EQ(rendered(R"([[0,1,"Z"]])"), "Z\xF0\x9F\x98\x80\xC3\xA9 b");
  EXPECT_EQ(rendered(R"([[0,1,null]])"), "[MASKED]\xF0\x9F\x98\x80\xC3\xA9 b");
  EXPECT_EQ(rendered(R"([{"start":0,"end":1,"type":"Case Number"},{"start":4,"end":5,"replacement":"c"}])"),
            "[CASE_NUMBER]\xF0\x9F\x98\x80\xC3\xA9 c");
  EXPECT_EQ(rendered(R"([{"start_offset":0,"end_offset":1,"entity_type":"PERSON","span_text":"a"}])"),
            "[PERSON]\xF0\x9F\x98\x80\xC3\xA9 b");
  EXPECT_EQ(rendered(R"([[5,5,"!"]])"), std::string(kText) + "!");
  EXPECT_EQ(rendered("[]"), kText);
}

TEST(TextSpans, AreRefusedWithTheirNumber) {
  const struct {
    const char* json;
    const char* cause;
  } kBad[] = {
      {R"([[0,1],[1]])", "span 2 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([[0,1,"a",2]])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([[0.0,1]])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([["0","1"]])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([[0,true]])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([0,1])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([{"start":0}])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([[0,1,7]])", "span 1 is neither [start, end] nor {\"start\", \"end\"}"},
      {R"([[0,1],[2,2]])", "span 2 does not start before its end"},
      {R"([[2,1]])", "span 1 does not start before its end"},
      {R"([[-1,1]])", "field \"spans\" is not an integer of at least 0"},
      {R"({"a":1})", "the spans are no array"},
  };
  for (const auto& [json, cause] : kBad) {
    SCOPED_TRACE(json);
    EXPECT_EQ(refusal(json), cause);
  }
}

}  // namespace
}  // namespace residue::ingest
