// Specs differ in the bytes of their fields, and the nearest one is named.
#include "query/agree/spec_difference.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/tasks/claim_support.h"
#include "query/judge/judging.h"
#include "query/judge/model_judge.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class SpecDifferences : public QueryStore {
 protected:
  model::Endpoint endpoint(const std::string& name) {
    model::Endpoint one;
    one.name = name;
    one.asking.model = "m";
    one.asking.temperature = 0.0;
    one.asking.max_tokens = 100;
    one.votes = 3;
    one.transport.url = "http://localhost/v1";
    return one;
  }
  void save(const model::Endpoint& one) {
    const auto batch = store().write();
    model::save_endpoint(batch->db(), one);
    batch->commit();
  }
  // As if it had been asked about `pairs` pairs.
  void remember(const model::Endpoint& one, std::int64_t pairs) {
    const ModelJudge judge(store(), one, "d", nullptr);
    const JudgeId id = register_judge(store(), judge);
    const auto batch = store().write();
    for (std::int64_t i = 1; i <= pairs; ++i) {
      batch->db()
          .prepare("INSERT INTO judgment (judge_id, passage_id, claim_id, rating) VALUES (?1, ?2, ?2, 1)")
          .run(id, i);
    }
    batch->commit();
  }
  std::string spec(const model::Endpoint& one) { return ModelJudge(store(), one, "d", nullptr).spec(); }
  static std::vector<std::string> differing(const SpecDifference& difference) {
    std::vector<std::string> names;
    for (const SpecField& field : difference.fields) {
      if (!field.equal)
        names.push_back(fmt::format("{} {} {} {}", field.name, field.ours, field.theirs, field.decides));
    }
    return names;
  }
};

TEST_F(SpecDifferences, UnsetIsNoNumberAndEverySettingDecides) {
  model::Endpoint other = endpoint("a");
  other.asking.temperature = std::nullopt;
  EXPECT_EQ(differing(difference_of(spec(endpoint("a")), spec(other))),
            std::vector<std::string>{"temperature 0.0 unset true"});
  other = endpoint("b");
  other.votes = 5;
  EXPECT_EQ(differing(difference_of(spec(endpoint("a")), spec(other))),
            (std::vector<std::string>{"name a b false", "votes 3 5 false"}));
  EXPECT_EQ(difference_of(spec(endpoint("a")), spec(other)).deciding(), 0U);

  const std::vector<std::pair<std::string, std::function<void(model::Asking&)>>> changes = {
      {"model", [](auto& a) { a.model = "n"; }},
      {"revision", [](auto& a) { a.revision = "r"; }},
      {"top_p", [](auto& a) { a.top_p = 1; }},
      {"presence_penalty", [](auto& a) { a.presence_penalty = 0; }},
      {"frequency_penalty", [](auto& a) { a.frequency_penalty = 0; }},
      {"max_tokens", [](auto& a) { a.max_tokens = 101; }},
      {"seed", [](auto& a) { a.seed = 0; }},
      {"reasoning_effort", [](auto& a) { a.reasoning_effort = "low"; }}};
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    other = endpoint("a");
    change(other.asking);
    const SpecDifference difference = difference_of(spec(endpoint("a")), spec(other));
    ASSERT_EQ(difference.deciding(), 1U);
    EXPECT_TRUE(differing(difference).front().starts_with(name + " "));
  }
  other = endpoint("a");
  other.asking.form = model::AnswerForm::kText;
  const auto form = differing(difference_of(spec(endpoint("a")), spec(other)));
  ASSERT_EQ(form.size(), 2U);
  EXPECT_EQ(form[0], "answer json_schema text true");
  EXPECT_TRUE(form[1].starts_with("schema sha256 "));
  EXPECT_TRUE(form[1].ends_with(" unset true"));
}

TEST_F(SpecDifferences, ValuesAreTheBytesOfTheirKey) {
  const std::string ours = spec(endpoint("a"));
  std::string theirs = ours;
  const std::string value = R"("temperature":0.0)";
  ASSERT_NE(theirs.find(value), std::string::npos);
  theirs.replace(theirs.find(value), value.size(), R"("temperature":0)");
  EXPECT_EQ(differing(difference_of(ours, theirs)), std::vector<std::string>{"temperature 0.0 0 true"});
}

TEST_F(SpecDifferences, InstructionsAreNamedByDigestAndCountedByLine) {
  const std::string ours = spec(endpoint("a"));
  std::string theirs = ours;
  const std::string first(model::support_template().substr(0, 12));
  theirs.replace(theirs.find(first), first.size(), "Other words.");
  const SpecDifference difference = difference_of(ours, theirs);
  ASSERT_EQ(difference.deciding(), 1U);
  EXPECT_TRUE(differing(difference).front().starts_with("template sha256 "));
  EXPECT_EQ(difference.instructions.added, 1U);
  EXPECT_EQ(difference.instructions.removed, 1U);
  const struct {
    const char *ours, *theirs;
    std::uint64_t added, removed;
  } kCases[] = {{"", "", 0, 0}, {"a\nb\nc", "a\nc", 1, 0}, {"a\nc\n", "a\nb\nc\nd", 0, 2}, {"a\nb", "b\na", 1, 1}};
  for (const auto& one : kCases) {
    SCOPED_TRACE(std::string(one.ours) + "|" + one.theirs);
    EXPECT_EQ(changed_lines(one.ours, one.theirs).added, one.added);
    EXPECT_EQ(changed_lines(one.ours, one.theirs).removed, one.removed);
  }
}

TEST_F(SpecDifferences, TheNearestIsTheOneWithFewestDecidingFieldsThatHasJudgments) {
  save(endpoint("now"));
  EXPECT_FALSE(explain_miss(store(), "now", std::nullopt));
  model::Endpoint far = endpoint("far"), near = endpoint("near"), never = endpoint("never");
  far.asking.temperature = 0.7;
  far.asking.revision = "x";
  near.asking.max_tokens = 50;
  remember(far, 9);
  remember(near, 2);
  remember(never, 0);
  const auto miss = explain_miss(store(), "now", std::nullopt);
  ASSERT_TRUE(miss);
  EXPECT_EQ(miss->against, "near");
  EXPECT_EQ(miss->judgments, 0U);
  EXPECT_EQ(miss->against_judgments, 2U);
  EXPECT_EQ(miss->others, 2U);
  EXPECT_EQ(miss->difference.deciding(), 1U);
  EXPECT_EQ(explain_miss(store(), "now", "far")->difference.deciding(), 2U);
  EXPECT_EQ(explain_miss(store(), "now", "far")->others, 2U);
  model::Endpoint nearer = endpoint("nearer");
  nearer.asking.max_tokens = 51;
  remember(nearer, 3);
  EXPECT_EQ(explain_miss(store(), "now", std::nullopt)->against, "nearer");  // more judgments
  // A changed endpoint is compared with what it was.
  remember(endpoint("now"), 1);
  model::Endpoint changed = endpoint("now");
  changed.asking.max_tokens = 1;
  save(changed);
  EXPECT_EQ(explain_miss(store(), "now", "nearer")->difference.deciding(), 1U);
  EXPECT_THROW(explain_miss(store(), "lexical", std::nullopt), Error);
  EXPECT_THROW(explain_miss(store(), "now", "nobody"), Error);
}

}  // namespace
}  // namespace residue::query::testing
