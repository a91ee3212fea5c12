#include "verbs/leaks.h"

#include <utility>

#include "base/ids.h"
#include "query/inputs/texts.h"
#include "query/judge/open_judge.h"

namespace residue::verbs {

LeaksResult leaks(storage::Store& store, const LeaksOptions& options) {
  const storage::Lock held = store.hold_texts();
  LeaksResult result;
  result.leaks = query::load_leaks(store, options.what);
  if (!options.claims) return result;
  std::vector<TextId> claims;
  std::vector<TextId> passages;
  for (const query::Leak& leak : result.leaks.leaks) {
    claims.push_back(leak.claim_text);
    passages.push_back(leak.linked_text);
  }
  result.claims = query::load_texts(store, claims);
  if (!options.evidence && !options.linked) return result;
  std::vector<std::string> linked = query::load_texts(store, passages);
  if (options.evidence) {
    const auto judge = query::open_judge(store, result.leaks.lens.judge_name, "", nullptr);
    for (std::size_t i = 0; i < linked.size(); ++i) {
      const query::Explanation why = judge->explain(linked[i], result.claims[i]);
      result.evidence.push_back(linked[i].substr(why.window_begin, why.window_end - why.window_begin));
    }
  }
  if (options.linked) result.linked = std::move(linked);
  return result;
}

}  // namespace residue::verbs
