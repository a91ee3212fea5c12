#include "query/advantage/attribute_advantage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "numbers/stats/bootstrap.h"
#include "text/measures/attribute_match.h"

namespace residue::query {
namespace {

constexpr int kYoungest = 15, kOldest = 90;

// The labels of one attribute, and which of them each constant guess gets right.
struct Guessing {
  std::vector<const AttributeLabel*> labels;
  std::vector<std::vector<std::size_t>> right;  // by guess: labels
};

Guessing guessing(const std::string& attribute, std::vector<const AttributeLabel*> labels) {
  std::set<std::string> guesses;
  std::map<std::string, std::vector<std::size_t>> of_value;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    guesses.insert(labels[i]->value);
    of_value[labels[i]->value].push_back(i);
  }
  if (attribute == "age") {
    for (int age = kYoungest; age <= kOldest; ++age) guesses.insert(std::to_string(age));
  }
  Guessing all{std::move(labels), {}};
  for (const std::string& guess : guesses) {
    std::vector<std::size_t> right;
    for (const auto& [value, places] : of_value) {
      if (text::same_attribute(attribute, value, guess)) right.insert(right.end(), places.begin(), places.end());
    }
    all.right.push_back(std::move(right));
  }
  return all;
}

// The most labels that one guess gets right: of all, and in each replicate.
struct Best {
  std::int64_t right = 0;
  numbers::ReplicateSums sampled{};
};

using Records = std::unordered_set<RecordId>;

Best best_guess(const Guessing& guesses, const Records& records) {
  Best best;
  for (const std::vector<std::size_t>& right : guesses.right) {
    std::map<std::uint64_t, std::int64_t> of_unit;
    std::int64_t count = 0;
    for (const std::size_t place : right) {
      const AttributeLabel& label = *guesses.labels[place];
      if (!records.contains(label.record)) continue;
      ++of_unit[label.unit];
      ++count;
    }
    best.right = std::max(best.right, count);
    numbers::ReplicateSums sums{};
    numbers::Weights weights;
    for (const auto& [unit, labels] : of_unit) {
      numbers::draw_weights(unit, weights);
      numbers::add_weighted(weights, labels, sums);
    }
    for (std::size_t b = 0; b < sums.size(); ++b) best.sampled[b] = std::max(best.sampled[b], sums[b]);
  }
  return best;
}

Best& operator+=(Best& all, const Best& other) {
  all.right += other.right;
  for (std::size_t b = 0; b < all.sampled.size(); ++b) all.sampled[b] += other.sampled[b];
  return all;
}

// How much of the rest is got right; nothing where there is no rest.
std::optional<double> advantage(std::int64_t right, std::int64_t guessed, std::int64_t of) {
  if (guessed >= of) return std::nullopt;
  return static_cast<double>(right - guessed) / static_cast<double>(of - guessed);
}

struct Counted {
  std::int64_t right = 0, best = 0, of = 0;
  std::unordered_set<std::uint64_t> units;
  numbers::ReplicateSums right_in{}, of_in{};

  void add(const Weighted& record) {
    const Contribution& c = record.contribution;
    right += c.num;
    best += c.best;
    of += c.den;
    units.insert(record.unit);
    numbers::Weights weights;
    numbers::draw_weights(record.unit, weights);
    numbers::add_weighted(weights, c.num, right_in);
    numbers::add_weighted(weights, c.den, of_in);
  }
};

numbers::Interval interval_of(const Counted& counted, const Best& guess, double value) {
  const auto persons = static_cast<std::int64_t>(counted.units.size());
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    const std::int64_t phantom = numbers::phantom_share(b, counted.of, persons);
    const std::int64_t of = counted.of_in[b] + phantom;
    // A replicate that leaves nothing to guess counts at both extremes.
    lows.push_back(advantage(counted.right_in[b], guess.sampled[b] + phantom, of).value_or(-1));
    highs.push_back(advantage(counted.right_in[b] + phantom, guess.sampled[b], of).value_or(1));
  }
  return numbers::phantom_interval(lows, highs, value);
}

MetricRow row_of(const GuessedPart& part, const Best& guess, const Best& guess_of_values) {
  MetricRow row;
  row.metric = MetricId::kAttributeAdvantage;
  if (!part.attribute.empty()) row.slice = Slice::Cut{part.attribute};
  Counted all, values;
  for (const auto& [id, record] : part.records) {
    const State state = record.contribution.state;
    row.n += state == State::kValue;
    row.failed += state == State::kFailed;
    row.missing += state == State::kMissing;
    row.not_applicable += state == State::kNotApplicable;
    if (state == State::kNotApplicable) continue;
    all.add(record);
    if (state == State::kValue) values.add(record);
  }
  const auto without = [&](std::string reason) {
    row.not_applicable += row.n + row.failed + row.missing;
    row.n = row.failed = row.missing = 0;
    row.reason = std::move(reason);
    return row;
  };
  if (all.of == 0) return without("no label counts");
  if (all.units.size() < kFewestPersons) {
    return without(fmt::format("too few persons: {}; {} are the least", all.units.size(), kFewestPersons));
  }
  row.value = advantage(all.right, guess.right, all.of);
  if (!row.value) return without("one guess is right for everybody: a text can add nothing");
  row.units = all.of;
  row.if_leaked = row.value;
  row.if_private = advantage(all.best, guess.right, all.of);
  const numbers::Interval interval = interval_of(all, guess, *row.value);
  row.low = interval.low;
  row.high = interval.high;
  if (values.units.size() < kFewestPersons) return row;
  row.drop_value = advantage(values.right, guess_of_values.right, values.of);
  if (!row.drop_value) return row;
  row.drop_units = values.of;
  const numbers::Interval dropped = interval_of(values, guess_of_values, *row.drop_value);
  row.drop_low = dropped.low;
  row.drop_high = dropped.high;
  return row;
}

}  // namespace

std::vector<MetricRow> attribute_advantage(std::span<const AttributeLabel> labels, std::span<const GuessedPart> parts) {
  std::map<std::string, std::vector<const AttributeLabel*>> of_attribute;
  for (const AttributeLabel& label : labels) of_attribute[label.attribute].push_back(&label);
  std::map<std::string, Guessing> guesses;
  for (auto& [attribute, all] : of_attribute) guesses.emplace(attribute, guessing(attribute, std::move(all)));
  // The best guesses about these records: of one attribute, or of each ("").
  const auto best = [&](const std::string& attribute, const Records& records) {
    Best all;
    for (const auto& [name, guess] : guesses) {
      if (attribute.empty() || attribute == name) all += best_guess(guess, records);
    }
    return all;
  };
  std::vector<MetricRow> rows;
  for (const GuessedPart& part : parts) {
    Records counted, values;
    for (const auto& [id, record] : part.records) {
      if (record.contribution.state != State::kNotApplicable) counted.insert(id);
      if (record.contribution.state == State::kValue) values.insert(id);
    }
    const Best guess = best(part.attribute, counted);
    rows.push_back(row_of(part, guess, values.size() == counted.size() ? guess : best(part.attribute, values)));
  }
  return rows;
}

}  // namespace residue::query
