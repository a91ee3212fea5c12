// Charts in a terminal: where marks stand, intervals, controls, and what ASCII can do.
#include "cli/runs/plot_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <sstream>
#include <string>

#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

verbs::Plot plot_of(std::vector<verbs::PlotPoint> points) {
  verbs::Plot plot;
  plot.x.of = verbs::RunField::Of::kParam;
  plot.x.name = "param.rate";
  plot.y.of = verbs::RunField::Of::kMetric;
  plot.y.name = "leak_rate";
  plot.points = std::move(points);
  return plot;
}

verbs::PlotPoint point(const std::string& run, std::optional<double> x, double y, double low, double high) {
  return {run, false, false, {x, {}, {}}, {y, low, high}};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

TEST(PlotChart, PutsHigherValuesHigherAndLaterOnesFurtherRight) {
  const std::string chart =
      plot_chart(plot_of({point("a", 0.1, 0.2, 0.1, 0.3), point("b", 0.9, 0.8, 0.7, 0.9)}), 60, false);
  std::size_t row_a = 0, row_b = 0, column_a = 0, column_b = 0;
  const auto all = lines(chart);
  for (std::size_t i = 1; i + 3 < all.size(); ++i) {
    if (const auto at = all[i].find('a'); at != std::string::npos) row_a = i, column_a = at;
    if (const auto at = all[i].find('b'); at != std::string::npos) row_b = i, column_b = at;
  }
  ASSERT_GT(row_a, 0U);
  ASSERT_GT(row_b, 0U);
  EXPECT_LT(row_b, row_a);
  EXPECT_GT(column_b, column_a);
  EXPECT_THAT(chart, HasSubstr("leak_rate\n"));
  EXPECT_THAT(chart, HasSubstr("param.rate\n"));
}

TEST(PlotChart, FitsTheWidthAndStaysInAsciiWhereItMust) {
  const verbs::Plot plot = plot_of({point("a", 0.1, 0.2, 0.1, 0.3), point("b", 0.9, 0.8, 0.7, 0.9)});
  for (const std::size_t width : {40, 60, 100}) {
    for (const bool unicode : {false, true}) {
      const std::string chart = plot_chart(plot, width, unicode);
      EXPECT_EQ(text::is_ascii(chart), !unicode);
      for (const std::string& line : lines(chart)) EXPECT_LE(text::display_width(line), width) << line;
    }
  }
}

TEST(PlotChart, DrawsIntervalsAndControlsAsLines) {
  verbs::PlotPoint control = point("none", {}, 0.95, 0.9, 1);
  control.control = true;
  const std::string chart = plot_chart(plot_of({point("a", 0.1, 0.5, 0.1, 0.8), control}), 60, true);
  EXPECT_THAT(chart, HasSubstr("┬"));
  EXPECT_THAT(chart, HasSubstr("┴"));
  EXPECT_THAT(chart, HasSubstr("┄ ┄"));
  EXPECT_THAT(chart, Not(HasSubstr("#")));
}

TEST(PlotChart, SaysWhereRunsMeet) {
  const std::string chart = plot_chart(plot_of({point("a", 1, 0.5, 0.5, 0.5), point("b", 1, 0.5, 0.5, 0.5)}), 60, true);
  EXPECT_THAT(chart, HasSubstr("#: several runs"));
}

TEST(PlotChart, ATableNamesTheMarks) {
  verbs::PlotPoint stale = point("b", 2, 0.25, 0, 1);
  stale.stale = true;
  const Table table = plot_table(plot_of({point("a", 1, 0.5, 0.25, 0.75), stale}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0], (std::vector<Cell>{"a", "a", 1.0, 0.5, 0.25, 0.75, Cell()}));
  EXPECT_EQ(table.rows[1].back(), Cell("stale"));
}

TEST(PlotChart, AsksTheLocaleForUnicode) {
  const auto with = [](const char* value) {
    ::setenv("LC_ALL", value, 1);
    return takes_unicode();
  };
  EXPECT_TRUE(with("C.UTF-8"));
  EXPECT_TRUE(with("de_DE.utf8"));
  EXPECT_FALSE(with("C"));
  EXPECT_FALSE(with("de_DE.ISO-8859-1"));
  ::unsetenv("LC_ALL");
}

}  // namespace
}  // namespace residue::cli
