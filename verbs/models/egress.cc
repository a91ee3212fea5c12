#include "verbs/models/egress.h"

#include <set>
#include <utility>

#include "model/asking/answered_as.h"

namespace residue::verbs {

Egress egress(storage::Store& store) {
  Egress all;
  all.sums = model::egress_sums(store.db());
  std::set<std::string> models;
  for (const model::EgressSum& sum : all.sums) {
    models.insert(sum.model);
    all.uncounted_usd += sum.uncounted_usd;
  }
  for (const std::string& model : models) {
    if (std::string note = model::swapped_note(store, model); !note.empty()) all.swapped.push_back(std::move(note));
  }
  return all;
}

}  // namespace residue::verbs
