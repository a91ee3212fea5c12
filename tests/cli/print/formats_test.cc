#include "cli/print/formats.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/json.h"

namespace residue::cli {
namespace {

Table one(const Cell& value, Type type = Type::kText) { return {.columns = {{"run_id", type, ""}}, .rows = {{value}}}; }

TEST(Csv, QuotesWhatNeedsQuotes) {
  const struct {
    std::string text, csv;
  } cases[] = {{"plain", "plain"},
               {"a,b", "\"a,b\""},
               {"say \"hi\"", "\"say \"\"hi\"\"\""},
               {"a\nb", "\"a\nb\""},
               {" outer", "\" outer\""},
               {"=1+1", "=1+1"},
               {"", ""},
               {"\xff", "\xff"}};
  for (const auto& c : cases) EXPECT_EQ(to_csv(one(c.text)), "run_id\n" + c.csv + "\n");
  EXPECT_EQ(to_csv(one(Cell())), "run_id\n\n");
}

TEST(Csv, DisarmsFormulasForSpreadsheetsOnly) {
  for (const std::string formula : {"=1", "+1", "-1", "@a", "\ta"}) {
    EXPECT_EQ(to_csv(one(formula), true), "run_id\n'" + formula + "\n");
    EXPECT_EQ(to_csv(one(formula), false), "run_id\n" + formula + "\n");
  }
  EXPECT_EQ(to_csv(one(-0.5, Type::kReal), true), "run_id\n-0.5\n");
  EXPECT_EQ(to_csv(one("'=1"), true), "run_id\n''=1\n") << "else it would come back as =1";
  EXPECT_EQ(to_csv(one("''+1"), true), "run_id\n'''+1\n");
  EXPECT_EQ(to_csv(one("'a"), true), "run_id\n'a\n");
}

TEST(Csv, QuotesItsOwnSeparatorOnly) {
  EXPECT_EQ(to_csv(one("a;b"), false, ';'), "run_id\n\"a;b\"\n");
  EXPECT_EQ(to_csv(one("a,b"), false, ';'), "run_id\na,b\n");
  EXPECT_EQ(to_csv(one("a\tb"), false, '\t'), "run_id\n\"a\tb\"\n");
  EXPECT_EQ(to_csv({.columns = {{"a", Type::kText, ""}, {"b", Type::kText, ""}}, .rows = {{"1", "2"}}}, false, ';'),
            "a;b\n1;2\n");
}

TEST(Tsv, EscapesTabsAndLineBreaks) { EXPECT_EQ(to_tsv(one("a\tb\nc\\")), "run_id\na\\tb\\nc\\\\\n"); }

TEST(Json, KeepsFullPrecisionAndNull) {
  const Table table = {
      .columns = {{"run", Type::kText, ""}, {"value", Type::kReal, "shown"}, {"n", Type::kInteger, ""}},
      .rows = {{"a\"b\n", 1.0 / 3, std::int64_t{9007199254740993}}, {Cell(), Cell(), Cell()}}};
  const residue::Json parsed = residue::Json::parse(to_json(table)).value();
  ASSERT_EQ(parsed.size(), 2U);
  EXPECT_EQ(parsed[0]["run"], "a\"b\n");
  EXPECT_EQ(parsed[0]["value"].get<double>(), 1.0 / 3);
  EXPECT_EQ(parsed[0]["n"].get<std::int64_t>(), 9007199254740993);
  EXPECT_TRUE(parsed[1]["value"].is_null());
  EXPECT_EQ(to_jsonl(table).find("{\"run\": \"a\\\"b\\n\", \"value\": 0.3333333333333333, \"n\": 9007199254740993}\n"),
            0U);
}

TEST(Json, HasASettingAsANumberWhereThatSaysTheSame) {
  const Table table = {.columns = {{"p", Type::kReal, ""}},
                       .rows = {{"0.2"}, {"42"}, {"010"}, {"1.10"}, {"9007199254740993"}, {"1e-5"}}};
  EXPECT_EQ(to_jsonl(table),
            "{\"p\": 0.2}\n{\"p\": 42}\n{\"p\": \"010\"}\n{\"p\": \"1.10\"}\n"
            "{\"p\": \"9007199254740993\"}\n{\"p\": \"1e-5\"}\n");
  EXPECT_EQ(to_jsonl({.columns = {{"name", Type::kText, ""}}, .rows = {{"42"}}}), "{\"name\": \"42\"}\n");
}

TEST(Json, IsAnEmptyArrayWithoutRows) { EXPECT_EQ(to_json({.columns = {{"a", Type::kText, ""}}, .rows = {}}), "[]\n"); }

TEST(Json, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(json_string("a\xff"), "\"a\xEF\xBF\xBD\""); }

TEST(Markdown, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(to_markdown(one("a|b *c* <i> semantic_distance _x_\nend")),
            "| run_id |\n| --- |\n| a\\|b \\*c\\* &lt;i&gt; semantic_distance \\_x\\_<br>end |\n");
  EXPECT_EQ(to_markdown(one(0.98434, Type::kReal)), "| run_id |\n| ---: |\n| 0.9843 |\n");
}

TEST(Latex, EscapesAndUsesBooktabs) {
  EXPECT_EQ(to_latex(one("50 % of R&D_1 \\x {y} ~ ^ $ #")),
            "\\begin{tabular}{l}\n\\toprule\nrun\\_id \\\\\n\\midrule\n"
            "50 \\% of R\\&D\\_1 \\textbackslash{}x \\{y\\} \\textasciitilde{} \\textasciicircum{} \\$ \\# \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

}  // namespace
}  // namespace residue::cli
