// Tier text of run_scores.h: originals against their own variants.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "query/evaluate/run_scores.h"
#include "query/score/scores.h"
#include "query/stored/record_input.h"
#include "query/stored/score_loop.h"
#include "text/measures/bleu.h"
#include "text/measures/rouge.h"
#include "text/measures/rouge_reads.h"

namespace residue::query {
namespace {

// One per thread, so that words and stems are met once.
using Tokenizers = tbb::enumerable_thread_specific<text::RougeTokenizer>;

// `sanitized`: nothing where the text failed. What is not applicable the original says.
AlignedOverlap aligned_overlap(text::RougeTokenizer& tokenizer, const std::string& original,
                               const std::optional<std::string>& sanitized, const SentimentLexicon* lexicon) {
  const std::vector<std::uint32_t> reference = tokenizer.tokens(original);
  AlignedOverlap out;
  out.unreadable = !text::rouge_reads(original) || (sanitized && !text::rouge_reads(*sanitized));
  out.no_words = !out.unreadable && reference.empty();
  out.sentiment = lexicon != nullptr;
  if (!sanitized) return out;
  const text::RougeOverlaps rouge = text::rouge_overlaps(reference, tokenizer.tokens(*sanitized));
  out.rouge1 = rouge.rouge1;
  out.rouge2 = rouge.rouge2;
  out.rouge_l = rouge.rouge_l;
  out.bleu = text::bleu_counts(original, *sanitized);
  out.sacre_bleu = text::sacre_bleu(original, *sanitized, text::SacreTokenizer::k13a, text::SacreSmoothing::kExp).score;
  if (lexicon == nullptr) return out;
  const auto label = [&](const std::string& text) { return text::sentiment_label(lexicon->vader.sentiment(text)); };
  out.same_sentiment = label(original) == label(*sanitized);
  return out;
}

}  // namespace

void score_texts(storage::Store& store, const TextInput& input, ScoreStore& scores,
                 const ProgressFunction& checkpoint) {
  std::int64_t lexicon = 0;
  if (input.sentiment != nullptr) std::memcpy(&lexicon, input.sentiment->digest.data(), sizeof lexicon);
  Tokenizers tokenizers([] { return text::RougeTokenizer(true); });
  RecordScoring records;
  records.at_once = 64;
  records.count = input.dataset.records.size();
  records.look = [&](std::size_t i) {
    const RecordView& record = input.dataset.records[i];
    const RecordCase facts = own_case(input.dataset, input.run, i);
    const TextId own = facts.aligned ? input.run.variants[i].text : TextId{};
    InputHash hash;
    hash << static_cast<std::int64_t>(facts_hash(record, facts, own)) << record.text.value << lexicon;
    return ScoreStore::Change{record.id, hash.value(), record.unit, {}};
  };
  records.contributions = [&](std::size_t i, const storage::Facts::Reader& texts) {
    const RecordCase facts = own_case(input.dataset, input.run, i);
    if (!facts.aligned || facts.empty_original) return text_scores(facts, {});
    text::RougeTokenizer& tokenizer = tokenizers.local();
    tokenizer.clear_if_large();
    std::optional<std::string> sanitized;
    if (const TextId own = input.run.variants[i].text; !facts.failed) {
      sanitized = own.value == 0 ? std::string() : texts.text(own);
    }
    return text_scores(
        facts, aligned_overlap(tokenizer, texts.text(input.dataset.records[i].text), sanitized, input.sentiment));
  };
  score_changed(store, scores, records, checkpoint);
}

}  // namespace residue::query
