#include "query/link/blind_spots.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "query/inputs/texts.h"
#include "storage/catalog/results/auxiliary_query.h"
#include "storage/catalog/results/link.h"
#include "text/measures/rouge_reads.h"

namespace residue::query {
namespace {

// With `dense` a query finds something wherever the run has a text, unless it has no direction.
std::optional<std::string> cancelled_note(storage::Db& db, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  storage::Statement count = db.prepare(storage::sql::kLinkCountsOfRunWithText);
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
  storage::Statement count = store.db().prepare(storage::sql::kLinkCountOfRunUnderProtocol);
  if (!count.bind(run, protocol).step()) return std::nullopt;
  const std::int64_t targets = count.integer(0);
  storage::Statement find = store.db().prepare(storage::sql::kAuxiliaryQueryTextsOfUnlinkedRecords);
  find.bind(run, protocol);
  std::vector<TextId> queries;
  while (find.step()) queries.push_back(find.id<TextId>(0));
  std::size_t blind = 0;
  for (const std::string& query : load_texts(store, queries)) blind += text::rouge_reads(query) ? 0 : 1;
  if (blind == 0) return std::nullopt;
  return fmt::format(
      "ROUGE-L sees a-z and 0-9 only: it cannot read what is known of {} of {} targets, which failed, and count as "
      "leaked, "
      "under {}",
      blind, targets, spec.name());
}

}  // namespace residue::query
