#include "cli/print/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

Table runs() {
  return {
      .columns = {{"run", Type::kText, ""}, {"records", Type::kInteger, ""}, {"linkage_rate", Type::kReal, "linked"}},
      .rows = {{"none", std::int64_t{1272}, 0.98434}, {"remove-all", std::int64_t{7}, Cell()}}};
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, text::display_width(line));
  return widest;
}

TEST(RenderTable, AlignsNumbersToTheRightAndShowsNullAsADash) {
  EXPECT_EQ(render_table(runs(), {}),
            "run         records  linked\n"
            "──────────  ───────  ──────\n"
            "none           1272  0.9843\n"
            "remove-all        7       -\n");
}

TEST(RenderTable, CutsTheWidestTextUntilTheLineFits) {
  Table table = runs();
  table.rows[0][0] = std::string(200, 'a');
  for (std::size_t width : {30U, 40U, 79U, 100U}) {
    SCOPED_TRACE(width);
    const std::string shown = render_table(table, {.width = width});
    EXPECT_EQ(widest_line(shown), width);
    EXPECT_NE(shown.find("a…"), std::string::npos);
    EXPECT_NE(shown.find("remove-all"), std::string::npos);
  }
}

TEST(RenderTable, GivesTwoWideColumnsTheSameRoom) {
  const Table table = {.columns = {{"a", Type::kText, ""}, {"b", Type::kText, ""}, {"c", Type::kText, ""}},
                       .rows = {{std::string(80, 'x'), std::string(60, 'y'), "short"}}};
  const std::string shown = render_table(table, {.width = 50});
  EXPECT_EQ(widest_line(shown), 50U);
  EXPECT_NE(shown.find(std::string(20, 'x') + "…  " + std::string(19, 'y') + "…  short"), std::string::npos) << shown;
}

TEST(RenderTable, NeverCutsWithoutAWidth) {
  Table table = runs();
  table.rows[0][0] = std::string(500, 'a');
  EXPECT_EQ(widest_line(render_table(table, {})), 500U + 2 + 7 + 2 + 6);
}

TEST(RenderTable, MeasuresWideCharactersByTheirColumns) {
  Table table = runs();
  table.rows[0][0] = "病院のメモ";
  EXPECT_NE(render_table(table, {}).find("病院のメモ     1272"), std::string::npos);
}

TEST(RenderTable, MovesColumnsThatDoNotFitIntoAFurtherBlock) {
  Table table = {.columns = {{"run", Type::kText, ""}}, .rows = {{"none"}}};
  for (int i = 0; i < 6; ++i) {
    table.columns.push_back({"metric_" + std::to_string(i), Type::kReal, ""});
    table.rows[0].push_back(0.5);
  }
  EXPECT_EQ(render_table(table, {.width = 40}),
            "run   metric_0  metric_1  metric_2\n"
            "────  ────────  ────────  ────────\n"
            "none    0.5000    0.5000    0.5000\n"
            "\n"
            "run   metric_3  metric_4  metric_5\n"
            "────  ────────  ────────  ────────\n"
            "none    0.5000    0.5000    0.5000\n");
}

// By hand, of 40 columns: a value with what is about it, and values that are counted together, as far as they fit.
TEST(RenderTable, KeepsColumnsThatAreTiedInOneBlock) {
  struct Case {
    std::vector<int> tied;  // of columns as wide as "metric_0"
    std::vector<std::string> blocks;
  };
  const Case cases[] = {
      {{0, 0, 0, 0}, {"012", "3"}},     {{0, 0, 0, 2}, {"01", "23"}},     {{0, 0, 2, 2}, {"0", "123"}},
      {{0, 0, 1, 2}, {"0", "123"}},     {{0, 2, 1, 2}, {"01", "23"}},     {{0, 2, 2, 2}, {"012", "3"}},
      {{0, 1, 2, 1, 2}, {"012", "34"}}, {{0, 1, 1, 2, 0}, {"01", "234"}}, {{0, 2, 0, 2, 0}, {"01", "234"}},
  };
  for (const Case& one : cases) {
    Table table = {.columns = {{"run", Type::kText, ""}}, .rows = {{"none"}}};
    for (std::size_t i = 0; i < one.tied.size(); ++i) {
      table.columns.push_back({"metric_" + std::to_string(i), Type::kReal, "", false, one.tied[i]});
      table.rows[0].push_back(0.5);
    }
    std::vector<std::string> blocks;
    std::istringstream lines(render_table(table, {.width = 40}));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("run")) continue;
      blocks.emplace_back();
      for (std::size_t at = line.find('_'); at != std::string::npos; at = line.find('_', at + 1)) {
        blocks.back() += line[at + 1];
      }
    }
    EXPECT_EQ(blocks, one.blocks) << testing::PrintToString(one.tied);
  }
}

TEST(RenderTable, ShowsControlCharactersInsteadOfObeyingThem) {
  Table table = runs();
  table.rows[0][0] = "a\x1b]0;title\x07\n\xE2\x80\xAE";
  const std::string shown = render_table(table, {});
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.find('\x07'), std::string::npos);
  EXPECT_EQ(shown.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_NE(shown.find("a\\x1b]0;title\\x07↵\\u{202e}"), std::string::npos) << shown;
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 4);
}

TEST(RenderTable, ColoursTheHeaderOnlyWhenAsked) {
  EXPECT_EQ(render_table(runs(), {}).find('\x1b'), std::string::npos);
  EXPECT_EQ(render_table(runs(), {.width = 0, .color = true}).substr(0, 4), "\x1b[1m");
}

TEST(RenderFields, GivesALineToEachField) {
  const Table table = {.columns = {{"store", Type::kText, ""}, {"facts_bytes", Type::kBytes, "facts"}},
                       .rows = {{"/tmp/x", std::int64_t{1536}}}};
  EXPECT_EQ(render_fields(table, {}), "store  /tmp/x\nfacts  1.5 KiB\n");
}

}  // namespace
}  // namespace residue::cli
