#include "index/rouge/rouge_linker.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "base/parallel_ranges.h"
#include "index/rouge/rouge_chunk.h"
#include "index/rouge/rouge_lanes.h"
#include "index/rouge/rouge_pairs.h"

namespace residue::index {
namespace {

// Chunks that are held at once: some 1 MB each.
constexpr std::size_t kGroupChunks = 32;

// Building a chunk costs as much as so many queries' lanes.
constexpr std::size_t kQueriesForBounds = 256;

// Chunks after which a block that left the bounds tries them again, at most.
constexpr std::size_t kMaxLaneChunks = 4;

// Queries of a block that go first: if their bounds leave too many texts, the others take the lanes.
constexpr std::size_t kFirstQueries = 8;

// Blocks that go through one chunk before all go on to the next, while it is in the cache.
constexpr std::size_t kTaskBlocks = 16;

// Queries that go through the texts together.
struct Block {
  std::vector<RougeSearch*> searches;
  LaneWidth width;
  std::size_t lanes_for = 0;   // chunks for which the bounds are not tried
  std::size_t lanes_next = 1;  // and for how many, should they fail again

  struct Rest {
    std::size_t text;   // the first of a chunk
    std::size_t query;  // the first that the bounds have not served
  };
  std::vector<Rest> rest;
};

struct Worker {
  Worker(const RougeCorpus& corpus, const RougeKernels& kernels, RougeScore score)
      : lanes(corpus, kernels, score), pairs(corpus, kernels, score) {}
  RougeLanes lanes;
  RougePairs pairs;
};

using Workers = tbb::enumerable_thread_specific<Worker>;

template <class F>
void each(std::size_t n, const F& f) {
  parallel_ranges(n, 1, [&](const TaskRange& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) f(i);
  });
}

std::vector<Block> blocks_of(std::vector<RougeSearch>& searches) {
  std::vector<Block> blocks;
  for (const LaneWidth width : {LaneWidth::k32, LaneWidth::k64, LaneWidth::kWords, LaneWidth::kNone}) {
    const std::size_t size = width == LaneWidth::kWords ? kWordLanes : width == LaneWidth::kNone ? 1 : kLanes;
    bool open = false;
    for (RougeSearch& search : searches) {
      if (search.query.known.empty() || lane_width(search.query) != width) continue;
      if (!open || blocks.back().searches.size() == size) blocks.push_back({{}, width, 0, 1, {}});
      open = true;
      blocks.back().searches.push_back(&search);
    }
  }
  return blocks;
}

}  // namespace

struct RougeLinker::Impl {
  CandidateTable candidates;
  RougeScore score;
  Options options;
  const RougeKernels& kernels;
  RougeCorpus corpus;

  [[nodiscard]] bool bounded(const Block& block) const {
    return options.way != Way::kEveryPair && (block.width == LaneWidth::k32 || block.width == LaneWidth::k64);
  }

  void search_pairs(RougeSearch& search) const {
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const auto common = text::lcs_length(search.query.known, corpus.tokens(i));
      search.best.offer(rouge_score(score, {common, search.query.length, corpus.length(i)}), corpus.rank(i));
    }
  }

  // One block and one chunk, for as long as the bounds leave few texts.
  void search_chunk(Block& block, const RougeChunk& chunk, RougePairs& pairs) const {
    std::size_t done = 0;
    if (block.lanes_for > 0) {
      --block.lanes_for;
    } else {
      const std::size_t size = block.searches.size();
      const std::size_t pair = block.width == LaneWidth::k32 ? kernels.pair_in_lanes : kernels.pair_in_lanes / 2;
      std::size_t survivors = 0;
      while (done < size) {
        survivors += pairs.run(chunk, *block.searches[done++]);
        if (options.way == Way::kAutomatic && done >= kFirstQueries && survivors * pair > done * kChunkTexts) break;
      }
      if (done == size) {
        block.lanes_next = 1;
        return;
      }
      block.lanes_for = block.lanes_next;
      block.lanes_next = std::min(2 * block.lanes_next, kMaxLaneChunks);
    }
    block.rest.push_back({chunk.first(), done});
  }

  void search_rest(Block& block, RougeLanes& lanes) const {
    if (block.rest.empty()) return;
    lanes.load(block.searches);
    for (const auto& [text, query] : block.rest) {
      lanes.run(text, std::min(corpus.size(), text + kChunkTexts), query);
    }
    block.rest.clear();
  }

  void search_by_bounds(std::span<Block> blocks, Workers& workers) const {
    const std::size_t chunks = (corpus.size() + kChunkTexts - 1) / kChunkTexts;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t task = std::clamp<std::size_t>(blocks.size() / (4 * threads), 1, kTaskBlocks);
    for (std::size_t group = 0; group < chunks; group += kGroupChunks) {
      std::vector<std::optional<RougeChunk>> held(std::min(kGroupChunks, chunks - group));
      each(held.size(), [&](std::size_t i) {
        // Short texts have the high F, long ones the high recall: those first, and the bounds leave few of the others.
        const std::size_t chunk = score == RougeScore::kF ? group + i : chunks - 1 - group - i;
        held[i].emplace(corpus, chunk * kChunkTexts);
      });
      each((blocks.size() + task - 1) / task, [&](std::size_t i) {
        Worker& worker = workers.local();
        const auto mine = blocks.subspan(i * task, std::min(task, blocks.size() - i * task));
        if (group == 0 && options.way == Way::kAutomatic) {
          for (Block& block : mine) {
            block.rest.push_back({held.front()->first(), 0});
            search_rest(block, worker.lanes);
          }
        }
        for (const auto& chunk : std::span(held).subspan(group == 0 && options.way == Way::kAutomatic ? 1 : 0)) {
          for (Block& block : mine) search_chunk(block, *chunk, worker.pairs);
        }
        for (Block& block : mine) search_rest(block, worker.lanes);
      });
    }
  }

  void search_by_lanes(std::span<Block> blocks, Workers& workers) const {
    each(blocks.size(), [&](std::size_t i) {
      if (blocks[i].width == LaneWidth::kNone) return search_pairs(*blocks[i].searches.front());
      RougeLanes& lanes = workers.local().lanes;
      lanes.load(blocks[i].searches);
      lanes.run(0, corpus.size(), 0);
    });
  }

  void search(std::vector<RougeSearch>& searches, std::size_t k) const {
    Workers workers([this] { return Worker(corpus, kernels, score); });
    std::vector<Block> blocks = blocks_of(searches);
    const auto middle = std::stable_partition(blocks.begin(), blocks.end(), [&](const Block& b) { return bounded(b); });
    auto split = static_cast<std::size_t>(middle - blocks.begin());
    std::size_t queries = 0;
    for (std::size_t i = 0; i < split; ++i) queries += blocks[i].searches.size();
    if (options.way == Way::kAutomatic && queries < kQueriesForBounds) split = 0;
    if (split > 0) {
      each(split, [&](std::size_t i) {
        for (RougeSearch* search : blocks[i].searches) workers.local().pairs.expect(*search, k);
      });
      search_by_bounds(std::span(blocks).first(split), workers);
    }
    search_by_lanes(std::span(blocks).subspan(split), workers);
  }
};

RougeLinker::RougeLinker(CandidateTable candidates, std::span<const RougeText> texts, RougeScore score, Options options)
    : impl_(new Impl{candidates, score, options, rouge_kernels(options.simd), {*candidates, texts}}) {}

RougeLinker::~RougeLinker() = default;

std::vector<std::vector<Hit>> RougeLinker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> results(queries.size());
  if (k == 0) return results;
  std::vector<RougeSearch> searches;
  searches.reserve(queries.size());
  for (RougeQuery& query : tokenize(queries)) searches.push_back({std::move(query), RougeBest(k)});
  impl_->search(searches, k);
  for (std::size_t i = 0; i < queries.size(); ++i) results[i] = searches[i].best.hits(*impl_->candidates);
  return results;
}

std::vector<RougeQuery> RougeLinker::tokenize(std::span<const Query> queries) const {
  std::vector<RougeQuery> result;
  result.reserve(queries.size());
  for (const Query& query : queries) result.push_back(impl_->corpus.query(query.text));
  return result;
}

std::optional<text::Overlap> RougeLinker::explain(std::string_view query, CandidateId candidate) const {
  const auto rank = impl_->candidates->rank(candidate);
  const RougeCorpus& corpus = impl_->corpus;
  const RougeQuery tokens = corpus.query(query);
  for (std::size_t i = 0; rank && i < corpus.size(); ++i) {
    if (corpus.rank(i) != *rank) continue;
    return text::Overlap{text::lcs_length(tokens.known, corpus.tokens(i)), tokens.length, corpus.length(i)};
  }
  return std::nullopt;
}

std::optional<std::size_t> RougeLinker::rank_of(std::string_view query, CandidateId candidate) const {
  const auto own = explain(query, candidate);
  if (!own || own->common == 0) return std::nullopt;
  const RougeCorpus& corpus = impl_->corpus;
  const auto own_rank = impl_->candidates->rank(candidate).value();
  const text::Prf own_prf = text::prf(*own);
  const double own_score = impl_->score == RougeScore::kF ? own_prf.f : own_prf.r;
  const RougeQuery tokens = corpus.query(query);
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    const auto common = text::lcs_length(tokens.known, corpus.tokens(i));
    const double score = rouge_score(impl_->score, {common, tokens.length, corpus.length(i)});
    ahead += score > own_score || (score == own_score && corpus.rank(i) < own_rank);
  }
  return ahead + 1;
}

}  // namespace residue::index
