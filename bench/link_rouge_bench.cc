// ROUGE-L linking, side by side: the two-row dynamic programme, the bit-parallel subsequence of one pair, every pair
// in lanes, and the linker as it chooses; every instruction set, F and recall, 20 % and 80 % noise, k = 1 and 10.
//
//   link_rouge_bench [--records N] [--k1-only]
//
// All records' queries against all sanitized texts; the first two rows are measured on a sample of queries and scaled.
// CPU seconds of the process, the least of two rounds; tokenization is timed apart and taken off. Before anything is
// timed, hits of a sample are compared with the definition's, and all later hits with those of the first way.
#include <tbb/global_control.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/link_corpus.h"
#include "index/rouge/rouge_linker.h"
#include "tests/index/rouge/rouge_oracle.h"

namespace residue::index {
namespace {

using Hits = std::vector<std::vector<Hit>>;
using Way = RougeLinker::Way;

constexpr std::size_t kOracleQueries = 4;
constexpr std::size_t kPairQueries = 40;
constexpr int kRounds = 2;

double cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class F>
double measure(const F& f, int rounds = kRounds) {
  double best = 1e99;
  for (int i = 0; i < rounds; ++i) {
    const double start = cpu_s();
    f();
    best = std::min(best, cpu_s() - start);
  }
  return best;
}

struct Corpus {
  std::vector<std::string> texts, facts, keys;
  std::vector<RougeText> documents;
  std::vector<Query> queries;
  CandidateTable table;

  Corpus(const bench::LinkCorpus& made, double noise) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < made.size(); ++i) {
      texts.push_back(made.sanitized(i, noise));
      facts.push_back(made.query(i));
      keys.push_back("record-" + std::to_string(i));
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const CandidateId id{static_cast<std::int64_t>(i) + 1};
      candidates.push_back({id, keys[i]});
      documents.push_back({id, texts[i]});
      queries.push_back({facts[i], keys[i], {}});
    }
    table = std::make_shared<const Candidates>(candidates);
  }

  [[nodiscard]] Hits oracle_hits(RougeScore score, std::span<const Query> some, std::size_t k) const {
    std::vector<RougeOracle::Document> all;
    for (std::size_t i = 0; i < texts.size(); ++i) all.push_back({documents[i].candidate, keys[i], texts[i]});
    return RougeOracle(all, score).top(some, k);
  }
};

void row(const char* what, const char* simd, std::size_t k, double s, double oracle_s) {
  std::printf("  %-34s %-9s %3zu %10.3f %9.0fx\n", what, simd, k, s, oracle_s / s);
  std::fflush(stdout);
}

void lengths(const char* what, const std::vector<std::vector<std::uint32_t>>& tokens) {
  double sum = 0;
  std::size_t over_32 = 0, over_64 = 0;
  for (const auto& t : tokens) {
    sum += static_cast<double>(t.size());
    over_32 += t.size() > 32;
    over_64 += t.size() > 64;
  }
  const auto n = static_cast<double>(tokens.size());
  std::printf("  %s: %.1f tokens, %.0f %% more than 32, %.0f %% more than 64\n", what, sum / n,
              100 * static_cast<double>(over_32) / n, 100 * static_cast<double>(over_64) / n);
}

// Seconds that the two slow ways would take for all; the dynamic programme's is returned.
double slow_ways(const Corpus& corpus) {
  text::RougeTokenizer tokenizer(true);
  std::vector<std::vector<std::uint32_t>> texts, facts;
  const double tokenizing = measure([&] {
    texts.clear(), facts.clear();
    for (const std::string& text : corpus.texts) texts.push_back(tokenizer.tokens(text));
    for (const std::string& fact : corpus.facts) facts.push_back(tokenizer.tokens(fact));
  });
  lengths("queries", facts);
  lengths("texts", texts);
  std::printf("  tokenizing both, words known: %.3f CPU s\n", tokenizing);
  const auto scaled = [&](std::size_t sample, auto lcs) {
    std::uint64_t sum = 0;
    const double s = measure(
        [&] {
          for (std::size_t q = 0; q < sample; ++q) {
            for (const auto& text : texts) sum += lcs(facts[q * facts.size() / sample], text);
          }
        },
        1);
    if (sum == 0) std::printf("nothing in common\n");
    return s / static_cast<double>(sample) * static_cast<double>(facts.size());
  };
  const double rows = scaled(kOracleQueries, [](const auto& a, const auto& b) { return lcs_by_rows(a, b); });
  const double pairs = scaled(kPairQueries, [](const auto& a, const auto& b) { return text::lcs_length(a, b); });
  std::printf("  %-34s %-9s %3s %10s %10s\n", "", "", "k", "CPU s", "DP / this");
  row("two-row DP (4 queries, scaled)", "", 1, rows, rows);
  row("lcs_length (40 queries, scaled)", "", 1, pairs, rows);
  return rows;
}

bool fast_ways(const Corpus& corpus, RougeScore score, std::size_t k, double oracle_s) {
  const std::span<const Query> queries(corpus.queries);
  const auto some = queries.first(std::min<std::size_t>(10, queries.size()));
  const Hits defined = corpus.oracle_hits(score, some, k);
  Hits first;
  for (const RougeSimd simd : {RougeSimd::kAvx512, RougeSimd::kAvx2, RougeSimd::kPortable}) {
    if (!can_run(simd)) continue;
    for (const Way way : {Way::kEveryPair, Way::kBounds, Way::kAutomatic}) {
      const RougeLinker linker(corpus.table, corpus.documents, score, {simd, way});
      if (linker.top(some, k) != defined) return false;
      Hits hits;
      linker.top(queries, 0);
      const double both = measure([&] { hits = linker.top(queries, k); }, simd == RougeSimd::kPortable ? 1 : kRounds);
      const double tokenizing = measure([&] { linker.tokenize(queries); });
      if (first.empty()) first = hits;
      if (hits != first) return false;
      const char* name = way == Way::kEveryPair ? "every pair" : way == Way::kBounds ? "bounds" : "linker";
      row((std::string(score == RougeScore::kF ? "F, " : "recall, ") + name).c_str(), rouge_kernels(simd).name, k,
          both - tokenizing, oracle_s);
    }
  }
  std::size_t right = 0, tied = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i].empty()) continue;
    right += first[i][0].candidate == corpus.documents[i].candidate;
    tied += first[i][0].tied > 0;
  }
  const double percent = 100 / static_cast<double>(first.size());
  std::printf("  linked right %.1f %%, first is tied %.1f %%\n", percent * static_cast<double>(right),
              percent * static_cast<double>(tied));
  return true;
}

int run(std::size_t records, bool k1_only) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  const bench::LinkCorpus made(records);
  for (const double noise : {0.2, 0.8}) {
    const Corpus corpus(made, noise);
    std::printf("%zu x %zu, noise %.0f %%\n", corpus.texts.size(), corpus.texts.size(), 100 * noise);
    const double oracle_s = slow_ways(corpus);
    for (const RougeScore score : {RougeScore::kF, RougeScore::kRecall}) {
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}}) {
        if (k > 1 && k1_only) continue;
        if (!fast_ways(corpus, score, k, oracle_s)) {
          std::printf("hits differ\n");
          return 1;
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace residue::index

int main(int argc, char** argv) {
  std::size_t records = 11'000;
  bool k1_only = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--records") == 0 && i + 1 < argc) records = std::stoul(argv[++i]);
    if (std::strcmp(argv[i], "--k1-only") == 0) k1_only = true;
  }
  return residue::index::run(records, k1_only);
}
