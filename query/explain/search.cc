#include "query/explain/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/lookup.h"

namespace residue::query {

bool OpenRun::has_text() const {
  return std::any_of(candidates.texts.begin(), candidates.texts.end(), [](TextId text) { return text.value != 0; });
}

std::size_t position_of(const RunCandidates& candidates, CandidateId candidate) {
  // Ascending ids: records and synthetic variants were read so.
  const auto found = std::lower_bound(candidates.ids.begin(), candidates.ids.end(), candidate);
  if (found == candidates.ids.end() || *found != candidate) {
    throw Error(Code::kInternal, "the index names a candidate that the run does not have", "please report this");
  }
  return static_cast<std::size_t>(found - candidates.ids.begin());
}

bool searches_terms(const ProtocolSpec& protocol) {
  return protocol.linker->measure == Measure::kTerms && !protocol.linker->votes && protocol.runs().empty();
}

void require_bm25(const ProtocolSpec& protocol, std::string_view doing) {
  if (searches_terms(protocol)) return;
  throw Error(Code::kUsage, fmt::format("the linker {} cannot {}", protocol.linker_name(), doing),
              fmt::format("bm25 can: --protocol {}", kDefaultProtocol));
}

std::unique_ptr<index::Bm25Linker> open_index(storage::Store& store, const std::string& dataset, const RunView& run,
                                              const RunCandidates& candidates, const ProtocolSpec& protocol,
                                              IndexUse use, std::string_view claims) {
  if (auto current = open_current_bm25(store, run, candidates, protocol, claims)) return current;
  if (use == IndexUse::kAsStored) {
    throw Error(
        Code::kNotFound,
        fmt::format("run {}/{} has no index of its present texts, or a damaged one", dataset, run.name),
        fmt::format("residue link {}/{} --protocol {} 'any words' builds it", dataset, run.name, protocol.name()));
  }
  const storage::Lock building = store.lock_run(run.id);
  return open_bm25(store, run, candidates, protocol, claims);
}

OpenRun open_run(storage::Store& store, const std::string& dataset, const std::string& run,
                 const ProtocolSpec& protocol, IndexUse use) {
  const RunId id = storage::find_run(store.db(), dataset, run);
  OpenRun open;
  open.dataset = load_dataset(store, storage::find_dataset(store.db(), dataset), dataset, ClaimSetHead{});
  for (const RunHead& head : list_runs(store.db(), open.dataset.id)) {
    if (head.id == id) open.run = load_evaluated_run(store, open.dataset, head);
  }
  open.candidates = candidates_of(open.dataset, open.run);
  open.linker = open_index(store, dataset, open.run, open.candidates, protocol, use);
  return open;
}

std::vector<TextHit> find_hits(const OpenRun& run, std::string_view text, std::size_t k) {
  const std::vector<index::Query> queries{{text, "", {}}};
  std::vector<TextHit> result;
  const std::vector<index::Hit> hits = run.linker->top(queries, std::min(k, kMaxHits)).front();
  for (const index::Hit& hit : hits) {
    const std::size_t at = position_of(run.candidates, hit.candidate);
    result.push_back({result.size() + 1, hit.candidate, run.candidates.keys[at], run.candidates.texts[at], hit.score,
                      hit.tied, run.linker->explain(text, hit.candidate).value_or(std::vector<index::TermScore>())});
  }
  return result;
}

}  // namespace residue::query
