#include "query/corpus/copies.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "index/rouge/rouge_linker.h"
#include "query/inputs/texts.h"
#include "query/link/linking.h"
#include "storage/catalog/lookup.h"
#include "text/measures/rouge.h"
#include "text/measures/suffix_index.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

// Words as numbers, the same for all texts.
class Words {
 public:
  std::vector<std::uint32_t> of(const std::string& text) {
    text::Analyzer::plain().terms(text, terms_);
    std::vector<std::uint32_t> numbers;
    for (const std::string& term : terms_) {
      numbers.push_back(known_.try_emplace(term, static_cast<std::uint32_t>(known_.size())).first->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<std::string> terms_;
};

template <class Row>
std::vector<const Row*> by_key(const std::vector<Row>& rows) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::sort(order.begin(), order.end(), [](const Row* a, const Row* b) { return a->key < b->key; });
  return order;
}

std::vector<std::string> read(storage::Store& store, const auto& rows) {
  std::vector<TextId> ids;
  for (const auto* row : rows) ids.push_back(row->text);
  return load_texts(store, ids);
}

}  // namespace

std::vector<Copy> find_copies(storage::Store& store, const DatasetView& dataset, const RunView& run) {
  const auto records = by_key(dataset.records);
  const auto variants = by_key(run.synthetic);
  const std::vector<std::string> originals = read(store, records), texts = read(store, variants);
  Words words;
  std::vector<std::vector<std::uint32_t>> sources, tokens;
  for (const std::string& text : originals) sources.push_back(words.of(text));
  for (const std::string& text : texts) tokens.push_back(words.of(text));
  const text::SuffixIndex index(sources);

  std::vector<index::Candidate> candidates;
  std::vector<index::RougeText> all;
  std::unordered_map<CandidateId, const std::string*> keys;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CandidateId id{records[i]->id.value};
    candidates.push_back({id, records[i]->key});
    all.push_back({id, originals[i]});
    keys[id] = &records[i]->key;
  }
  const index::RougeLinker linker(std::make_shared<const index::Candidates>(candidates), all, index::RougeScore::kF);
  std::vector<index::Query> queries;
  for (const std::string& text : texts) queries.push_back({text, "", {}});
  const auto hits = linker.top(queries, 1);

  std::vector<Copy> copies(texts.size());
  parallel_ranges(texts.size(), 16, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      Copy& copy = copies[i];
      copy.key = variants[i]->key;
      copy.words = static_cast<std::uint32_t>(tokens[i].size());
      const text::SharedRun shared = index.longest(tokens[i]);
      copy.shared = shared.length;
      if (shared.length > 0) copy.shared_with = records[shared.text]->key;
      if (text::RougeTokenizer(true).tokens(texts[i]).empty()) continue;
      copy.rouge_l = 0;
      if (hits[i].empty()) continue;
      copy.rouge_l = hits[i][0].score;
      copy.nearest = *keys.at(hits[i][0].candidate);
    }
  });
  return copies;
}

std::vector<RunCopies> load_copies(storage::Store& store, const std::string& dataset) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const storage::Lock texts = store.hold_texts();
  const DatasetView view = load_dataset(store, id, dataset, ClaimSetHead{});
  std::vector<RunCopies> runs;
  for (const RunHead& head : list_runs(store.db(), id)) {
    if (head.kind != RunKind::kSynthetic) continue;
    const RunView run = load_run(store, view, head);
    RunCopies& found = runs.emplace_back();
    found.run = head.name;
    found.failed = run.failed;
    found.copies = find_copies(store, view, run);
    std::stable_sort(found.copies.begin(), found.copies.end(), [](const Copy& a, const Copy& b) {
      return a.shared != b.shared ? a.shared > b.shared : a.rouge_l > b.rouge_l;
    });
  }
  if (!runs.empty()) return runs;
  throw Error(Code::kNotFound, fmt::format("dataset {} has no synthetic run", dataset),
              "the table is about synthetic runs; residue ingest run --synthetic brings one in");
}

}  // namespace residue::query
