#include "query/inputs/uncovered.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "storage/catalog/results/auxiliary_query.h"

namespace residue::query {

Uncovered uncovered(storage::Store& store, ProtocolId protocol, const ProtocolSpec& spec) {
  const auto empty = store.facts().read()->find("");
  storage::Statement find = store.db().prepare(storage::sql::kAuxiliaryQueryCountsOfProtocol);
  find.bind(protocol, empty.value_or(TextId{-1}));
  if (!find.step()) return {};
  Uncovered counts;
  counts.records = find.integer(0);
  counts.no_text = find.integer(1);
  counts.no_claims = find.integer(2);
  counts.not_said = find.integer(3);
  if (spec.policy.kind != Policy::Kind::kAll) counts.too_few = find.integer(4);
  return counts;
}

std::string uncovered_note(const Uncovered& counts, const ProtocolSpec& spec) {
  if (counts.sum() == 0) return {};
  std::vector<std::string> reasons;
  const auto add = [&](std::int64_t count, std::string_view words) {
    if (count > 0) reasons.push_back(fmt::format("{} {}", count, words));
  };
  add(counts.no_claims, "without claims");
  add(counts.too_few, "with too few claims to leave one to judge");
  add(counts.not_said, spec.policy.words.empty() ? "of which the attacker knows nothing" : "without a paraphrase");
  add(counts.no_text, "without text");
  return fmt::format("the attack is not about {} of {} records: {}", counts.sum(), counts.records,
                     fmt::join(reasons, ", "));
}

}  // namespace residue::query
