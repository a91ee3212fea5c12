#include "query/score/qa_scores.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/json.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

std::vector<std::string> answers_of(const TaskCase& record) {
  std::vector<std::string> answers;
  if (!record.answer) return answers;
  const Json json = Json::parse(*record.answer).value_or(Json());
  if (!json.is_array()) return answers;
  for (const Json& one : json) answers.push_back(one.is_string() ? one.get<std::string>() : std::string());
  return answers;
}

}  // namespace

bool same_answer(std::string_view original, std::string_view own, const text::Substitutions& table) {
  std::vector<std::string> expected;
  text::Analyzer::plain().terms(original, expected);
  const std::vector<std::string> restored = text::restored_words(own, table);
  return expected.empty() && restored.empty() ? original == own : expected == restored;
}

bool is_true(std::string_view answer) {
  std::vector<std::string> words;
  text::Analyzer::plain().terms(answer, words);
  return !words.empty() && (words.front() == "yes" || words.front() == "true");
}

std::vector<Contribution> qa_scores(const TaskCase& original, const TaskCase& own, const text::Substitutions& table) {
  const std::vector<std::string> expected = answers_of(original), said = answers_of(own);
  State state = state_of(original, own);
  if (state == State::kValue && (expected.size() != said.size() || expected.empty())) state = State::kMissing;
  std::int64_t same = 0, trues = 0, same_trues = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool same_one = state == State::kValue && same_answer(expected[i], said[i], table);
    const bool true_one = is_true(expected[i]);
    same += same_one ? 1 : 0;
    trues += true_one ? 1 : 0;
    same_trues += same_one && true_one ? 1 : 0;
  }
  const auto share = [&](MetricId metric, State how, std::int64_t num, std::int64_t den) {
    Contribution c = answer_contribution(metric, how, num, 0, den);
    if (how != State::kNotApplicable) c.den = den;
    return c;
  };
  // Where the original's answers are not known, as many questions were asked as were answered about the run's text.
  const auto questions = static_cast<std::int64_t>(expected.empty() ? said.size() : expected.size());
  return {share(MetricId::kQaAccuracy, state, same, questions),
          share(MetricId::kQaAccuracyTrue, trues == 0 ? State::kNotApplicable : state, same_trues, trues)};
}

}  // namespace residue::query
