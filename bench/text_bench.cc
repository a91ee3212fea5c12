// The text primitives on texts of the size that linking and judging see: 116 tokens.
// Every benchmark compares its answer with the slow definition before it times.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "tests/text/oracles.h"
#include "text/characters/token_diff.h"
#include "text/measures/bleu.h"
#include "text/measures/jaro_winkler.h"
#include "text/measures/rouge.h"
#include "text/measures/vader.h"
#include "text/words/analyzer.h"
#include "text/words/sentences.h"
#include "text/words/words.h"

namespace residue::text {
namespace {

constexpr std::size_t kPairs = 1000;
constexpr std::size_t kTokens = 116;

// A vocabulary with the skew of language and endings that the stemmer has work with.
std::string word(std::uint64_t seed) {
  static const char* const kSyllables[] = {"pa", "ti", "en", "the", "ra", "co", "ment", "al", "in", "do", "ser", "ly"};
  static const char* const kEndings[] = {"", "", "s", "ed", "ing", "ation", "ness", "ly"};
  const double uniform = static_cast<double>(mix(seed) >> 11) * 0x1p-53;
  std::uint64_t rank = mix(static_cast<std::uint64_t>(8000 * uniform * uniform * uniform));
  std::string out;
  for (std::uint64_t i = 0; i <= rank % 3; ++i) out += kSyllables[(rank >> (8 + 4 * i)) % 12];
  return out + kEndings[(rank >> 40) % 8];
}

std::string make_text(std::uint64_t seed) {
  std::string out;
  for (std::size_t i = 0; i < kTokens; ++i) {
    std::string next = word(seed * 1000 + i);
    if (i % 15 == 0) next[0] = static_cast<char>(next[0] - 32);
    out += next + (i % 15 == 14 ? ". " : i % 7 == 6 ? ", " : " ");
  }
  return out;
}

// The reference, and the same with every fourth word exchanged.
struct Pair {
  std::string reference;
  std::string hypothesis;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> made = [] {
    std::vector<Pair> out;
    for (std::uint64_t i = 0; i < kPairs; ++i) {
      Pair pair{make_text(i), {}};
      std::size_t n = 0;
      for_each_word(pair.reference, [&](std::string_view w) {
        pair.hypothesis += n % 4 == 3 ? word(mix(i) + n) : std::string(w);
        pair.hypothesis += ++n % 15 == 0 ? ". " : " ";
      });
      out.push_back(pair);
    }
    return out;
  }();
  return made;
}

std::string corpus() {
  std::string out;
  for (const Pair& pair : pairs()) out += pair.reference + "\n";
  return out;
}

// Tokenizing, stemming, ROUGE-1, 2 and L of one pair.
void BM_RougePair(benchmark::State& state) {
  RougeTokenizer tokenizer(true);
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (const Pair& pair : pairs()) {
    tokenizer.tokens(pair.reference, a);
    tokenizer.tokens(pair.hypothesis, b);
    const RougeOverlaps found = rouge_overlaps(a, b);
    if (found.rouge_l.common != lcs_by_definition(a, b) || a.size() != kTokens ||
        found.rouge1.common != overlap_by_definition(a, b, 1) ||
        found.rouge2.common != overlap_by_definition(a, b, 2)) {
      state.SkipWithError("wrong answer");
      return;
    }
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& pair = pairs()[i++ % kPairs];
    tokenizer.tokens(pair.reference, a);
    tokenizer.tokens(pair.hypothesis, b);
    const RougeOverlaps found = rouge_overlaps(a, b);
    benchmark::DoNotOptimize(prf(found.rouge1));
    benchmark::DoNotOptimize(prf(found.rouge2));
    benchmark::DoNotOptimize(prf(found.rouge_l));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_RougePair)->Unit(benchmark::kMicrosecond);

template <std::uint32_t (*F)(Tokens, Tokens)>
void lcs(benchmark::State& state) {
  RougeTokenizer tokenizer(true);
  std::vector<std::vector<std::uint32_t>> texts;
  for (const Pair& pair : pairs()) {
    texts.push_back(tokenizer.tokens(pair.reference));
    texts.push_back(tokenizer.tokens(pair.hypothesis));
    const std::size_t n = texts.size();
    if (F(texts[n - 2], texts[n - 1]) != lcs_by_definition(texts[n - 2], texts[n - 1])) {
      state.SkipWithError("wrong answer");
      return;
    }
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t at = 2 * (i++ % kPairs);
    benchmark::DoNotOptimize(F(texts[at], texts[at + 1]));
  }
}
void BM_Lcs(benchmark::State& state) { lcs<lcs_length>(state); }
void BM_LcsByDefinition(benchmark::State& state) { lcs<lcs_by_definition>(state); }
BENCHMARK(BM_Lcs)->Unit(benchmark::kNanosecond);
BENCHMARK(BM_LcsByDefinition)->Unit(benchmark::kNanosecond);

void BM_Words(benchmark::State& state) {
  // 0: ASCII; 1: one curly quote in every text.
  std::string text = corpus();
  if (state.range(0) == 1) {
    for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos; at += 20) text.replace(at, 1, "’");
  }
  std::vector<Span> spans;
  words(text, spans);
  if (spans != words_by_icu(text)) {
    state.SkipWithError("wrong answer");
    return;
  }
  for (auto _ : state) words(text, spans);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_Words)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_Analyzer(benchmark::State& state) {
  const Analyzer& analyzer = state.range(0) == 0 ? Analyzer::plain() : Analyzer::fsp();
  std::vector<std::string> terms;
  std::size_t bytes = 0;
  std::size_t i = 0;
  for (auto _ : state) {
    const std::string& text = pairs()[i++ % kPairs].reference;
    analyzer.terms(text, terms);
    benchmark::DoNotOptimize(terms.data());
    bytes += text.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(BM_Analyzer)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_Sentences(benchmark::State& state) {
  std::size_t bytes = 0;
  std::size_t i = 0;
  for (auto _ : state) {
    const std::string& text = pairs()[i++ % kPairs].reference;
    benchmark::DoNotOptimize(sentences(text));
    bytes += text.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(BM_Sentences)->Unit(benchmark::kMicrosecond);

// Tokens between single spaces that two texts have in common, each as often as in both.
std::uint64_t common_words(const std::string& a, const std::string& b) {
  std::map<std::string, std::uint64_t> left;
  std::uint64_t common = 0;
  const auto each = [](const std::string& text, auto&& f) {
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
      end = text.find(' ', begin);
      f(text.substr(begin, end - begin));
    }
  };
  each(a, [&](const std::string& token) { ++left[token]; });
  each(b, [&](const std::string& token) { common += left[token] > 0 ? left[token]-- > 0 : 0; });
  return common;
}

// Splitting, counting and scoring of BLEU-1 to BLEU-4.
void BM_BleuPair(benchmark::State& state) {
  for (const Pair& pair : pairs()) {
    if (bleu_counts(pair.reference, pair.hypothesis).common[0] != common_words(pair.reference, pair.hypothesis)) {
      state.SkipWithError("wrong answer");
      return;
    }
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& pair = pairs()[i++ % kPairs];
    benchmark::DoNotOptimize(nltk_bleu(bleu_counts(pair.reference, pair.hypothesis)));
  }
}
BENCHMARK(BM_BleuPair)->Unit(benchmark::kMicrosecond);

// Answers as people and models give them to questions about attributes: every one against every one.
const std::vector<std::string>& answers() {
  static const std::vector<std::string> made = {
      "software engineer",
      "nurse",
      "teacher",
      "data analyst",
      "married",
      "in relation",
      "no relation",
      "divorced",
      "zurich, switzerland",
      "cape town / south africa",
      "oslo, norway",
      "new york, usa",
      "college degree",
      "phd",
      "masters in computer science",
      "hs diploma",
      "very high",
      "medium",
      "female",
      "male",
      "graphic designer",
      "graduate nurse",
      "software manager",
      "sydney, australia",
      "melbourne, australia",
      "retired teacher",
      "student",
      "mexico city",
      "toronto, canada",
      "product manager",
      "architect",
      "civil engineer",
  };
  return made;
}

// 0: all values; 1: only those that reach 0.75.
void BM_JaroWinkler(benchmark::State& state) {
  const double cutoff = state.range(0) == 0 ? 0 : kSameAnswer;
  const auto& texts = answers();
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      const double exact = jaro_winkler(a, b);
      const double cut = jaro_winkler(a, b, cutoff);
      if (cut != exact && !(cut == 0 && exact < cutoff)) {
        state.SkipWithError("wrong answer");
        return;
      }
    }
  }
  for (auto _ : state) {
    for (const std::string& a : texts) {
      for (const std::string& b : texts) benchmark::DoNotOptimize(jaro_winkler(a, b, cutoff));
    }
  }
  state.counters["per_pair"] =
      benchmark::Counter(static_cast<double>(texts.size() * texts.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_JaroWinkler)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// RESIDUE_VADER_LEXICON names the lexicon. 0: sentences of some ten words, as VADER is meant for; 1: 116 words.
void BM_Vader(benchmark::State& state) {
  const char* path = std::getenv("RESIDUE_VADER_LEXICON");
  if (path == nullptr) {
    state.SkipWithError("RESIDUE_VADER_LEXICON names no lexicon");
    return;
  }
  const std::string lexicon = contents(path);
  const Vader vader(lexicon, "");
  std::vector<std::string> known;
  std::istringstream lines(lexicon);
  for (std::string line; std::getline(lines, line);) known.push_back(line.substr(0, line.find('\t')));
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    std::string text;
    const std::size_t words = state.range(0) == 0 ? 8 + mix(i) % 9 : kTokens;
    for (std::size_t k = 0; k < words; ++k) {
      const std::uint64_t draw = mix(i * 1000 + k);
      text += (draw % 8 == 0 ? known[draw / 8 % known.size()] : draw % 19 == 0 ? "not" : word(draw)) + " ";
    }
    texts.push_back(text + ".");
  }
  // vaderSentiment's own answers to its own example.
  if (vader.sentiment("VADER is VERY SMART, uber handsome, and FRIGGIN FUNNY!!!") !=
      Sentiment{0, 0.294, 0.706, 0.9469}) {
    state.SkipWithError("wrong answer");
    return;
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(vader.sentiment(texts[i++ % kPairs]));
}
BENCHMARK(BM_Vader)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_TokenDiff(benchmark::State& state) {
  RougeTokenizer tokenizer(false);
  for (const Pair& pair : pairs()) {
    const auto kept = token_diff(pair.reference, pair.hypothesis).kept.size();
    if (kept != lcs_by_definition(tokenizer.tokens(pair.reference), tokenizer.tokens(pair.hypothesis))) {
      state.SkipWithError("wrong answer");
      return;
    }
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& pair = pairs()[i++ % kPairs];
    benchmark::DoNotOptimize(token_diff(pair.reference, pair.hypothesis));
  }
}
BENCHMARK(BM_TokenDiff)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace residue::text

BENCHMARK_MAIN();
