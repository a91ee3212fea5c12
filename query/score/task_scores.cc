#include "query/score/task_scores.h"

#include <algorithm>
#include <unordered_set>

#include "base/json.h"
#include "model/tasks/task.h"
#include "query/score/category_preservation.h"

namespace residue::query {
namespace {

// category_preservation keeps both categories in one number: 0 for one that is not known, else its place from 1.
constexpr std::int64_t kPlaces = 64;

// The place of a category in the list, from 1; 0: it is none of them.
std::int64_t place_of(const TaskCase& record) {
  if (state_of(record) != State::kValue) return 0;
  std::int64_t place = 0;
  for (const std::string_view name : model::conversation_categories()) {
    ++place;
    if (name == *record.answer) return place;
  }
  return 0;
}

// Of an original without a text of its own to be compared with: what the texts of a synthetic run are held against.
bool is_original_alone(const Contribution& c) { return c.state == State::kValue && c.num % kPlaces == 0; }

struct Scores {
  std::int64_t readability = 1, meaning = 1, hallucination = 0;  // the lowest
};

Scores scores_in(std::string_view answer) {
  const Json json = Json::parse(answer).value_or(Json());
  if (!json.is_object()) return {};
  return {json.value("readability", std::int64_t{1}), json.value("meaning", std::int64_t{1}),
          json.value("hallucination", std::int64_t{0})};
}

// Mean of two scores of ten and a share, halves up.
std::int64_t combined(const Scores& scores, std::int64_t rouge1_f) {
  return ((scores.readability + scores.meaning) * kOne + 10 * rouge1_f + 15) / 30;
}

// What the categories of records come to.
class Distribution {
 public:
  Distribution() : original_(model::conversation_categories().size()), own_(original_.size()) {}

  void add(const Contribution& c, std::int64_t weight, bool drop) {
    if (c.state == State::kNotApplicable || (drop && c.state != State::kValue)) return;
    const std::int64_t original = c.num / kPlaces, own = c.num % kPlaces;
    if (original > 0) original_[static_cast<std::size_t>(original) - 1] += weight;
    if (is_original_alone(c)) return;
    if (c.state == State::kValue) {
      own_[static_cast<std::size_t>(own) - 1] += weight;
    } else {
      lost_ += weight;
    }
  }
  [[nodiscard]] std::optional<double> value() const { return category_preservation(original_, own_, lost_); }
  // The originals have categories, all as often: nothing can be said about any run.
  [[nodiscard]] bool uniform() const {
    return original_.front() > 0 && std::all_of(original_.begin(), original_.end(),
                                                [first = original_.front()](auto count) { return count == first; });
  }
  [[nodiscard]] std::optional<double> best() const { return best_category_preservation(original_, own_, lost_); }

 private:
  std::vector<std::int64_t> original_, own_;
  std::int64_t lost_ = 0;
};

struct Reading {
  std::optional<double> value;
  std::optional<numbers::Interval> interval;
};

Reading read_all(const std::vector<Weighted>& records, bool drop) {
  Distribution all;
  std::vector<Distribution> replicates(numbers::kReplicates);
  numbers::Weights weights;
  std::unordered_set<std::uint64_t> units;
  for (const Weighted& record : records) {
    all.add(record.contribution, 1, drop);
    const State state = record.contribution.state;
    if (state == State::kValue || (!drop && state != State::kNotApplicable)) units.insert(record.unit);
    numbers::draw_weights(record.unit, weights);
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) replicates[b].add(record.contribution, weights[b], drop);
  }
  std::vector<double> values;
  for (const Distribution& replicate : replicates) {
    if (const auto value = replicate.value()) values.push_back(*value);
  }
  const auto value = all.value();
  if (units.size() < 2) return {value, std::nullopt};
  return {value, value ? numbers::bias_corrected_interval(values, *value) : std::nullopt};
}

}  // namespace

State state_of(const TaskCase& record) {
  if (!record.applicable) return State::kNotApplicable;
  if (record.failed) return State::kFailed;
  if (!record.asked) return State::kMissing;
  return record.answer ? State::kValue : State::kFailed;
}

State state_of(const TaskCase& original, const TaskCase& own) {
  const State state = state_of(own);
  return state == State::kValue ? state_of(original) : state;
}

Contribution answer_contribution(MetricId metric, State state, std::int64_t value, std::int64_t low,
                                 std::int64_t high) {
  Contribution c;
  c.metric = metric;
  c.state = state;
  if (state == State::kNotApplicable) return c;
  c.den = 1;
  c.num = state == State::kValue ? value : low;
  c.best = state == State::kValue ? value : high;
  return c;
}

std::optional<char> answered_key(std::string_view answer) {
  for (const char c : answer) {
    if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return c;
  }
  return std::nullopt;
}

std::optional<char> right_key(std::string_view task) {
  const Json json = Json::parse(task).value_or(Json());
  if (!json.contains("answer") || !json["answer"].is_string()) return std::nullopt;
  const auto answer = json["answer"].get<std::string>();
  const Json* options = json.find("options");
  if (options == nullptr || !options->is_object()) {
    return answer.size() == 1 ? answered_key(answer) : std::nullopt;
  }
  if (options->contains(answer)) return answered_key(answer);
  for (const auto& [key, words] : options->items()) {
    if (words == answer) return answered_key(key);
  }
  return std::nullopt;
}

std::vector<Contribution> choice_scores(const TaskCase& record, std::optional<char> right) {
  const State state = right ? state_of(record) : State::kNotApplicable;
  const bool hit = state == State::kValue && answered_key(*record.answer) == right;
  return {answer_contribution(MetricId::kTaskAccuracy, state, hit ? 1 : 0, 0, 1)};
}

std::vector<Contribution> coherence_scores(const TaskCase& record) {
  const State state = state_of(record);
  const std::int64_t rating = state == State::kValue ? record.answer->front() - '0' : 1;
  return {answer_contribution(MetricId::kCoherence, state, rating * kOne, kOne, 5 * kOne)};
}

std::vector<Contribution> utility_scores(const TaskCase& record, std::optional<std::int64_t> rouge1_f) {
  const State state = state_of(record);
  const Scores lowest, highest{10, 10, 1};
  const Scores scores = state == State::kValue ? scores_in(*record.answer) : lowest;
  const State whole = rouge1_f ? state : State::kNotApplicable;
  const std::int64_t overlap = rouge1_f.value_or(0);
  return {answer_contribution(MetricId::kReadability, state, fixed(scores.readability, 10), fixed(1, 10), kOne),
          answer_contribution(MetricId::kMeaning, state, fixed(scores.meaning, 10), fixed(1, 10), kOne),
          answer_contribution(MetricId::kNoHallucination, state, scores.hallucination, 0, 1),
          answer_contribution(MetricId::kUtilityCombined, whole, combined(scores, overlap),
                              combined(lowest, record.failed ? 0 : overlap),
                              combined(highest, record.failed ? kOne : overlap))};
}

std::vector<Contribution> conversation_scores(const TaskCase& original, const TaskCase& own) {
  Contribution c;
  c.metric = MetricId::kCategoryPreservation;
  c.state = state_of(own);
  if (c.state == State::kNotApplicable) return {c};
  c.den = 1;
  const std::int64_t before = place_of(original), after = place_of(own);
  if (c.state == State::kValue && (before == 0 || after == 0)) c.state = State::kMissing;
  c.num = before * kPlaces + after;
  c.best = c.num;
  return {c};
}

std::vector<Contribution> text_scores(const TaskCase& text) {
  Contribution c;
  c.metric = MetricId::kCategoryPreservation;
  c.state = state_of(text);
  if (c.state == State::kNotApplicable) return {c};
  c.den = 1;
  const std::int64_t place = place_of(text);
  if (c.state == State::kValue && place == 0) c.state = State::kMissing;
  c.num = place;
  c.best = c.num;
  return {c};
}

std::vector<Contribution> original_scores(const TaskCase& original) {
  std::vector<Contribution> scores = text_scores(original);
  Contribution& c = scores.front();
  if (c.state == State::kFailed) c.state = State::kMissing;  // no text has failed
  c.num *= kPlaces;
  c.best = c.num;
  return scores;
}

MetricRow category_row(const std::vector<Weighted>& records) {
  MetricRow row;
  row.metric = MetricId::kCategoryPreservation;
  Distribution all;
  for (const Weighted& record : records) {
    const State state = record.contribution.state;
    row.n += state == State::kValue && !is_original_alone(record.contribution);
    row.failed += state == State::kFailed;
    row.missing += state == State::kMissing;
    row.not_applicable += state == State::kNotApplicable;
    all.add(record.contribution, 1, false);
  }
  const Reading headline = read_all(records, false), dropped = read_all(records, true);
  if (!headline.value && all.uniform()) {
    row.not_applicable += row.n + row.failed + row.missing;
    row.n = row.failed = row.missing = 0;
    row.reason = "the originals are spread evenly over all categories, which leaves nothing to preserve";
    return row;
  }
  row.value = headline.value;
  row.if_leaked = headline.value;
  row.if_private = all.best();
  row.drop_value = dropped.value;
  if (headline.interval) {
    row.low = headline.interval->low;
    row.high = headline.interval->high;
  }
  if (dropped.interval) {
    row.drop_low = dropped.interval->low;
    row.drop_high = dropped.interval->high;
  }
  return row;
}

}  // namespace residue::query
