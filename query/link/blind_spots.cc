#include "query/link/blind_spots.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "query/inputs/texts.h"
#include "text/measures/rouge.h"

namespace residue::query {
namespace {

// With `dense` a query finds something wherever the run has a text, unless it has no direction.
std::optional<std::string> cancelled_note(storage::Db& db, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  storage::Statement count = db.prepare(
      "SELECT count(*), count(*) - count(linked_id) FROM link WHERE run_id = ?1 AND protocol_id = ?2 AND EXISTS "
      "(SELECT 1 FROM run r WHERE r.id = ?1 AND (r.kind = 'none' OR EXISTS (SELECT 1 FROM variant v WHERE v.run_id = "
      "r.id AND v.text_id <> 0)))");
  count.bind(run, protocol);
  if (!count.step() || count.integer(1) == 0) return std::nullopt;
  return fmt::format(
      "of {} of {} targets the vectors of the known claims cancel each other: not linked under {}, which counts as "
      "private; a vector of the joined claims would decide",
      count.integer(1), count.integer(0), spec.name());
}

}  // namespace

std::optional<std::string> blind_note(storage::Store& store, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  if (spec.linker->needs_vectors() && !spec.linker->votes) return cancelled_note(store.db(), run, protocol, spec);
  if (!spec.linker->measures_words()) return std::nullopt;
  storage::Statement count = store.db().prepare("SELECT count(*) FROM link WHERE run_id = ?1 AND protocol_id = ?2");
  if (!count.bind(run, protocol).step()) return std::nullopt;
  const std::int64_t targets = count.integer(0);
  storage::Statement find = store.db().prepare(
      "SELECT q.text_id FROM link l JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary_query q"
      " ON q.auxiliary_id = p.auxiliary_id AND q.record_id = l.record_id"
      " WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND l.linked_id IS NULL");
  find.bind(run, protocol);
  std::vector<TextId> queries;
  while (find.step()) queries.push_back(find.id<TextId>(0));
  text::RougeTokenizer tokenizer(false);
  std::size_t blind = 0;
  for (const std::string& query : load_texts(store, queries)) blind += tokenizer.tokens(query).empty() ? 1 : 0;
  if (blind == 0) return std::nullopt;
  return fmt::format("{} of {} targets have no word that ROUGE-L sees (a-z, 0-9): not linked under {}", blind, targets,
                     spec.name());
}

}  // namespace residue::query
