// Linking by BM25 again after appends and edits, beside linking from scratch: the same answers, fewer searches.
//
//   relink_bench [--records N] [--noise 20] [--k N]
//
// CPU time of the process. "From scratch" reads the index, builds the kernel and searches every query for the best k;
// "again" reads the same index, builds the kernel, decides what the earlier standings allow, and searches the rest.
// Neither contains the making of the index; what that costs in either case is told beside them.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/link_corpus.h"
#include "index/bm25/bm25_linker.h"
#include "index/bm25/segment.h"
#include "text/words/analyzer.h"

namespace residue::bench {
namespace {

using namespace residue::index;
using Hits = std::vector<std::vector<Hit>>;

CandidateId id(std::size_t i) { return {static_cast<std::int64_t>(i) + 1}; }

class Bench {
 public:
  Bench(std::size_t records, double noise, std::size_t k) : corpus_(records), noise_(noise), k_(k) {
    std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
    dir_ = mkdtemp(name.data());
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < records; ++i) {
      texts_.push_back(corpus_.sanitized(i, noise));
      facts_.push_back(corpus_.query(i));
      keys_.push_back("record-" + std::to_string(i));
    }
    for (std::size_t i = 0; i < records; ++i) {
      all.push_back({id(i), keys_[i]});
      queries_.push_back({facts_[i], keys_[i], id(i)});
    }
    table_ = std::make_shared<const Candidates>(all);
    full_seconds_ = timed([&] { full_ = segment(0, records, texts_); });
    scratch_seconds_ = timed([&] { scratch_ = open({full_})->top(queries_, k_); });
    std::printf("%zu records, %.0f %% of tokens changed, k = %zu; linking from scratch %.2f s, index %.1f s\n", records,
                noise * 100, k, scratch_seconds_, full_seconds_);
  }
  ~Bench() { std::filesystem::remove_all(dir_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void append(double share) {
    const auto old = static_cast<std::size_t>(static_cast<double>(texts_.size()) * (1 - share));
    const auto before = segment(0, old, texts_);
    std::filesystem::path added;
    const double index = timed([&] { added = segment(old, texts_.size(), texts_); });
    DocumentChange change;
    for (std::size_t i = old; i < texts_.size(); ++i) change.now.push_back(id(i));
    again("appended", share, index, before, {before, added}, change, old);
  }

  // Every so many'th text was sanitized otherwise before.
  void edit(double share) {
    const auto every = static_cast<std::size_t>(1 / share);
    std::vector<std::string> texts = texts_;
    DocumentChange change;
    for (std::size_t i = 0; i < texts.size(); i += every) {
      texts[i] = corpus_.sanitized(i, noise_ + 0.05);
      change.now.push_back(id(i));
      change.before.push_back(texts[i]);
    }
    again("edited", share, full_seconds_, segment(0, texts.size(), texts), {full_}, change, texts.size());
  }

 private:
  std::filesystem::path segment(std::size_t first, std::size_t end, const std::vector<std::string>& texts) {
    SegmentBuilder builder(dir_, RunId{1}, text::Analyzer::fsp());
    for (std::size_t i = first; i < end; ++i) builder.add(id(i), texts[i]);
    return dir_ / builder.publish().file;
  }

  std::unique_ptr<Bm25Linker> open(std::vector<std::filesystem::path> files) {
    return std::make_unique<Bm25Linker>(std::move(files), table_, text::Analyzer::fsp());
  }

  void again(const char* what, double share, double index, const std::filesystem::path& before,
             std::vector<std::filesystem::path> now, const DocumentChange& change, std::size_t known) {
    const auto some = std::span(queries_).first(known);
    std::vector<Standing> standings;
    {
      const Hits hits = open({before})->top(some, k_);
      for (std::size_t i = 0; i < known; ++i) standings.push_back(standing_of(hits[i], some[i].own, k_));
    }
    Hits hits(queries_.size());
    std::size_t links = 0, ranks = 0;
    const double seconds = timed([&] {
      const auto linker = open(std::move(now));
      const auto decisions = linker->relinker(change)->decide(some, standings, k_);
      std::vector<Query> open;
      std::vector<std::size_t> at;
      for (std::size_t i = 0; i < queries_.size(); ++i) {
        if (i < known && decisions[i].open == Decision::Open::kNothing) {
          hits[i] = decisions[i].hits;
          continue;
        }
        if (i < known) ++(decisions[i].open == Decision::Open::kLink ? links : ranks);
        open.push_back(queries_[i]);
        at.push_back(i);
      }
      Hits found = linker->top(open, k_);
      for (std::size_t j = 0; j < at.size(); ++j) hits[at[j]] = std::move(found[j]);
    });
    for (std::size_t i = 0; i < hits.size(); ++i) check(hits[i], scratch_[i], queries_[i].own);
    const auto percent = [&](std::size_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(known); };
    std::printf(
        "  %5.1f %% %-8s searched again %6.3f %% for the link, %6.3f %% for the rank alone; %.2f s, %.1f %% of scratch;"
        " with the index %.2f s, %.1f %%\n",
        share * 100, what, percent(links), percent(ranks), seconds, 100 * seconds / scratch_seconds_, seconds + index,
        100 * (seconds + index) / (scratch_seconds_ + full_seconds_));
    std::fflush(stdout);
  }

  // The first hits, all that is known of the own candidate's place, and whether there are any.
  static void check(const std::vector<Hit>& got, const std::vector<Hit>& wanted, CandidateId own) {
    const auto place = [&](const std::vector<Hit>& hits) -> std::ptrdiff_t {
      const auto found = std::find_if(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.candidate == own; });
      return found == hits.end() ? -1 : found - hits.begin();
    };
    if (got.size() <= wanted.size() && got.empty() == wanted.empty() && place(got) == place(wanted) &&
        std::equal(got.begin(), got.end(), wanted.begin())) {
      return;
    }
    std::printf("links differ from those from scratch\n");
    std::exit(1);
  }

  LinkCorpus corpus_;
  double noise_;
  std::size_t k_;
  std::filesystem::path dir_, full_;
  std::vector<std::string> texts_, facts_, keys_;
  std::vector<Query> queries_;
  CandidateTable table_;
  double full_seconds_ = 0, scratch_seconds_ = 0;
  Hits scratch_;
};

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  std::size_t records = 100'000, k = 10;
  double noise = 0.2;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--records") records = std::strtoul(argv[i + 1], nullptr, 10);
    if (flag == "--noise") noise = std::atof(argv[i + 1]) / 100;
    if (flag == "--k") k = std::strtoul(argv[i + 1], nullptr, 10);
  }
  residue::bench::Bench bench(records, noise, k);
  for (const double share : {0.001, 0.01, 0.1}) bench.append(share);
  bench.edit(0.01);
  return 0;
}
