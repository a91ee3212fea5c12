#include "query/corpus/corpus_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "numbers/learn/mauve.h"
#include "query/corpus/copy_scores.h"
#include "query/corpus/detectability.h"
#include "query/corpus/phrase_scores.h"
#include "query/corpus/record_rows.h"
#include "query/corpus/same_person.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

// Bounds of k-means take 8 bytes for each of these pairs.
constexpr std::size_t kMostPairs = std::size_t{1} << 27;

bool failed(const CorpusInput& input, std::size_t i) { return !input.run.variants[i].ok; }

// What a record adds to a mean of values in [worst, best].
Contribution contribution(const CorpusInput& input, std::size_t i, MetricId metric, std::int64_t value,
                          std::int64_t den = 1) {
  const MetricDefinition& about = definition(metric);
  Contribution c;
  c.metric = metric;
  if (input.dataset.records[i].empty) return c;
  const bool lost = failed(input, i);
  const std::int64_t unit = about.kind == Kind::kMean ? kOne : den;
  const auto low = static_cast<std::int64_t>(about.low) * unit, high = static_cast<std::int64_t>(about.high) * unit;
  c.state = lost ? State::kFailed : State::kValue;
  c.den = den;
  c.num = !lost ? value : about.higher_is_private ? low : high;
  c.best = !lost ? value : about.higher_is_private ? high : low;
  return c;
}

std::optional<double> median_of(std::vector<std::int64_t> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const std::int64_t twice = values[middle] + values[values.size() % 2 == 0 ? middle - 1 : middle];
  return static_cast<double>(twice) / 2 / static_cast<double>(kOne);
}

std::optional<double> deviation_of(const std::vector<std::int64_t>& values) {
  if (values.size() < 2) return std::nullopt;
  double sum = 0, square = 0;
  for (const std::int64_t value : values) sum += static_cast<double>(value) / static_cast<double>(kOne);
  const double mean = sum / static_cast<double>(values.size());
  for (const std::int64_t value : values) {
    const double off = static_cast<double>(value) / static_cast<double>(kOne) - mean;
    square += off * off;
  }
  return std::sqrt(square / static_cast<double>(values.size() - 1));
}

// A further number of the same records, in both readings of failures.
template <class Statistic>
MetricRow further(const MetricRow& whole, const std::vector<Contribution>& each, Slice::Statistic slice,
                  Statistic statistic) {
  std::vector<std::int64_t> all, values;
  for (const Contribution& c : each) {
    if (c.state == State::kNotApplicable) continue;
    all.push_back(c.num);
    if (c.state == State::kValue) values.push_back(c.num);
  }
  // In ascending order: sums must not depend on the order of the records.
  std::sort(all.begin(), all.end());
  std::sort(values.begin(), values.end());
  MetricRow row;
  row.metric = whole.metric;
  row.slice = slice;
  row.n = whole.n;
  row.failed = whole.failed;
  row.missing = whole.missing;
  row.not_applicable = whole.not_applicable;
  row.value = statistic(all);
  row.drop_value = statistic(values);
  return row;
}

CorpusMetric of_records(const CorpusInput& input, MetricId metric, std::vector<Contribution> each) {
  CorpusMetric result;
  result.rows.push_back(row_of(input, each));
  if (metric == MetricId::kEmbeddingCosine)
    result.rows.push_back(further(result.rows[0], each, Slice::Statistic::kMedian, median_of));
  if (metric == MetricId::kTopicDistance)
    result.rows.push_back(further(result.rows[0], each, Slice::Statistic::kDeviation, deviation_of));
  result.each = std::move(each);
  return result;
}

// 0 where one is at the origin.
template <class Number>
double cosine(std::span<const Number> a, std::span<const Number> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    ab += static_cast<double>(a[j]) * static_cast<double>(b[j]);
    aa += static_cast<double>(a[j]) * static_cast<double>(a[j]);
    bb += static_cast<double>(b[j]) * static_cast<double>(b[j]);
  }
  return aa == 0 || bb == 0 ? 0 : std::clamp(ab / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

// Alike for the same text, whatever rounding makes of it.
std::int64_t cosine_of(TextId original, TextId variant, double value) {
  return original == variant ? kOne : fixed(value);
}

struct Vectors {
  std::vector<float> originals;  // by record
  std::vector<float> variants;   // by record, or by text of a synthetic run
  std::string missing;           // why they cannot be used
};

Vectors load(const CorpusInput& input) {
  std::vector<TextId> originals, variants;
  for (const RecordView& record : input.dataset.records) originals.push_back(record.empty ? TextId{} : record.text);
  for (const VariantView& variant : input.run.variants) variants.push_back(variant.text);
  for (const RunView::Synthetic& variant : input.run.synthetic) variants.push_back(variant.text);
  Vectors found;
  std::size_t texts = 0, without = 0;
  {
    const storage::ReadTransaction snapshot(input.store.db());
    const auto reader = input.store.facts().read();
    for (auto [ids, values] : {std::pair(&originals, &found.originals), std::pair(&variants, &found.variants)}) {
      *values = storage::load_vectors(input.store.db(), *reader, *input.embedder, *ids);
      const std::size_t d = input.embedder->dimension;
      for (std::size_t i = 0; i < ids->size(); ++i) {
        if ((*ids)[i].value == 0) continue;
        const auto row = std::span(*values).subspan(i * d, d);
        ++texts;
        without += std::all_of(row.begin(), row.end(), [](float value) { return value == 0; }) ? 1 : 0;
      }
    }
  }
  if (without > 0) {
    found.missing = fmt::format("{} of {} texts of {} and {}/{} have no vector of {}", without, texts,
                                input.dataset.name, input.dataset.name, input.run.name, input.embedder->name);
  }
  return found;
}

// Positions in the order of the keys: sums must not depend on the order in which rows came.
template <class Row>
std::vector<std::size_t> by_key(const std::vector<Row>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a].key < rows[b].key; });
  return order;
}

// 1 - MAUVE, nothing where a side is empty.
std::optional<double> distance(const std::vector<double>& p, const std::vector<double>& q, std::size_t dimension) {
  if (p.empty() || q.empty()) return std::nullopt;
  const double value = std::max(0.0, 1 - numbers::mauve(p, q, dimension));
  return std::ldexp(std::nearbyint(std::ldexp(value, 40)), -40);
}

CorpusMetric mauve_of(const CorpusInput& input, const Vectors& vectors) {
  const std::size_t d = input.embedder->dimension;
  std::vector<double> p, p_kept, q_kept, q_leaked;
  MetricRow row;
  row.metric = MetricId::kMauve;
  const auto append = [d](std::vector<double>& to, const std::vector<float>& from, std::size_t i) {
    const auto one = std::span(from).subspan(i * d, d);
    to.insert(to.end(), one.begin(), one.end());
  };
  for (const std::size_t i : by_key(input.dataset.records)) {
    if (input.dataset.records[i].empty) {
      ++row.not_applicable;
      continue;
    }
    append(p, vectors.originals, i);
    const bool lost = input.run.aligned() ? failed(input, i) : input.run.lost;
    ++(lost ? row.failed : row.n);
    if (!input.run.aligned()) continue;
    append(q_leaked, lost ? vectors.originals : vectors.variants, i);
    if (lost) continue;
    append(p_kept, vectors.originals, i);
    append(q_kept, vectors.variants, i);
  }
  if (!input.run.aligned()) {
    p_kept = p;
    for (const std::size_t i : by_key(input.run.synthetic)) append(q_kept, vectors.variants, i);
  }
  const std::size_t most = (p.size() + std::max(q_kept.size(), q_leaked.size())) / d;
  if (most * numbers::default_buckets(std::min(p.size(), std::max(q_kept.size(), q_leaked.size())) / d) > kMostPairs) {
    return not_applicable(input, MetricId::kMauve, "there are too many texts to be put into as many buckets");
  }
  row.drop_value = distance(p_kept, q_kept, d);
  // Whose original a failed synthetic text gave away is unknown: all of them, then.
  row.value = row.failed == 0 ? row.drop_value : input.run.aligned() ? distance(p, q_leaked, d) : 0.0;
  row.if_leaked = row.value;
  row.if_private = row.failed == 0 ? row.value : 1.0;
  if (!row.value) return not_applicable(input, MetricId::kMauve, "there are no texts to compare");
  return {.rows = {row}};
}

CorpusMetric cosines(const CorpusInput& input, MetricId metric, const Vectors& vectors) {
  const std::size_t d = input.embedder->dimension;
  std::vector<Contribution> each;
  for (std::size_t i = 0; i < input.dataset.records.size(); ++i) {
    const auto one = [&](const std::vector<float>& values) { return std::span(values).subspan(i * d, d); };
    std::int64_t value = cosine_of(input.dataset.records[i].text, input.run.variants[i].text,
                                   cosine<float>(one(vectors.originals), one(vectors.variants)));
    if (metric == MetricId::kTopicDistance) value = kOne - std::max<std::int64_t>(0, value);
    each.push_back(contribution(input, i, metric, value));
  }
  return of_records(input, metric, std::move(each));
}

void find_topics(const CorpusInput& input) {
  if (input.cache.topics.space) return;
  const auto reader = input.store.facts().read();
  const text::Analyzer& analyzer = text::Analyzer::fsp();
  const auto& records = input.dataset.records;
  std::vector<std::size_t> order = by_key(records);
  std::erase_if(order, [&](std::size_t i) { return records[i].empty; });
  input.cache.topics.space =
      std::make_unique<numbers::TopicSpace>(order.size(), [&](std::size_t n, std::vector<std::string>& terms) {
        analyzer.terms(reader->text(records[order[n]].text), terms);
      });
  std::vector<std::string> terms;
  for (const RecordView& record : records) {
    terms.clear();
    if (!record.empty) analyzer.terms(reader->text(record.text), terms);
    input.cache.topics.originals.push_back(input.cache.topics.space->of(terms));
  }
}

CorpusMetric lsa_distance(const CorpusInput& input) {
  constexpr MetricId kMetric = MetricId::kTopicDistance;
  find_topics(input);
  if (input.cache.topics.space->topics() == 0) return not_applicable(input, kMetric, "the originals have no words");
  const auto reader = input.store.facts().read();
  std::vector<Contribution> each;
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < input.dataset.records.size(); ++i) {
    const TextId variant = input.run.variants[i].text;
    const std::vector<double>& original = input.cache.topics.originals[i];
    terms.clear();
    if (variant.value != 0) text::Analyzer::fsp().terms(reader->text(variant), terms);
    const std::vector<double> other = input.cache.topics.space->of(terms);
    const std::int64_t same =
        cosine_of(input.dataset.records[i].text, variant, cosine<double>(std::span(original), std::span(other)));
    each.push_back(contribution(input, i, kMetric, kOne - std::max<std::int64_t>(0, same)));
    const bool no_topics = std::all_of(original.begin(), original.end(), [](double value) { return value == 0; });
    if (no_topics) each.back() = {kMetric, Outcome::kNone, State::kNotApplicable, 0, 0, 0, {}};
  }
  return of_records(input, kMetric, std::move(each));
}

CorpusMetric detection(const CorpusInput& input) {
  constexpr MetricId kMetric = MetricId::kDetectability;
  std::vector<std::size_t> usable;
  std::vector<TextPair> pairs;
  bool all_same = true;
  for (std::size_t i = 0; i < input.dataset.records.size(); ++i) {
    if (input.dataset.records[i].empty || failed(input, i)) continue;
    usable.push_back(i);
    all_same = all_same && input.dataset.records[i].text == input.run.variants[i].text;
  }
  if (usable.size() < kLeastDetected) {
    return not_applicable(input, kMetric, fmt::format("fewer than {} records have both texts", kLeastDetected));
  }
  std::vector<std::uint8_t> right(usable.size(), 1);  // of equal texts a classifier has one right, whatever it is
  if (!all_same) {
    const auto reader = input.store.facts().read();
    for (const std::size_t i : usable) {
      const RecordView& record = input.dataset.records[i];
      const TextId variant = input.run.variants[i].text;
      pairs.push_back({record.key, ngrams_of(reader->text(record.text)),
                       ngrams_of(variant.value == 0 ? std::string() : reader->text(variant))});
    }
    right = detect(pairs);
  }
  std::vector<Contribution> each;
  for (std::size_t i = 0; i < input.dataset.records.size(); ++i) {
    const auto at = std::lower_bound(usable.begin(), usable.end(), i);
    const bool tried = at != usable.end() && *at == i;
    each.push_back(
        contribution(input, i, kMetric, tried ? right[static_cast<std::size_t>(at - usable.begin())] : 0, 2));
  }
  return of_records(input, kMetric, std::move(each));
}

}  // namespace

CorpusMetric corpus_metric(const CorpusInput& input, MetricId metric) {
  const bool of_vectors = metric == MetricId::kMauve || metric == MetricId::kEmbeddingCosine;
  if (metric == MetricId::kNearestCopy || metric == MetricId::kCopiedRun) return copy_metric(input, metric);
  if (metric == MetricId::kRarePhraseDensity || metric == MetricId::kRarePhraseShare) {
    return phrase_metric(input, metric);
  }
  if (metric == MetricId::kSamePersonLinkage || metric == MetricId::kSamePersonLinkageNet) {
    return same_person_metric(input, metric);
  }
  if (!input.run.aligned() && metric != MetricId::kMauve) {
    return not_applicable(input, metric, "a synthetic run has no text of each record");
  }
  if (metric == MetricId::kDetectability) return detection(input);
  if (input.embedder == nullptr) {
    if (!of_vectors) return lsa_distance(input);
    return not_applicable(input, metric,
                          fmt::format("it needs vectors: residue embed {} --with MODEL, or residue ingest vectors {}",
                                      input.dataset.name, input.dataset.name));
  }
  const Vectors vectors = load(input);
  if (!vectors.missing.empty()) return not_applicable(input, metric, vectors.missing);
  return metric == MetricId::kMauve ? mauve_of(input, vectors) : cosines(input, metric, vectors);
}

}  // namespace residue::query
