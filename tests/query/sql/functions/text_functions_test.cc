#include "query/sql/functions/text_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "query/explain/snippet.h"
#include "query/sql/functions/marked_diff.h"
#include "query/sql/functions/token_tables.h"
#include "tests/text/parity.h"
#include "text/characters/as_read.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

const TextFunction& named(std::string_view name) {
  for (const TextFunction& function : text_functions()) {
    if (function.name == name) return function;
  }
  throw Error(Code::kInternal, "no such function");
}

SqlValue call(std::string_view name, const std::vector<SqlValue>& arguments, const TextTools& tools = {}) {
  return call_text_function(named(name), arguments, tools);
}

double number(const SqlValue& value) { return std::get<double>(value); }

TEST(TextFunctions, EqualTheReferencesOfRouge) {
  const auto cases = text::parity_cases("rouge.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/rouge.jsonl: set RESIDUE_PARITY";
  for (const auto& row : cases) {
    SCOPED_TRACE(row.at("id").dump());
    const SqlValue reference = row.at("ref").get<std::string>();
    const SqlValue hypothesis = row.at("hyp").get<std::string>();
    const auto& stem = row.at("stem");
    const auto f = [&](const char* name) { return stem.at(name).at("f").get<double>(); };
    EXPECT_EQ(number(call("rouge_l", {reference, hypothesis})), f("rougeL"));
    EXPECT_EQ(number(call("rouge_n", {reference, hypothesis, std::int64_t{1}})), f("rouge1"));
    EXPECT_EQ(number(call("rouge_n", {reference, hypothesis, std::int64_t{3}})), f("rouge3"));
  }
}

TEST(TextFunctions, EqualTheReferencesOfBleuAndJaroWinkler) {
  const auto bleu = text::parity_cases("bleu.jsonl");
  const auto names = text::parity_cases("jarowinkler.jsonl");
  if (bleu.empty() || names.empty()) GTEST_SKIP() << "no parity/bleu.jsonl: set RESIDUE_PARITY";
  for (const auto& row : bleu) {
    SCOPED_TRACE(row.at("id").dump());
    EXPECT_NEAR(number(call("bleu", {row.at("ref").get<std::string>(), row.at("hyp").get<std::string>()})),
                row.at("nltk").at("method4").at(3).get<double>(), 1e-12);
  }
  for (const auto& row : names) {
    SCOPED_TRACE(row.at("id").dump());
    EXPECT_EQ(number(call("jaro_winkler", {row.at("a").get<std::string>(), row.at("b").get<std::string>()})),
              row.at("rapidfuzz_jaro_winkler").get<double>());
  }
}

TEST(TextFunctions, VaderIsTheCompoundOfTheLexiconThatIsNamed) {
  TextTools tools;
  tools.vader = std::make_shared<const text::Vader>("fine\t2.0\ndull\t-2.0\n", "");
  EXPECT_EQ(number(call("vader", {std::string("It is fine.")}, tools)), std::round(1e4 * 2 / std::sqrt(19)) / 1e4);
  EXPECT_LT(number(call("vader", {std::string("It is dull.")}, tools)), 0);
  EXPECT_THROW(call("vader", {std::string("It is fine.")}), Error);
}

TEST(TextFunctions, AsReadIsWhatAReaderSees) {
  const auto read = [](const char* text) { return std::get<std::string>(call("as_read", {std::string(text)})); };
  EXPECT_EQ(read("Maria keeps bees."), "Maria keeps bees.");
  EXPECT_EQ(read("J&#111;hn"), "John");
  EXPECT_EQ(read("Jos\u0065\u0301 Jo\u200Bhn"), "Jos\u00E9 John");
}

TEST(TextFunctions, ShowThePartOfATextThatMatches) {
  const std::string text = "Tom repairs clocks in Bern. " + std::string(40, 'x') + " Maria keeps many bees in Graz.";
  EXPECT_EQ(call("snippet", {text, std::string("bee keeping"), std::int64_t{24}}),
            SqlValue(std::string("… Maria keeps many bees in …")));
  const std::map<std::string, double, std::less<>> weights = {{"bee", 1}, {"keep", 1}};
  EXPECT_EQ(call("snippet", {text, std::string("bee keeping")}),
            SqlValue(make_snippet(text, text::Analyzer::fsp(), weights, 160).text));
}

TEST(TextFunctions, RefuseWhatTheyDoNotTake) {
  const std::string a = "a";
  const std::int64_t one = 1;
  for (const TextFunction& function : text_functions()) {
    SCOPED_TRACE(function.name);
    EXPECT_THROW(call(function.name, {}), Error);
    EXPECT_THROW(call(function.name, {a, a, one, one}), Error);
    EXPECT_THROW(call(function.name, std::vector<SqlValue>(function.required, SqlValue(std::int64_t{7}))), Error);
    EXPECT_THROW(call(function.name, std::vector<SqlValue>(function.required, SqlValue(SqlBlob{"x"}))), Error);
    EXPECT_EQ(call(function.name, std::vector<SqlValue>(function.required)), SqlValue());
  }
  EXPECT_EQ(call("rouge_l", {a, {}}), SqlValue());
  EXPECT_THROW(call("rouge_n", {a, a, std::int64_t{0}}), Error);
  EXPECT_THROW(call("rouge_n", {a, a, std::int64_t{101}}), Error);
  EXPECT_THROW(call("rouge_n", {a, a, a}), Error);
  EXPECT_THROW(call("snippet", {a, a, 1.5}), Error);
}

// A call cannot be stopped: what would take longer than a statement may is refused.
TEST(TextFunctions, RefuseTextsThatWouldTakeTooLong) {
  const std::string megabyte(std::size_t{1} << 20U, 'x');
  const std::string little("x");
  EXPECT_THROW(call("rouge_l", {megabyte + little, megabyte + megabyte}), Error);
  EXPECT_THROW(call("diff", {megabyte + megabyte, megabyte + little}), Error);
  EXPECT_THROW(call("jaro_winkler", {megabyte, megabyte}), Error);
  EXPECT_EQ(number(call("jaro_winkler", {megabyte, little})) > 0, true);
  EXPECT_THROW(
      call("as_read", {megabyte + megabyte + megabyte + megabyte + megabyte + megabyte + megabyte + megabyte + little}),
      Error);
}

TEST(MarkedDiff, IsReadLikeAText) {
  const struct {
    const char* original;
    const char* sanitized;
    const char* shown;
  } cases[] = {
      {"Maria keeps bees.", "Maria keeps bees.", "Maria keeps bees."},
      {"Maria keeps bees.", "[NAME] keeps bees.", "[-Maria-] {+[NAME]+} keeps bees."},
      {"She is 47 years old.", "She is old.", "She is [-47 years-] old."},
      {"She is old.", "She is 47 years old.", "She is {+47 years+} old."},
      {"She lives in Graz", "She lives in", "She lives in [-Graz-]"},
      {"Yes, Maria keeps bees", "keeps bees", "[-Yes, Maria-] keeps bees"},
      {"Maria", "", "[-Maria-]"},
      {"", "Maria", "{+Maria+}"},
      {"", "", ""},
      {"Jos\u00E9 sings", "Jose\u0301 sings", "Jose\u0301 sings"},
      {"a b", "b a", "{+b+} a [-b-]"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.original);
    EXPECT_EQ(marked_diff(one.original, one.sanitized), one.shown);
  }
}

// Without its marks it is the one text or the other, word by word.
TEST(MarkedDiff, HasTheWordsOfBothTexts) {
  const auto cases = text::parity_cases("rouge.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/rouge.jsonl: set RESIDUE_PARITY";
  const auto without = [](std::string text, const std::string& open, const std::string& close) {
    for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
      const std::size_t end = text.find(close, at);
      text.erase(at, end + close.size() - at);
    }
    return text;
  };
  const auto words = [](const std::string& text) {
    std::vector<std::string> all;
    for (const text::ReadToken& token : text::read_tokens(text)) all.push_back(token.word);
    return all;
  };
  std::size_t compared = 0;
  for (const auto& row : cases) {
    const auto original = row.at("ref").get<std::string>();
    const auto sanitized = row.at("hyp").get<std::string>();
    const std::string shown = marked_diff(original, sanitized);
    if (shown.find("[-") != shown.rfind("[-") && (original + sanitized).find_first_of("[]{}") != std::string::npos)
      continue;
    SCOPED_TRACE(shown);
    EXPECT_EQ(words(without(shown, "[-", "-]")), words(sanitized));
    EXPECT_EQ(words(without(shown, "{+", "+}")), words(original));
    ++compared;
  }
  EXPECT_GT(compared, 50U);
}

TEST(TokenTables, HaveTheWordsAndTermsOfAText) {
  const std::string text = "Wäre María's bees and the Bees";
  const SqlRows rows = token_rows(text);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[1], (std::vector<SqlValue>{std::int64_t{2}, std::string("María's"), std::string("maria"),
                                            std::int64_t{6}, std::int64_t{7}}));
  EXPECT_EQ(rows[3][2], SqlValue());
  std::vector<std::string> terms, expected;
  for (const auto& row : rows) {
    if (const auto* term = std::get_if<std::string>(&row[2])) terms.push_back(*term);
  }
  text::Analyzer::fsp().terms(text, expected);
  EXPECT_EQ(terms, expected);
  EXPECT_EQ(token_rows(""), SqlRows());
  EXPECT_THROW(token_rows(std::string(kMostTokenBytes + 1, 'x')), Error);
}

TEST(TokenTables, CountTheNGramsThatRougeCounts) {
  EXPECT_EQ(ngram_rows("The cats and the cats sat", 2), (SqlRows{{std::string("the cat"), std::int64_t{2}},
                                                                 {std::string("cat and"), std::int64_t{1}},
                                                                 {std::string("and the"), std::int64_t{1}},
                                                                 {std::string("cat sat"), std::int64_t{1}}}));
  EXPECT_EQ(ngram_rows("two words", 3), SqlRows());
  EXPECT_THROW(ngram_rows("two words", 0), Error);
  EXPECT_THROW(ngram_rows("two words", kMostNgram + 1), Error);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += std::to_string(i) + " ";
  EXPECT_THROW(ngram_rows(many, 100), Error);  // 60 MB of them
}

}  // namespace
}  // namespace residue::query
