// Tier text of run_scores.h: originals against their own variants.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <cstring>

#include "base/parallel_ranges.h"
#include "query/record_input.h"
#include "query/run_scores.h"
#include "query/scores.h"
#include "text/bleu.h"
#include "text/rouge.h"

namespace residue::query {
namespace {

constexpr std::size_t kRecordsAtOnce = 4'096;

// One per thread, so that words and stems are met once.
using Tokenizers = tbb::enumerable_thread_specific<text::RougeTokenizer>;

AlignedOverlap aligned_overlap(text::RougeTokenizer& tokenizer, const std::string& original,
                               const std::string& sanitized, const SentimentLexicon* lexicon) {
  const std::vector<std::uint32_t> reference = tokenizer.tokens(original);
  const text::RougeOverlaps rouge = text::rouge_overlaps(reference, tokenizer.tokens(sanitized));
  AlignedOverlap out{rouge.rouge1, rouge.rouge2, rouge.rouge_l, reference.empty()};
  out.bleu = text::bleu_counts(original, sanitized);
  out.sentiment = lexicon != nullptr;
  if (lexicon == nullptr) return out;
  const auto label = [&](const std::string& text) { return text::sentiment_label(lexicon->vader.sentiment(text)); };
  out.same_sentiment = label(original) == label(sanitized);
  return out;
}

}  // namespace

ScoringCounts score_texts(storage::Store& store, const ScoringInput& input, ScoreStore& scores,
                          const Checkpoint& checkpoint) {
  ScoringCounts counts;
  std::int64_t lexicon = 0;
  if (input.sentiment != nullptr) std::memcpy(&lexicon, input.sentiment->digest.data(), sizeof lexicon);
  Tokenizers tokenizers([] { return text::RougeTokenizer(true); });
  const std::size_t total = input.dataset.records.size();
  for (std::size_t begin = 0; begin < total; begin += kRecordsAtOnce) {
    const std::size_t end = std::min(begin + kRecordsAtOnce, total);
    std::vector<ScoreStore::Change> all(end - begin);
    std::vector<std::size_t> stale;
    for (std::size_t i = begin; i < end; ++i) {
      const RecordView& record = input.dataset.records[i];
      const RecordCase facts = own_case(input.dataset, input.run, i);
      const TextId own = facts.aligned ? input.run.variants[i].text : TextId{};
      InputHash hash;
      hash << static_cast<std::int64_t>(facts_hash(record, facts, own)) << record.text.value << lexicon;
      if (scores.stale(record.id, hash.value())) stale.push_back(i);
      all[i - begin] = {record.id, hash.value(), record.unit, {}};
    }
    std::vector<ScoreStore::Change> changes(stale.size());
    parallel_ranges(stale.size(), 64, [&](const auto& range) {
      text::RougeTokenizer& tokenizer = tokenizers.local();
      tokenizer.clear_if_large();
      const auto reader = store.facts().read();
      for (std::size_t j = range.begin(); j < range.end(); ++j) {
        const std::size_t i = stale[j];
        const RecordView& record = input.dataset.records[i];
        const RecordCase facts = own_case(input.dataset, input.run, i);
        AlignedOverlap overlap;
        overlap.sentiment = input.sentiment != nullptr;
        if (facts.aligned && !facts.failed && !facts.empty_original) {
          const TextId own = input.run.variants[i].text;
          overlap = aligned_overlap(tokenizer, reader->text(record.text),
                                    own.value == 0 ? std::string() : reader->text(own), input.sentiment);
        }
        changes[j] = std::move(all[i - begin]);
        changes[j].contributions = text_scores(facts, overlap);
      }
    });
    if (!changes.empty()) {
      const auto batch = store.write();
      scores.apply(*batch, changes);
      batch->commit();
    }
    counts.rescored += changes.size();
    checkpoint(end, total);
  }
  return counts;
}

}  // namespace residue::query
