#include "query/outside/likeness.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/parallel_ranges.h"
#include "index/candidates.h"
#include "index/rouge/rouge_linker.h"
#include "query/inputs/chunks.h"
#include "query/inputs/texts.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"
#include "text/words/word_grams.h"

namespace residue::query {
namespace {

constexpr std::size_t kAtOnce = 256;  // records between two looks at the clock

std::vector<std::vector<std::uint64_t>> grams_of(std::span<const std::string> texts) {
  std::vector<std::vector<std::uint64_t>> grams(texts.size());
  tbb::enumerable_thread_specific<text::TermCounter> words([] { return text::TermCounter(text::Analyzer::plain()); });
  parallel_ranges(texts.size(), 64, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      grams[i] = text::word_grams(texts[i], kLikenessWords, words.local());
  });
  return grams;
}

// Each once, without the empty text, in order.
std::vector<TextId> distinct(std::span<const TextId> texts) {
  std::vector<TextId> each(texts.begin(), texts.end());
  std::sort(each.begin(), each.end());
  each.erase(std::unique(each.begin(), each.end()), each.end());
  std::erase(each, TextId{});
  return each;
}

class Release {
 public:
  Release(const storage::Store& store, std::span<const TextId> released,
          const std::vector<std::vector<std::uint64_t>>& wanted)
      : ids_(distinct(released)), texts_(load_texts(store, ids_)) {
    std::unordered_set<std::uint64_t> asked;
    for (const auto& grams : wanted) asked.insert(grams.begin(), grams.end());
    const auto grams = grams_of(texts_);
    for (std::size_t i = 0; i < grams.size(); ++i) {
      for (const std::uint64_t gram : grams[i]) {
        if (asked.contains(gram)) postings_.emplace_back(gram, static_cast<std::uint32_t>(i));
      }
    }
    tbb::parallel_sort(postings_.begin(), postings_.end());
  }

  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

  // The texts that have most of these 5-grams, and how many they have; no text where that is none.
  struct Best {
    std::size_t grams = 0;
    std::vector<std::uint32_t> texts;
  };
  [[nodiscard]] Best best(const std::vector<std::uint64_t>& grams) const {
    thread_local std::vector<std::uint32_t> counts;  // by text; all 0 between calls
    counts.resize(std::max(counts.size(), texts_.size()), 0);
    std::vector<std::uint32_t> seen;
    for (const std::uint64_t gram : grams) {
      auto at = std::lower_bound(postings_.begin(), postings_.end(), std::pair(gram, std::uint32_t{0}));
      for (; at != postings_.end() && at->first == gram; ++at) {
        if (counts[at->second]++ == 0) seen.push_back(at->second);
      }
    }
    Best best;
    for (const std::uint32_t text : seen) {
      if (counts[text] > best.grams) best = {counts[text], {}};
      if (counts[text] == best.grams) best.texts.push_back(text);
    }
    for (const std::uint32_t text : seen) counts[text] = 0;
    return best;
  }

 private:
  std::vector<TextId> ids_;
  std::vector<std::string> texts_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> postings_;  // of 5-grams that a record has
};

// The greatest recall over all texts, of each of some records.
std::vector<double> recalls_over_all(const Release& release, std::span<const std::string> records) {
  std::vector<index::Candidate> table;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < release.texts().size(); ++i) keys.push_back(std::to_string(i));
  std::vector<index::RougeText> texts;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const CandidateId id{static_cast<std::int64_t>(i) + 1};
    table.push_back({id, keys[i]});
    texts.push_back({id, release.texts()[i]});
  }
  const index::RougeLinker linker(std::make_shared<const index::Candidates>(table), texts, index::RougeScore::kRecall);
  std::vector<index::Query> queries;
  for (const std::string& record : records) queries.push_back({record, "", {}});
  std::vector<double> recalls;
  for (const auto& hits : linker.top(queries, 1)) recalls.push_back(hits.empty() ? 0 : hits.front().score);
  return recalls;
}

}  // namespace

std::vector<std::optional<Likeness>> likeness_of(const storage::Store& store, std::span<const TextId> records,
                                                 std::span<const TextId> released, const ProgressFunction& checkpoint) {
  const std::vector<std::string> texts = load_texts(store, records);
  const auto grams = grams_of(texts);
  const Release release(store, released, grams);
  text::RougeTokenizer tokenizer(true);
  std::vector<std::vector<std::uint32_t>> of_records, of_release;
  for (const std::string& text : texts) of_records.push_back(tokenizer.tokens(text));
  for (const std::string& text : release.texts()) of_release.push_back(tokenizer.tokens(text));

  std::vector<std::optional<Likeness>> found(records.size());
  in_chunks(records.size(), kAtOnce, checkpoint, [&](std::size_t begin, std::size_t end) {
    parallel_ranges(end - begin, 4, [&](const auto& range) {
      for (std::size_t i = begin + range.begin(); i < begin + range.end(); ++i) {
        if (grams[i].empty()) continue;
        const Release::Best best = release.best(grams[i]);
        found[i] = Likeness{static_cast<double>(best.grams) / static_cast<double>(grams[i].size()), 0};
        for (const std::uint32_t text : best.texts) {
          found[i]->recall = std::max(found[i]->recall, text::rouge_l(of_records[i], of_release[text]).r);
        }
      }
    });
  });
  std::vector<std::size_t> strange;  // no released text shares a 5-gram with them: all have the greatest share
  std::vector<std::string> their_texts;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i] || found[i]->share > 0) continue;
    strange.push_back(i);
    their_texts.push_back(texts[i]);
  }
  if (strange.empty() || release.texts().empty()) return found;
  const std::vector<double> recalls = recalls_over_all(release, their_texts);
  for (std::size_t j = 0; j < strange.size(); ++j) found[strange[j]]->recall = recalls[j];
  return found;
}

}  // namespace residue::query
