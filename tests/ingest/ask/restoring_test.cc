// The run's own text is restored by place; what anybody else wrote never silently to the wrong words.
#include "ingest/ask/restoring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ingest/method/span_masking.h"

namespace residue::ingest {
namespace {

using Counts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

RestoredResponse restored_one(const ToRestore& one) { return restored(std::vector{one}, nullptr).at(0); }

Counts counts_of(const RestoredResponse& one) {
  return {one.put_back.value_or(999), one.ambiguous, one.left, one.absent};
}

// Ruth is Ann's surrogate, and a word of the original; she is replaced in one place and stays in another.
constexpr const char* kOriginal = "Ann met Ruth. Ruth left.";
constexpr const char* kSanitized = "Ruth met Eve. Ruth left.";
constexpr const char* kTable = R"([["Ann","Ruth"],["Ruth","Eve"]])";
constexpr const char* kSpans = R"([[0,3,"name","Ruth"],[8,12,"name","Eve"]])";

TEST(Restoring, KnowsPlacesInTheTextOfTheRun) {
  RestoredResponse made = restored_one({kSanitized, kTable, kOriginal, kSanitized, kSpans});
  EXPECT_EQ(made.text, kOriginal);
  EXPECT_EQ(counts_of(made), (Counts{2, 0, 0, 0}));
  // In any other text Ruth may be Ruth.
  made = restored_one({"Ruth met Eve.", kTable, kOriginal, kSanitized, kSpans});
  EXPECT_EQ(made.text, "Ruth met Ruth.");
  EXPECT_EQ(counts_of(made), (Counts{1, 1, 0, 0}));
  // Without spans this text does not say where Ruth is Ann.
  made = restored_one({kSanitized, kTable, kOriginal, kSanitized});
  EXPECT_EQ(made.text, "Ruth met Ruth. Ruth left.");
  EXPECT_EQ(counts_of(made), (Counts{1, 2, 0, 0}));
  // A table that makes the text does, names exchanged or not.
  made = restored_one({"Ruth met Ann.", R"([["Ann","Ruth"],["Ruth","Ann"]])", "Ann met Ruth.", "Ruth met Ann."});
  EXPECT_EQ(made.text, "Ann met Ruth.");
  EXPECT_EQ(counts_of(made), (Counts{2, 0, 0, 0}));
}

TEST(Restoring, BelievesNoSpansOfAnotherText) {
  for (const char* spans :
       {R"([[0,3,"name","Eva"]])", R"([[0,99,"name","Ruth"]])", R"([[8,12,"name","Eve"],[0,3,"name","Ruth"]])",
        R"([["0",3,"name","Ruth"]])", "nonsense", "{}"}) {
    const RestoredResponse made = restored_one({kSanitized, kTable, kOriginal, kSanitized, spans});
    EXPECT_EQ(made.text, "Ruth met Ruth. Ruth left.") << spans;
  }
}

TEST(Restoring, CountsWhatStandsForSeveralWordings) {
  // A surrogate of two wordings is in no table of the run.
  const char* spans = R"([[0,5,"name","Lopez"],[7,13,"name","Lopez"],[15,19,"place","Bergen"]])";
  const char* original = "Nunez, Nu\u00F1ez; Oslo";
  const char* sanitized = "Lopez, Lopez; Bergen";
  EXPECT_EQ(restored_one({sanitized, R"([["Oslo","Bergen"]])", original, sanitized, spans}).text, original);
  const RestoredResponse made = restored_one({"Lopez of Bergen", R"([["Oslo","Bergen"]])", original, sanitized, spans});
  EXPECT_EQ(made.text, "Lopez of Oslo");
  EXPECT_EQ(counts_of(made), (Counts{1, 1, 0, 0}));
}

TEST(Restoring, CountsWhatIsLeft) {
  const RestoredResponse made =
      restored_one({"BERGEN, Bergens or Ing", R"([["Oslo","Bergen"],["Ann","Inge"],["Bo","Otto"]])", "Oslo, Ann, Bo",
                    "Bergen, Inge, Otto"});
  EXPECT_EQ(made.text, "BERGEN, Bergens or Ing");
  EXPECT_EQ(counts_of(made), (Counts{0, 0, 3, 1}));
}

// A run of spans drawn at random, names of the original among the surrogates: its own text comes back exactly; in a
// text of which every word is meant as somebody means it no word of the original ever becomes another.
RC_GTEST_PROP(Restoring, NeverTakesAWordOfTheOriginalForAnother, ()) {
  const auto name = rc::gen::inRange<std::size_t>(0, 8);
  const auto words = *rc::gen::container<std::vector<std::size_t>>(12, name);
  const auto surrogates = *rc::gen::container<std::vector<std::size_t>>(8, rc::gen::inRange<std::size_t>(0, 14));
  const auto replaced = *rc::gen::container<std::vector<bool>>(12, rc::gen::arbitrary<bool>());
  const auto word = [](std::size_t i) { return fmt::format("w{}", i); };
  std::string original;
  std::vector<MaskedSpan> spans;
  std::map<std::string, std::set<std::string>> meanings;  // of surrogates
  std::set<std::string> own;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string is = word(words[i]), with = word(surrogates[words[i]]);
    own.insert(is);
    const std::size_t begin = original.size();
    original += is;
    if (replaced[i]) {
      spans.push_back({begin, original.size(), "name", with});
      if (is != with) meanings[with].insert(is);
    }
    original += ", ";
  }
  const SanitizeOutput output = mask(original, spans, Masking::kTag);
  const auto table = substitutions_of(output, original);
  RC_PRE(table.has_value());
  const auto span_json = span_table(output).value();
  const RestoredResponse exact = restored_one({*output.text, *table, original, *output.text, span_json});
  RC_ASSERT(exact.text == original);
  // Of every word of anybody's text: what it must become.
  const auto said = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 16));
  std::string response = "Dear ", expected = "Dear ";
  std::uint64_t put_back = 0, ambiguous = 0;
  for (const std::size_t i : said) {
    const auto found = meanings.find(word(i));
    const bool sure = found != meanings.end() && found->second.size() == 1 && !own.contains(word(i));
    response += word(i) + ", ";
    expected += (sure ? *found->second.begin() : word(i)) + ", ";
    put_back += sure ? 1 : 0;
    ambiguous += found != meanings.end() && !sure ? 1 : 0;
  }
  const RestoredResponse made = restored_one({response, *table, original, *output.text, span_json});
  RC_ASSERT(made.text == expected);
  RC_ASSERT(made.put_back == put_back);
  RC_ASSERT(made.ambiguous == ambiguous);
}

// Several responses are restored in one call; one may be the very text that was sent.
TEST(Restoring, EachResponseIsToldOfItsOwnText) {
  const std::string ann = R"([["Ann","Ruth"]])", bob = R"([["Bob","Carl"]])";
  const std::vector<ToRestore> responses = {
      {"Dear Ruth, hello.", ann, "Ann sings.", "Ruth sings.", {}},
      {"Carl cooks.", bob, "Bob cooks.", "Carl cooks.", {}},
      {"Dear Carl, hello.", bob, "Bob cooks.", "Carl cooks.", {}},
  };
  const std::vector<RestoredResponse> all = restored(responses, nullptr);
  EXPECT_EQ(all[0].text, "Dear Ann, hello.");
  EXPECT_EQ(all[1].text, "Bob cooks.");
  EXPECT_EQ(all[2].text, "Dear Bob, hello.");
}

}  // namespace
}  // namespace residue::ingest
