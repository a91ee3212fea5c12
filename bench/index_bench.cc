// The index floor: building a segment, reading it, and linking one query or all of them.
//
// The corpus is drawn from a vocabulary of its own (Zipf-like, 12,000 made-up words, 110 words a text; a query is 36
// words of one text). Before a way of searching is timed, its hits are compared with the definition's.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "index/bm25/bm25_linker.h"
#include "index/bm25/segment.h"
#include "tests/index/bm25/bm25_oracle.h"
#include "text/words/analyzer.h"

namespace residue::index {
namespace {

constexpr std::size_t kTextWords = 110;
constexpr std::size_t kQueryWords = 36;
constexpr double kVocabulary = 12'000;

std::string word(std::uint64_t n) {
  static const char* const kSyllables[] = {"ba",  "cor", "di",  "fen", "gul", "ha",  "jo", "kip", "lam", "mes",
                                           "nor", "pa",  "qui", "rud", "so",  "tev", "ul", "vin", "wex", "yo"};
  std::string result;
  for (std::uint64_t rest = n + 20; rest > 0; rest /= 20) result += kSyllables[rest % 20];
  return result;
}

// Rank r is drawn with probability about 1 / r.
std::uint64_t draw(std::uint64_t seed) {
  const double u = static_cast<double>(mix(seed) >> 11) * 0x1p-53;
  return static_cast<std::uint64_t>(std::exp(u * std::log(kVocabulary))) - 1;
}

struct Setup {
  std::filesystem::path dir;
  std::vector<std::string> texts;
  std::vector<std::string> keys;
  std::vector<std::string> facts;
  std::vector<Query> queries;
  CandidateTable candidates;
  Segment segment;
  std::size_t bytes = 0;

  explicit Setup(std::size_t n) {
    std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
    dir = mkdtemp(name.data());
    for (std::size_t i = 0; i < n; ++i) {
      std::string text;
      std::string fact;
      for (std::size_t j = 0; j < kTextWords; ++j) {
        const std::string w = word(draw(i * 1'000 + j));
        text += w + " ";
        if (j % 3 == 0 && j / 3 < kQueryWords) fact += w + " ";
      }
      bytes += text.size();
      texts.push_back(text);
      facts.push_back(fact);
      keys.push_back("record-" + std::to_string(i));
    }
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < n; ++i) {
      all.push_back({{static_cast<std::int64_t>(i) + 1}, keys[i]});
      queries.push_back({facts[i], keys[i], {}});
    }
    candidates = std::make_shared<const Candidates>(all);
    segment = build();
  }
  ~Setup() { std::filesystem::remove_all(dir); }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  [[nodiscard]] Segment build() const {
    SegmentBuilder builder(dir, RunId{1}, text::Analyzer::fsp());
    for (std::size_t i = 0; i < texts.size(); ++i) builder.add({static_cast<std::int64_t>(i) + 1}, texts[i]);
    return builder.publish();
  }

  [[nodiscard]] std::unique_ptr<Bm25Linker> open(Bm25Linker::Way way) const {
    return std::make_unique<Bm25Linker>(std::vector{dir / segment.file}, candidates, text::Analyzer::fsp(),
                                        Bm25Options{}, way);
  }

  [[nodiscard]] bool agrees(const Linker& linker) const {
    std::vector<Bm25Oracle::Document> documents;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      documents.push_back({{static_cast<std::int64_t>(i) + 1}, keys[i], texts[i]});
    }
    const Bm25Oracle oracle(documents, text::Analyzer::fsp());
    const auto some = std::span(queries).first(20);
    return linker.top(some, 10) == oracle.top(some, 10);
  }
};

const Setup& setup(std::int64_t n) {
  static std::map<std::int64_t, std::unique_ptr<Setup>> setups;
  auto& mine = setups[n];
  if (!mine) mine = std::make_unique<Setup>(static_cast<std::size_t>(n));
  return *mine;
}

void build(benchmark::State& state) {
  const Setup& s = setup(state.range(0));
  for (auto _ : state) {
    const Segment segment = s.build();
    state.PauseTiming();
    std::filesystem::remove(s.dir / segment.file);
    state.counters["file_kb"] = static_cast<double>(segment.bytes) / 1e3;
    state.ResumeTiming();
  }
  state.counters["per_MB"] = benchmark::Counter(
      static_cast<double>(s.bytes) / 1e6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void open(benchmark::State& state) {
  const Setup& s = setup(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(s.open(Bm25Linker::Way::kAutomatic));
}

void link(benchmark::State& state, Bm25Linker::Way way, std::size_t queries_at_once) {
  const Setup& s = setup(state.range(0));
  const auto linker = s.open(way);
  if (!s.agrees(*linker)) {
    state.SkipWithError("hits differ from the definition");
    return;
  }
  const std::size_t count = std::min(queries_at_once, s.queries.size());
  std::size_t first = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(linker->top(std::span(s.queries).subspan(first, count), 10));
    first = first + 2 * count <= s.queries.size() ? first + count : 0;
  }
  state.counters["per_query"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

using Way = Bm25Linker::Way;
void one_by_matcher(benchmark::State& state) { link(state, Way::kMatcher, 1); }
void one_by_postings(benchmark::State& state) { link(state, Way::kPostings, 1); }
void eight_by_matcher(benchmark::State& state) { link(state, Way::kMatcher, 8); }
void eight_by_postings(benchmark::State& state) { link(state, Way::kPostings, 8); }
void all_by_matcher(benchmark::State& state) { link(state, Way::kMatcher, ~std::size_t{0}); }
void all_by_postings(benchmark::State& state) { link(state, Way::kPostings, ~std::size_t{0}); }

BENCHMARK(build)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(open)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(one_by_matcher)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(one_by_postings)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(eight_by_matcher)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(eight_by_postings)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(all_by_matcher)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(all_by_postings)->Arg(1'272)->Arg(11'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace residue::index

BENCHMARK_MAIN();
