// Conditions on runs: what they mean, what is missing, and how a mistake is told.
#include "verbs/runs/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "verbs/runs/date.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kDay = 86'400'000;

RunFacts run_of(const std::string& name, const std::string& rate, std::vector<std::string> tags, std::int64_t day) {
  RunFacts run;
  run.dataset = "d";
  run.run = name;
  run.kind = "aligned";
  if (!rate.empty()) run.params["rate"] = rate;
  run.tags = std::move(tags);
  run.created_at = day * kDay;
  return run;
}

// Three runs: a and b have numbers, c was not evaluated.
class Conditions : public ::testing::Test {
 protected:
  Conditions() {
    runs_ = {run_of("a", "0.3", {"nightly"}, 0), run_of("b", "0.5", {"nightly", "v2"}, 1), run_of("c", "", {}, 31)};
    runs_[0].sanitizer = "scrub";
    runs_[0].seed = 7;
    runs_[1].params["mode"] = "strict";
    numbers_.resize(2);
    numbers_[0].metrics[MetricId::kLinkageRate].all.value = 0.2;
    numbers_[0].metrics[MetricId::kLinkageRate].all.high = 0.4;
    numbers_[1].metrics[MetricId::kLinkageRate].all.value = 0.9;
    query::MetricValue age;
    age.value = 0.6;
    numbers_[1].metrics[MetricId::kLeakByCategory].cuts["Age"] = age;
    for (query::ReportRun& run : numbers_) run.evaluated = true;
  }

  // Names of the runs that meet it; `lacking_` then has what was missing.
  std::string met(const std::string& where) {
    lacking_.clear();
    const Condition condition(where, runs_);
    std::string names;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (condition.met(runs_[i], i < numbers_.size() ? &numbers_[i] : nullptr, lacking_).value_or(false)) {
        names += runs_[i].run;
      }
    }
    return names;
  }

  // "message | hint | byte"
  std::string complaint(const std::string& where) {
    try {
      const Condition condition(where, runs_);
    } catch (const ConditionError& error) {
      EXPECT_EQ(error.text(), where);
      return std::string(error.what()) + " | " + error.hint() + " | " + std::to_string(error.at());
    }
    return "nothing";
  }

  std::vector<RunFacts> runs_;
  std::vector<query::ReportRun> numbers_;
  std::set<std::string> lacking_;
};

TEST_F(Conditions, CompareSettingsInQuotesAsTheyWereGiven) {
  runs_ = {run_of("a", "1.1", {}, 0), run_of("b", "1.10", {}, 0), run_of("c", "1.2", {}, 0)};
  EXPECT_EQ(met("param.rate = 1.1"), "ab");
  EXPECT_EQ(met("param.rate = '1.1'"), "a");
  EXPECT_EQ(met("param.rate != '1.1'"), "bc");
  EXPECT_EQ(met("param.rate > '1.1'"), "c") << "an order is one of numbers";
  EXPECT_THAT(complaint("param.rate = '1.20'"), HasSubstr("no run has the param.rate \"1.20\""));
}

TEST_F(Conditions, MeanWhatTheySay) {
  const struct {
    const char* where;
    const char* met;
  } kCases[] = {
      {"tag = nightly", "ab"},
      {"tag != nightly", "c"},
      {"tag=v2", "b"},
      {"not tag = v2", "ac"},
      {"run = a or run = c", "ac"},
      {"param.rate > 0.3", "b"},
      {"param.rate >= 0.3 and tag = nightly", "ab"},
      {"param.rate = 0.30", "a"},
      {"param.mode = strict", "b"},
      {"param.mode = 'strict'", "b"},
      {"seed = 7", "a"},
      {"sanitizer = \"scrub\"", "a"},
      {"linkage_rate < 0.5", "a"},
      {"linkage_rate <= 0.2", "a"},
      {"linkage_rate = 0.2000000001", "a"},  // no rounding tells them apart
      {"linkage_rate.high < 0.5", "a"},
      {"leak_by_category.Age > 0.5", "b"},
      {"run = a or run = b and tag = v2", "ab"},  // and binds closer
      {"(run = a or run = b) and tag = v2", "b"},
      {"NOT (run = a OR run = b)", "c"},
      {"made = 1970-01-01", "a"},
      {"made > 1970-01-01", "bc"},
      {"made <= 1970-01", "ab"},
      {"made >= 1970-02", "c"},
      {"made < 1970-01-02T00:01", "ab"},
  };
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.where);
    EXPECT_EQ(met(one.where), one.met);
  }
}

// What a run does not have meets no condition, and its negation neither, unless the other side decides.
TEST_F(Conditions, NothingIsMetByWhatIsMissing) {
  EXPECT_EQ(met("linkage_rate < 1"), "ab");
  EXPECT_THAT(lacking_, ElementsAre("linkage_rate"));
  EXPECT_EQ(met("not linkage_rate < 1"), "");
  EXPECT_THAT(lacking_, ElementsAre("linkage_rate"));
  EXPECT_EQ(met("linkage_rate != 0.2"), "b");
  EXPECT_EQ(met("run = c or linkage_rate < 1"), "abc");
  EXPECT_THAT(lacking_, IsEmpty());
  EXPECT_EQ(met("run = a and linkage_rate < 1"), "a");
  EXPECT_THAT(lacking_, IsEmpty()) << "run c does not meet it whatever its rate is";
  EXPECT_EQ(met("leak_by_category.Age < 1 and param.rate < 1"), "b");
  EXPECT_THAT(lacking_, ElementsAre("leak_by_category.Age", "param.rate"));
}

TEST_F(Conditions, ShowTheMistakeAndTheNearestName) {
  const struct {
    const char* where;
    const char* says;
    std::size_t at;
  } kCases[] = {
      {"linkge_rate < 0.2", "runs have no \"linkge_rate\"; did you mean \"linkage_rate\"?", 0},
      {"tag = nightly and parm.rate > 1", "runs have no \"parm.rate\"; did you mean \"param.rate\"?", 18},
      {"rate > 0.3", "did you mean \"param.rate\"?", 0},
      {"tag = nigtly", "no run has the tag \"nigtly\"; did you mean \"nightly\"?", 6},
      {"tag != nigtly", "no run has the tag \"nigtly\"", 7},
      {"run = z", "there is no run \"z\"", 6},
      {"param.mode = strikt", "did you mean \"strict\"?", 13},
      {"sanitizer > scrub", "sanitizer is a name: it can be = or !=", 10},
      {"linkage_rate < high", "this is no number", 15},
      {"linkage_rate < 20", "20 % is 0.2", 15},
      {"param.rate > much", "this is no number", 13},
      {"made > yesterday", "this is no date", 7},
      {"made > 2026-02-30", "this is no date", 7},
      {"leak_by_category > 0.5", "it has parts only", 0},
      {"linkage_rate.Age > 0.5", "linkage_rate has no such part", 0},
      {"tag = nightly run = a", "\"and\" or \"or\" is missing here", 14},
      {"(tag = nightly", "this ( is not closed", 0},
      {"tag = nightly)", "this ) closes nothing", 13},
      {"tag = 'nightly", "this quote is not closed", 6},
      {"tag nightly", "behind tag one of = != < <= > >= is missing", 4},
      {"tag =< nightly", "behind tag one of", 4},
      {"tag =", "a value is missing here", 5},
      {"and tag = v2", "runs have no \"and\"", 0},
      {"  ", "there is no condition", 2},
  };
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.where);
    const std::string told = complaint(one.where);
    EXPECT_THAT(told, HasSubstr(one.says));
    EXPECT_THAT(told, ::testing::EndsWith(" | " + std::to_string(one.at)));
    EXPECT_THAT(told, ::testing::StartsWith("--where: "));
  }
  EXPECT_THAT(complaint(std::string(300, '(') + "tag = v2"), HasSubstr("nested too deeply"));
  EXPECT_THAT(complaint("run = '" + std::string(100'000, 'x')), HasSubstr("not closed"));
}

TEST(Dates, AreDaysMonthsYearsAndTimes) {
  EXPECT_EQ(read_time("1970-01-02")->begin, kDay);
  EXPECT_EQ(read_time("1970-01-02")->end, 2 * kDay);
  EXPECT_EQ(read_time("1970-01")->end, 31 * kDay);
  EXPECT_EQ(read_time("1970")->end, 365 * kDay);
  EXPECT_EQ(read_time("1970-01-01T00:01Z")->begin, 60'000);
  EXPECT_EQ(read_time("1970-01-01T00:01")->end, 120'000);
  EXPECT_EQ(read_time("1970-01-01T00:00:02Z")->end, 3'000);
  for (const char* word : {"", "x", "1969-12-31", "1970-13", "1970-1-1", "1970-01-01T24:00", "1970-01-01T",
                           "1970-01-01 ", "1970-", "+970-01-01", "1970-01-01T00:01:00z"}) {
    EXPECT_FALSE(read_time(word)) << word;
  }
}

}  // namespace
}  // namespace residue::verbs
