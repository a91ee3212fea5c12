#include "query/absent/near_originals.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/parallel_ranges.h"
#include "text/words/analyzer.h"
#include "text/words/word_grams.h"

namespace residue::query {
namespace {

// Tells most 5-grams that stand in one original alone, which are most of them, without sorting: two bits for each
// place that hashes fall on.
class SeenTwice {
 public:
  explicit SeenTwice(std::size_t grams)
      : once_(std::bit_ceil(std::max<std::size_t>(grams * kPlacesForGram, 64)) / 64), twice_(once_.size()) {}

  // Each gram of an original once.
  void add(std::uint64_t gram) {
    const auto [word, bit] = place_of(gram);
    twice_[word] |= once_[word] & bit;
    once_[word] |= bit;
  }

  // False: it was added once. True where two fell on its place, mostly equal ones.
  [[nodiscard]] bool may_be(std::uint64_t gram) const {
    const auto [word, bit] = place_of(gram);
    return (twice_[word] & bit) != 0;
  }

 private:
  static constexpr std::size_t kPlacesForGram = 8;

  [[nodiscard]] std::pair<std::size_t, std::uint64_t> place_of(std::uint64_t gram) const {
    return {(gram >> 6U) & (once_.size() - 1), std::uint64_t{1} << (gram & 63U)};
  }

  std::vector<std::uint64_t> once_, twice_;
};

}  // namespace

NearOriginals::NearOriginals(const storage::Store& store, const DatasetView& dataset) {
  const std::size_t count = dataset.records.size();
  std::vector<std::vector<std::uint64_t>> grams(count);
  tbb::enumerable_thread_specific<text::TermCounter> words([] { return text::TermCounter(text::Analyzer::plain()); });
  parallel_ranges(count, 64, [&](const auto& range) {
    const auto texts = store.facts().read();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (!dataset.records[i].empty)
        grams[i] = text::word_grams(texts->text(dataset.records[i].text), kNearWords, words.local());
    }
  });
  std::size_t total = 0;
  for (const auto& one : grams) total += one.size();
  SeenTwice seen(total);
  for (const auto& one : grams) {
    grams_.push_back(one.size());
    for (const std::uint64_t gram : one) seen.add(gram);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint64_t gram : grams[i]) {
      if (seen.may_be(gram)) all.emplace_back(gram, static_cast<std::uint32_t>(i));
    }
    std::vector<std::uint64_t>().swap(grams[i]);
  }
  tbb::parallel_sort(all.begin(), all.end());
  std::vector<std::size_t> shared(count, 0);
  for (auto same = all.begin(); same != all.end();) {
    const auto next = std::find_if(same, all.end(), [&](const auto& one) { return one.first != same->first; });
    if (next - same > 1) {
      begin_.push_back(records_.size());
      for (; same != next; ++same) {
        records_.push_back(same->second);
        ++shared[same->second];
      }
    }
    same = next;
  }
  begin_.push_back(records_.size());
  first_.assign(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) first_[i + 1] = first_[i] + shared[i];
  shared_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  for (std::uint32_t gram = 0; gram + 1 < begin_.size(); ++gram) {
    for (std::size_t at = begin_[gram]; at < begin_[gram + 1]; ++at) shared_[next[records_[at]]++] = gram;
  }
}

std::vector<std::size_t> NearOriginals::of(std::size_t record) const {
  std::vector<std::size_t> near;
  const std::size_t needed = (grams_[record] * kNearPercent + 99) / 100;
  std::vector<std::uint32_t> grams(shared_.begin() + static_cast<std::ptrdiff_t>(first_[record]),
                                   shared_.begin() + static_cast<std::ptrdiff_t>(first_[record + 1]));
  if (needed == 0 || grams.size() < needed) return near;
  const auto standing_in = [&](std::uint32_t gram) { return begin_[gram + 1] - begin_[gram]; };
  std::sort(grams.begin(), grams.end(), [&](std::uint32_t a, std::uint32_t b) {
    return standing_in(a) != standing_in(b) ? standing_in(a) < standing_in(b) : a < b;
  });
  // Who shares `needed` of them shares one of any grams.size() - needed + 1: the rarest say who may.
  const std::size_t rare = grams.size() - needed + 1;
  thread_local std::vector<std::uint32_t> counts;  // by record; all 0 between calls
  counts.resize(std::max(counts.size(), grams_.size()), 0);
  std::vector<std::uint32_t> may;
  for (std::size_t i = 0; i < grams.size(); ++i) {
    for (std::size_t at = begin_[grams[i]]; at < begin_[grams[i] + 1]; ++at) {
      std::uint32_t& count = counts[records_[at]];
      if (count == 0 && i >= rare) continue;
      if (count++ == 0) may.push_back(records_[at]);
    }
  }
  for (const std::uint32_t other : may) {
    if (other != record && counts[other] >= needed) near.push_back(other);
    counts[other] = 0;
  }
  std::sort(near.begin(), near.end());
  return near;
}

}  // namespace residue::query
