#include "tests/query/history/history_vectors.h"

#include <optional>
#include <vector>

#include "base/hash.h"
#include "query/evaluate/vector_evaluation.h"
#include "storage/catalog/lookup.h"
#include "storage/vectors.h"

namespace residue::query::testing {

// Each dataset has an embedder of its own, so that the others' evaluations stay what they are.
void embed_claims(storage::Store& store, const std::string& name, std::uint64_t epoch) {
  storage::Statement find = store.db().prepare(
      "SELECT c.text_id FROM claim c JOIN claim_set s ON s.id = c.claim_set_id WHERE s.dataset_id = ?1 UNION "
      "SELECT c.text_id FROM run_claim c JOIN run_claim_set s ON s.id = c.set_id JOIN run r ON r.id = s.run_id "
      "WHERE r.dataset_id = ?1");
  find.bind(storage::find_dataset(store.db(), name));
  std::vector<TextId> texts;
  while (find.step()) texts.push_back(find.id<TextId>(0));
  const auto batch = store.write();
  storage::VectorWriter writer(batch->db(), "toy-" + name);
  writer.begin();
  // Else there would be no embedder where none of the claims has a vector any more.
  writer.put(*batch, batch->put_text("a text that is no claim", storage::PrivacyClass::kOriginal),
             std::vector{1.F, 1.F, 1.F});
  for (const TextId text : texts) {
    const std::uint64_t hash = hash_of(7, batch->facts().text(text), 0);
    if (hash % 8 == 0) continue;
    const auto at = [&](std::uint64_t i) { return static_cast<float>(mix(hash + 3 * epoch + i) % 17) - 8; };
    writer.put(*batch, text, std::vector<float>{at(0), at(1), at(2) + 0.5F});
  }
  writer.end();
  batch->commit();
}

void compare_claims(storage::Store& store, const std::string& name, const Asked& asked) {
  storage::Statement embedder = store.db().prepare("SELECT 1 FROM embedder WHERE name = ?1");
  if (!embedder.bind("toy-" + name).step()) return;  // no claim has a vector
  embedder.reset();
  EvalOptions options;
  options.protocols = {parse_protocol(asked.protocol)};
  options.sample = asked.sample;
  // A sample of everything is no sample.
  storage::Statement count = store.db().prepare("SELECT count(*) FROM record WHERE dataset_id = ?1");
  count.bind(storage::find_dataset(store.db(), name)).step();
  if (static_cast<std::uint64_t>(count.integer(0)) <= options.sample) options.sample = 0;
  count.reset();
  evaluate_vectors(store, {{name, std::nullopt}}, options, "toy-" + name);
}

}  // namespace residue::query::testing
