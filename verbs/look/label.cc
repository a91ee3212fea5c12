#include "verbs/look/label.h"

#include "query/inputs/texts.h"

namespace residue::verbs {

LabelResult label(storage::Store& store, const query::LabelOptions& options) {
  const storage::Lock held = store.hold_texts();
  LabelResult result{query::draw_labels(store, options), {}, {}};
  std::vector<TextId> claims, passages;
  for (const query::LabelItem& item : result.sample.items) {
    claims.push_back(item.claim_text);
    passages.push_back(item.passage);
  }
  result.claims = query::load_texts(store, claims);
  result.passages = query::load_texts(store, passages);
  return result;
}

}  // namespace residue::verbs
