#include "query/corpus/phrase_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "numbers/stats/bootstrap.h"
#include "query/corpus/record_rows.h"

namespace residue::query {
namespace {

constexpr std::int64_t kPer = 100;

std::vector<PhraseCounts> count(const text::WordRuns& released, const std::vector<text::Reach>& reach) {
  std::vector<PhraseCounts> counts(released.texts());
  for (std::size_t text = 0; text < released.texts(); ++text) {
    std::size_t run = 0;
    for (std::size_t at = released.begin(text); at < released.end(text); ++at) {
      run = released.words()[at] == 0 ? 0 : run + 1;
      counts[text].all += run >= kPhraseWords ? 1 : 0;
      counts[text].rare += reach[at].alone != 0 ? 1 : 0;
    }
  }
  return counts;
}

const std::vector<PhraseCounts>& counts_of(const CorpusInput& input) {
  CorpusCache& cache = input.cache;
  if (cache.counted && cache.counted->first == input.run.id) return cache.counted->second;
  if (!cache.phrases) cache.phrases = std::make_unique<DatasetPhrases>(input.store, input.dataset, input.phrases);
  const text::WordRuns released = released_words(input.store, *cache.phrases, released_texts(input.run), input.phrases);
  text::RarePhraseOptions options;
  options.least = options.most = kPhraseWords;
  options.memory_bytes = input.phrases.memory_bytes;
  options.interrupted = input.phrases.interrupted;
  const auto reach = text::rare_phrases(cache.phrases->words(), cache.phrases->persons(), released, options);
  cache.counted.emplace(input.run.id, count(released, reach));
  return cache.counted->second;
}

Contribution contribution(MetricId metric, bool lost, const PhraseCounts& counts) {
  Contribution c;
  c.metric = metric;
  c.state = lost ? State::kFailed : State::kValue;
  if (metric == MetricId::kRarePhraseShare) {
    c.den = 1;
    c.num = lost || counts.rare > 0 ? 1 : 0;
    c.best = lost ? 0 : c.num;
  } else if (!lost) {
    c.den = std::max<std::int64_t>(1, counts.all);
    c.num = c.best = kPer * counts.rare;
  }
  return c;
}

MetricRow part(const MetricRow& whole, const char* name, std::size_t value) {
  MetricRow row = whole;
  row.slice = Slice::Cut{name};
  row.value = row.drop_value = row.if_leaked = row.if_private = static_cast<double>(value);
  row.low = row.high = row.drop_low = row.drop_high = std::nullopt;
  row.units = row.drop_units = std::nullopt;
  return row;
}

}  // namespace

CorpusMetric phrase_metric(const CorpusInput& input, MetricId metric) {
  const bool aligned = input.run.aligned();
  if (!aligned && input.run.synthetic.empty() && input.run.failed == 0) {
    return not_applicable(input, metric, "the run has no texts");
  }
  const std::vector<PhraseCounts>& counts = counts_of(input);
  std::vector<Contribution> each;
  std::vector<std::uint64_t> units;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    each.push_back(contribution(metric, aligned && !input.run.variants[i].ok, counts[i]));
    if (aligned && input.dataset.records[i].empty) each.back() = {metric};
    units.push_back(aligned ? input.dataset.records[i].unit
                            : numbers::resampling_unit(input.run.synthetic[i].key, std::nullopt));
  }
  for (std::uint64_t i = 0; i < input.run.failed; ++i) {  // which texts of a synthetic run they are, nobody asks
    each.push_back(contribution(metric, true, {}));
    units.push_back(numbers::resampling_unit(fmt::format("\n{}", i), std::nullopt));
  }
  if (each.empty()) return not_applicable(input, metric, "the dataset has no records");
  CorpusMetric result;
  result.rows.push_back(row_of(each, units, aligned ? input.dataset.independent : true));
  if (metric == MetricId::kRarePhraseDensity) {
    result.rows.push_back(part(result.rows[0], "originals", input.cache.phrases->originals()));
    result.rows.push_back(part(result.rows[0], "persons", input.cache.phrases->person_count()));
  }
  if (aligned) result.each = std::move(each);
  return result;
}

}  // namespace residue::query
