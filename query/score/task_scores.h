// From a record's answer to its contributions: pure functions, one per task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/metric/contribution.h"
#include "query/metric/order_statistics.h"

namespace residue::query {

// What came of asking about one record.
struct TaskCase {
  bool applicable = true;             // there was something to ask
  bool failed = false;                // the run has no text of the record
  bool asked = false;                 // about the texts that are there
  std::optional<std::string> answer;  // in the form of task_answer; nothing: it gave none
};

// What is known of a record whose answer is looked at, alone or beside that about the original.
State state_of(const TaskCase& record);
State state_of(const TaskCase& original, const TaskCase& own);

// What a record adds to a mean or share: `value`, or where it is lost `low`, the worst, to `high`, the best.
Contribution answer_contribution(MetricId metric, State state, std::int64_t value, std::int64_t low, std::int64_t high);

// The key that the first letter or digit of an answer names; nothing where it has none.
std::optional<char> answered_key(std::string_view answer);

// The key of the right option of a task, {"question","options","answer"} as JSON: "answer" is a key or the words of an
// option. Nothing where that cannot be told.
std::optional<char> right_key(std::string_view task);

// task_accuracy. Not applicable without a right key.
std::vector<Contribution> choice_scores(const TaskCase& record, std::optional<char> right);

// coherence: the rating itself, lost ones 1.
std::vector<Contribution> coherence_scores(const TaskCase& record);

// readability, meaning, no_hallucination, and utility_combined with the F of ROUGE-1 (fixed point; nothing: the
// original has no word that ROUGE sees, and the metric is not applicable). A lost judgment counts as the lowest scores;
// the text that failed has no overlap either.
std::vector<Contribution> utility_scores(const TaskCase& record, std::optional<std::int64_t> rouge1_f);

// category_preservation: which category the original has, and which the run's text. A record is lost where either is
// not known.
std::vector<Contribution> conversation_scores(const TaskCase& original, const TaskCase& own);

// category_preservation of a synthetic run, whose texts have no originals: the categories of all its texts are held
// against those of all originals. A text without a category is lost, and so is an original.
std::vector<Contribution> text_scores(const TaskCase& text);
std::vector<Contribution> original_scores(const TaskCase& original);

// The metric's row from all of these: distributions do not add up. Its interval is corrected for bias, because drawn
// records differ from each other more than the records do. Not applicable, with the reason, where the originals are
// uniform. Costs 1,000 replicates of the formula.
MetricRow category_row(const std::vector<Weighted>& records);

}  // namespace residue::query
