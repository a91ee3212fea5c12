#include "query/corpus/copy_scores.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/corpus/copies.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

// In words, as copies.h counts them.
std::int64_t longest_original(const CorpusInput& input) {
  const auto reader = input.store.facts().read();
  std::size_t longest = 0;
  std::vector<std::string> words;
  for (const RecordView& record : input.dataset.records) {
    text::Analyzer::plain().terms(reader->text(record.text), words);
    longest = std::max(longest, words.size());
  }
  return static_cast<std::int64_t>(longest);
}

// Whether there is an original that a text could be near to.
bool rouge_knows_any(const CorpusInput& input) {
  const auto reader = input.store.facts().read();
  text::RougeTokenizer tokenizer(true);
  return std::ranges::any_of(input.dataset.records, [&](const RecordView& record) {
    return !tokenizer.tokens(reader->text(record.text)).empty();
  });
}

}  // namespace

CorpusMetric copy_metric(const CorpusInput& input, MetricId metric) {
  const auto texts = static_cast<std::int64_t>(input.run.synthetic.size());
  const auto failed = static_cast<std::int64_t>(input.run.failed);
  MetricRow row;
  row.metric = metric;
  if (input.run.aligned() || texts + failed == 0) {
    row.not_applicable = static_cast<std::int64_t>(input.dataset.records.size());
    return {{row}, input.run.aligned() ? "its texts are meant to repeat their originals" : "the run has no texts", {}};
  }
  const bool words = metric == MetricId::kCopiedRun;
  if (!words && !rouge_knows_any(input)) {
    row.not_applicable = texts + failed;
    return {{row}, "no original has a word that ROUGE knows", {}};
  }
  const std::int64_t unit = words ? 1 : kOne;
  const std::int64_t worst = words ? failed > 0 ? longest_original(input) : 0 : kOne;
  std::int64_t sum = 0, most = 0;
  for (const Copy& copy : find_copies(input.store, input.dataset, input.run)) {
    const std::int64_t value = words ? std::int64_t{copy.shared} : fixed(copy.rouge_l.value_or(0));
    sum += value;
    most = std::max(most, value);
  }
  const auto mean = [&](std::int64_t total, std::int64_t of) -> std::optional<double> {
    if (of == 0) return std::nullopt;
    return static_cast<double>(total) / static_cast<double>(unit) / static_cast<double>(of);
  };
  row.n = texts;
  row.failed = failed;
  MetricRow greatest = row;
  row.value = row.if_leaked = mean(sum + failed * worst, texts + failed);
  row.if_private = mean(sum, texts + failed);
  row.drop_value = mean(sum, texts);
  greatest.slice = Slice::Cut{"max"};
  greatest.value = greatest.if_leaked = mean(failed > 0 ? std::max(most, worst) : most, 1);
  greatest.if_private = mean(most, 1);
  if (texts > 0) greatest.drop_value = greatest.if_private;
  return {.rows = {row, greatest}};
}

}  // namespace residue::query
