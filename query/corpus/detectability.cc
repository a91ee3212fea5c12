#include "query/corpus/detectability.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "numbers/learn/logistic_regression.h"

namespace residue::query {
namespace {

// Numbers of n-grams without gaps: in which order they are has no effect, because sums over features are taken in the
// order of the texts.
class Dictionary {
 public:
  explicit Dictionary(std::span<const TextPair> records) : number_(2 * std::size_t{kNgramBuckets}, 0) {
    for (const TextPair& record : records) {
      for (const Ngrams* text : {&record.original, &record.variant}) {
        for (const std::uint32_t gram : text->words) number_[gram] = 1;
        for (const std::uint32_t gram : text->characters) number_[kNgramBuckets + gram] = 1;
      }
    }
    for (std::uint32_t& number : number_) {
      if (number != 0) number = size_++;
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::vector<std::uint32_t> numbers(const Ngrams& text) const {
    std::vector<std::uint32_t> found;
    found.reserve(text.words.size() + text.characters.size());
    for (const std::uint32_t gram : text.words) found.push_back(number_[gram]);
    for (const std::uint32_t gram : text.characters) found.push_back(number_[kNgramBuckets + gram]);
    return found;
  }

 private:
  std::vector<std::uint32_t> number_;
  std::uint32_t size_ = 0;
};

numbers::FeatureRow row_of(std::span<const std::uint32_t> numbers, std::size_t words) {
  const auto weight = [](std::size_t count) {
    return count == 0 ? 0.0 : 1 / std::sqrt(2 * static_cast<double>(count));
  };
  return {{numbers.first(words), weight(words)}, {numbers.subspan(words), weight(numbers.size() - words)}};
}

}  // namespace

std::vector<std::size_t> folds_of(std::span<const TextPair> records, const DetectionOptions& options) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t i = 0; i < records.size(); ++i) drawn.emplace_back(hash_of(options.seed, records[i].key), i);
  std::sort(drawn.begin(), drawn.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : records[a.second].key < records[b.second].key;
  });
  std::vector<std::size_t> folds(records.size());
  for (std::size_t n = 0; n < drawn.size(); ++n) folds[drawn[n].second] = n % options.folds;
  return folds;
}

std::vector<std::uint8_t> detect(std::span<const TextPair> records, const DetectionOptions& options) {
  const std::vector<std::size_t> folds = folds_of(records, options);
  // Sums follow the keys, not the order in which records came.
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return records[a].key < records[b].key; });

  const Dictionary dictionary(records);
  std::vector<std::vector<std::uint32_t>> numbers;  // by record, the original's and the variant's
  for (const TextPair& record : records) {
    numbers.push_back(dictionary.numbers(record.original));
    numbers.push_back(dictionary.numbers(record.variant));
  }
  const auto row = [&](std::size_t record, bool variant) {
    const Ngrams& text = variant ? records[record].variant : records[record].original;
    return row_of(numbers[2 * record + (variant ? 1 : 0)], text.words.size());
  };

  std::vector<std::uint8_t> right(records.size(), 0);
  parallel_ranges(options.folds, 1, [&](const TaskRange& range) {
    for (std::size_t fold = range.begin(); fold < range.end(); ++fold) {
      std::vector<numbers::FeatureRow> rows;
      std::vector<bool> truth;
      for (const std::size_t i : order) {
        if (folds[i] == fold) continue;
        for (const bool variant : {false, true}) {
          rows.push_back(row(i, variant));
          truth.push_back(variant);
        }
      }
      const numbers::LinearModel model = numbers::fit_logistic(rows, truth, dictionary.size(), options.iterations);
      for (const std::size_t i : order) {
        if (folds[i] != fold) continue;
        for (const bool variant : {false, true}) {
          if ((model.score(row(i, variant)) > 0) == variant) ++right[i];
        }
      }
    }
  });
  return right;
}

double detection_accuracy(std::span<const std::uint8_t> right) {
  const auto successes = std::accumulate(right.begin(), right.end(), std::int64_t{0});
  return static_cast<double>(successes) / static_cast<double>(2 * right.size());
}

}  // namespace residue::query
