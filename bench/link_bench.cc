// Linking by BM25: the kernel beside Xapian's matcher, reading postings, and SQLite's FTS5, on the same corpus.
//
//   link_bench [--records N] [--noise 20,80,95] [--sample N] [--k N]     an index, every way, hits checked first
//   link_bench --memory [--records N] [--noise 20] [--simd NAME] [--queries N]     the kernel alone, postings in memory
//
// CPU time of the process; for the matcher and the kernel the least of three rounds. Peers answer a sample of the
// queries, the kernel all of them. FTS5's formula differs (its own idf, k1 = 1.2, b = 0.75, no stop words): its figure
// is for orientation and its hits are not compared.
#include <sys/resource.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/link_corpus.h"
#include "bench/link_memory.h"
#include "index/bm25/bm25_batch.h"
#include "index/bm25/bm25_index.h"
#include "index/bm25/bm25_linker.h"
#include "index/bm25/bm25_weight.h"
#include "index/bm25/segment.h"
#include "index/bm25/xapian_db.h"
#include "storage/catalog/sqlite.h"
#include "tests/index/bm25/bm25_oracle.h"
#include "text/words/analyzer.h"

namespace residue::bench {
namespace {

using namespace residue::index;
using Way = Bm25Linker::Way;
using Hits = std::vector<std::vector<Hit>>;

struct Arguments {
  std::size_t records = 11'000;
  std::vector<double> noises = {0.20, 0.80, 0.95};
  std::size_t sample = 500;
  std::size_t queries = ~std::size_t{0};  // with --memory: the first so many
  std::size_t k = 1;
  bool memory = false;
  std::string simd;
  KernelOptions kernel;
};

constexpr int kRounds = 3;

// Few enough that their words stay in the first cache, and enough that asking the clock does not count.
constexpr std::size_t kAnalyzedTogether = 16;

// Other work on the machine only ever adds: the least comes nearest.
template <class F>
double least_of_rounds(const F& f) {
  double least = timed(f);
  for (int round = 1; round < kRounds; ++round) least = std::min(least, timed(f));
  return least;
}

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void line(const char* what, double seconds, std::size_t queries, double matcher_us = 0) {
  const double us = seconds / static_cast<double>(queries) * 1e6;
  std::printf("  %-34s %9.3f s %8zu queries %10.2f us/query", what, seconds, queries, us);
  if (matcher_us > 0) std::printf(" %8.1fx less than the matcher", matcher_us / us);
  std::printf("\n");
  std::fflush(stdout);
}

struct Setup {
  std::filesystem::path dir;
  std::vector<std::string> texts, keys, facts;
  std::vector<Query> queries;
  CandidateTable candidates;
  std::filesystem::path file;

  Setup(const LinkCorpus& corpus, double noise) {
    std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
    dir = mkdtemp(name.data());
    SegmentBuilder builder(dir, RunId{1}, text::Analyzer::fsp());
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      texts.push_back(corpus.sanitized(i, noise));
      facts.push_back(corpus.query(i));
      keys.push_back("record-" + std::to_string(i));
      builder.add(id(i), texts.back());
    }
    file = dir / builder.publish().file;
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      all.push_back({id(i), keys[i]});
      queries.push_back({facts[i], keys[i], id(i)});
    }
    candidates = std::make_shared<const Candidates>(all);
  }
  ~Setup() { std::filesystem::remove_all(dir); }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  static CandidateId id(std::size_t i) { return {static_cast<std::int64_t>(i) + 1}; }

  [[nodiscard]] std::unique_ptr<Bm25Linker> open(Way way, KernelOptions kernel = {}) const {
    return std::make_unique<Bm25Linker>(std::vector{file}, candidates, text::Analyzer::fsp(), Bm25Options{}, way,
                                        kernel);
  }
};

// The definition is asked where it answers in a moment; the postings' way, tested against it, for more.
Hits expected(const Setup& s, std::size_t sample, std::size_t k) {
  const auto some = std::span(s.queries).first(sample);
  auto hits = s.open(Way::kPostings)->top(some, k);
  if (s.texts.size() > 11'000) return hits;
  std::vector<Bm25Oracle::Document> documents;
  for (std::size_t i = 0; i < s.texts.size(); ++i) documents.push_back({Setup::id(i), s.keys[i], s.texts[i]});
  const auto first = std::span(s.queries).first(std::min<std::size_t>(sample, 20));
  const auto oracle = Bm25Oracle(documents, text::Analyzer::fsp()).top(first, k);
  if (!std::equal(oracle.begin(), oracle.end(), hits.begin())) {
    std::printf("hits differ from the definition\n");
    std::exit(1);
  }
  return hits;
}

void agree(const char* what, const Hits& hits, const Hits& wanted) {
  if (std::equal(wanted.begin(), wanted.end(), hits.begin())) return;
  std::printf("  %s: hits differ\n", what);
  std::exit(1);
}

// What Xapian alone does with our weight: no exact scores, no ties.
double raw_matcher(const Setup& s, std::size_t sample, std::size_t k) {
  Xapian::Database db = open_segments(std::span(&s.file, 1));
  Xapian::Enquire enquire(db);
  enquire.set_weighting_scheme(Bm25Weight(Bm25Options{}));
  std::vector<Xapian::Query> queries;
  for (std::size_t i = 0; i < sample; ++i) {
    std::vector<std::string> terms;
    text::Analyzer::fsp().terms(s.facts[i], terms);
    std::map<std::string, Xapian::termcount> counted;
    for (const auto& term : terms) ++counted[term];
    std::vector<Xapian::Query> parts;
    for (const auto& [term, wqf] : counted) parts.emplace_back(term, wqf);
    queries.emplace_back(Xapian::Query::OP_OR, parts.begin(), parts.end());
  }
  return least_of_rounds([&] {
    for (const Xapian::Query& query : queries) {
      enquire.set_query(query);
      static_cast<void>(enquire.get_mset(0, static_cast<Xapian::doccount>(k)).size());
    }
  });
}

double fts5(const Setup& s, std::size_t sample, std::size_t k) {
  storage::Db db(s.dir / "fts5.db", storage::DbMode::kCreate);
  db.run("CREATE VIRTUAL TABLE docs USING fts5(text, tokenize = 'porter unicode61'); BEGIN");
  auto insert = db.prepare("INSERT INTO docs (text) VALUES (?1)");
  for (const std::string& text : s.texts) insert.run(text);
  db.run("COMMIT");
  auto find = db.prepare("SELECT rowid FROM docs WHERE docs MATCH ?1 ORDER BY rank LIMIT ?2");
  std::vector<std::string> matches;
  for (std::size_t i = 0; i < sample; ++i) {
    std::istringstream words(s.facts[i]);
    std::string match;
    for (std::string word; words >> word;) {
      std::erase_if(word, [](char c) { return c == '"'; });
      match += (match.empty() ? "\"" : " OR \"") + word + "\"";
    }
    matches.push_back(match);
  }
  return timed([&] {
    for (const std::string& match : matches) {
      find.bind(match, static_cast<std::int64_t>(k));
      while (find.step()) {
      }
    }
  });
}

// What the linker does with the kernel once a text is words: terms looked up, all searched, made hits of. As in the
// linker, a query's words are looked up right after the analysis, which is not part of the figure.
double kernel_batch(const Setup& s, KernelOptions options, std::size_t k, const Hits& wanted) {
  const std::size_t all = s.queries.size();
  const Bm25Index index({s.file}, s.candidates, {});
  const Bm25Batch batch(index, options);
  Hits hits;
  double least = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::vector<KernelTerm>> terms(all);
    std::vector<KernelQuery> queries(all);
    std::vector<std::vector<std::string>> words(kAnalyzedTogether);
    double seconds = 0;
    for (std::size_t begin = 0; begin < all; begin += kAnalyzedTogether) {
      const std::size_t end = std::min(all, begin + kAnalyzedTogether);
      for (std::size_t i = begin; i < end; ++i) text::Analyzer::fsp().terms(s.queries[i].text, words[i - begin]);
      seconds += timed([&] {
        for (std::size_t i = begin; i < end; ++i) {
          terms[i] = batch.numbered(words[i - begin]);
          queries[i].terms = terms[i];
          if (const auto own = s.candidates->rank(s.queries[i].own)) queries[i].hint = *own;
        }
      });
    }
    hits.assign(all, {});
    seconds += timed([&] {
      const auto found = batch.kernel().top(queries, k);
      for (std::size_t i = 0; i < found.size(); ++i) {
        for (const RankedHit& hit : found[i]) hits[i].push_back({s.candidates->id(hit.rank), hit.score, hit.tied});
      }
    });
    if (round == 0 || seconds < least) least = seconds;
  }
  agree("kernel", hits, wanted);
  return least;
}

void all_ways(const LinkCorpus& corpus, double noise, const Arguments& arguments) {
  const std::size_t k = arguments.k;
  std::optional<Setup> setup;
  const double build = timed([&] { setup.emplace(corpus, noise); });
  const Setup& s = *setup;
  const std::size_t all = s.queries.size();
  const std::size_t sample = std::min(arguments.sample, all);
  std::printf("%zu records%s, %.0f %% of tokens changed, k = %zu (texts and Xapian's index: %.1f s)\n", all,
              corpus.real() ? " (real)" : "", noise * 100, k, build);
  const Hits wanted = expected(s, sample, k);
  const auto some = std::span(s.queries).first(sample);

  const double matcher = raw_matcher(s, sample, k);
  const double matcher_us = matcher / static_cast<double>(sample) * 1e6;
  line("Xapian's matcher", matcher, sample);
  const auto by_matcher = s.open(Way::kMatcher);
  line("matcher, exact scores and ties", timed([&] { agree("matcher", by_matcher->top(some, k), wanted); }), sample,
       matcher_us);
  const std::size_t few = std::min<std::size_t>(sample, 50);
  line("SQLite FTS5 (another formula)", fts5(s, few, k), few, matcher_us);
  const auto by_postings = s.open(Way::kPostings);
  line("postings", timed([&] { static_cast<void>(by_postings->top(some, k)); }), sample, matcher_us);

  std::vector<std::string> words;
  const double analysis = timed([&] {
    for (const std::string& facts : s.facts) text::Analyzer::fsp().terms(facts, words);
  });
  line("analysis of the queries", analysis, all);
  for (const Simd simd : supported_simd()) {
    KernelOptions options = arguments.kernel;
    options.simd = simd;
    std::unique_ptr<Bm25Linker> linker;
    Hits hits;
    const double opening = timed([&] {
      linker = s.open(Way::kKernel, options);
      hits = linker->top(some, k);
    });
    agree(name_of(simd), hits, wanted);
    hits = linker->top(s.queries, k);
    const double batch = kernel_batch(s, options, k, hits);
    const auto right = std::count_if(hits.begin(), hits.end(), [&](const auto& h) {
      return !h.empty() && h[0].candidate == s.queries[static_cast<std::size_t>(&h - hits.data())].own;
    });
    line((std::string("kernel, ") + name_of(simd) + ", without analysis").c_str(), batch, all, matcher_us);
    std::printf("    opened, read and %zu queries in %.3f s; together %.3f s; %.1f %% linked right; peak %ld MB\n",
                sample, opening, opening + batch, 100.0 * static_cast<double>(right) / static_cast<double>(all),
                peak_mb());
  }
}

void kernel_alone(const LinkCorpus& corpus, double noise, const Arguments& arguments) {
  std::optional<MemoryCollection> made;
  const double making = timed([&] { made.emplace(corpus, noise); });
  auto queries = made->queries();
  queries.resize(std::min(queries.size(), arguments.queries));
  std::printf("%zu records, %.0f %% of tokens changed, k = %zu, postings in memory (made in %.1f s)\n", corpus.size(),
              noise * 100, arguments.k, making);
  for (const Simd simd : supported_simd()) {
    if (!arguments.simd.empty() && arguments.simd != name_of(simd)) continue;
    KernelOptions options = arguments.kernel;
    options.simd = simd;
    std::optional<Bm25Kernel> kernel;
    const double build = timed([&] { kernel.emplace(*made, made->norms(), corpus.size(), options); });
    std::vector<std::vector<RankedHit>> hits;
    const double batch = least_of_rounds([&] { hits = kernel->top(queries, arguments.k); });
    std::size_t right = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) right += !hits[i].empty() && hits[i][0].rank == i;
    line((std::string("kernel, ") + name_of(simd)).c_str(), batch, queries.size());
    std::printf("    built in %.3f s; together %.3f s; %.1f %% linked right; peak %ld MB\n", build, build + batch,
                100.0 * static_cast<double>(right) / static_cast<double>(hits.size()), peak_mb());
  }
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--memory") {
      a.memory = true;
      continue;
    }
    ++i;
    if (flag == "--records") a.records = std::strtoul(value, nullptr, 10);
    if (flag == "--sample") a.sample = std::strtoul(value, nullptr, 10);
    if (flag == "--queries") a.queries = std::strtoul(value, nullptr, 10);
    if (flag == "--k") a.k = std::strtoul(value, nullptr, 10);
    if (flag == "--simd") a.simd = value;
    if (flag == "--block") a.kernel.block = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    if (flag == "--row-share") a.kernel.row_share = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    if (flag == "--noise") {
      a.noises.clear();
      std::istringstream list(value);
      for (std::string part; std::getline(list, part, ',');) a.noises.push_back(std::atof(part.c_str()) / 100);
    }
  }
  return a;
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  const auto arguments = residue::bench::parse(argc, argv);
  const residue::bench::LinkCorpus corpus(arguments.records);
  for (const double noise : arguments.noises) {
    if (arguments.memory) {
      residue::bench::kernel_alone(corpus, noise, arguments);
    } else {
      residue::bench::all_ways(corpus, noise, arguments);
    }
  }
  return 0;
}
