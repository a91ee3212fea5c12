#include "verbs/look/search.h"

#include <functional>
#include <map>
#include <string_view>

#include "query/inputs/texts.h"

namespace residue::verbs {
namespace {

constexpr std::string_view kOriginals = "none";  // the control whose texts are the originals

}  // namespace

std::vector<FoundRecord> search(storage::Store& store, const SearchOptions& options) {
  const storage::Lock held = store.hold_texts();
  const query::OpenRun run = query::open_run(store, options.dataset, std::string(kOriginals),
                                             query::parse_protocol(query::kDefaultProtocol), query::IndexUse::kBuild);
  const std::vector<query::TextHit> hits = query::find_hits(run, options.text, options.k);
  std::vector<TextId> ids;
  for (const query::TextHit& hit : hits) ids.push_back(hit.text);
  const std::vector<std::string> texts = query::load_texts(store, ids);
  std::vector<FoundRecord> found;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    std::map<std::string, double, std::less<>> weights;
    for (const index::TermScore& term : hits[i].terms) weights.emplace(term.term, term.score);
    found.push_back({hits[i], query::make_snippet(texts[i], text::Analyzer::fsp(), weights, options.columns)});
  }
  return found;
}

}  // namespace residue::verbs
