#include "query/link/protocol_rows.h"

#include <algorithm>
#include <utility>

#include "query/link/attack_inputs.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/content.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/results/protocol_input.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {
namespace {

using storage::Statement;

struct Held {
  ProtocolId id;
  std::string name;
  std::string claims;  // content of the judged claims
  std::string categories;
};

std::vector<Held> holding(storage::Db& db, DatasetId dataset, const std::string& run) {
  std::vector<Held> found;
  Statement find = db.prepare(storage::sql::kProtocolsWithRunAsInput);
  find.bind(dataset, run);
  while (find.step())
    found.push_back(
        {find.id<ProtocolId>(0), std::string(find.text(1)), std::string(find.text(2)), std::string(find.text(3))});
  return found;
}

// Results of two releases do not depend on their order: what was current under the old one is so under the new one.
void adopt(storage::Db& db, DatasetId dataset, const Held& protocol, const std::vector<AttackInput>& before,
           const std::vector<AttackInput>& after) {
  Statement update = db.prepare(storage::sql::kUpdateEvaluationClaimsContent);
  for (const AttackInput& input : after) {
    if (input.kind != "run") continue;
    Statement find = db.prepare(storage::sql::kRunByName);
    if (!find.bind(dataset, input.name).step()) continue;
    const auto run = find.id<RunId>(0);
    const std::string was = storage::content_of_attack(protocol.claims, contents_of(db, dataset, run, before));
    const std::string is = storage::content_of_attack(protocol.claims, contents_of(db, dataset, run, after));
    update.run(run, protocol.id, Statement::Blob{was}, Statement::Blob{is});
    Statement revisions = db.prepare(storage::sql::kJudgeRevisions);
    while (revisions.step()) {
      const std::string judged_was = storage::content_at_revision(
          storage::content_with_categories(was, protocol.categories), revisions.integer(0));
      const std::string judged_is =
          storage::content_at_revision(storage::content_with_categories(is, protocol.categories), revisions.integer(0));
      update.run(run, protocol.id, Statement::Blob{judged_was}, Statement::Blob{judged_is});
    }
  }
}

// The name of the protocol if it has to be evaluated again.
std::optional<std::string> rename_held(storage::Db& db, DatasetId dataset, const Held& protocol,
                                       const std::string& from, const std::string& to) {
  const ProtocolSpec spec = parse_protocol(protocol.name);
  std::vector<std::string> runs = spec.runs();
  if (std::find(runs.begin(), runs.end(), to) != runs.end()) return protocol.name;
  std::replace(runs.begin(), runs.end(), from, to);
  const ProtocolSpec renamed = combined(spec, runs);
  db.prepare(storage::sql::kUpdateProtocolNameAndLinker).run(protocol.id, renamed.name(), renamed.linker_name());
  if (db.changes() == 0) return protocol.name;
  db.prepare(storage::sql::kUpdateProtocolInputRunName).run(protocol.id, from, to);
  std::vector<AttackInput> before = inputs_of(spec);
  std::sort(before.begin(), before.end());
  for (AttackInput& input : before) {
    if (input.kind == "run" && input.name == from) input.name = to;
  }
  std::vector<AttackInput> after = before;
  std::sort(after.begin(), after.end());
  if (after == before) return std::nullopt;
  if (runs.size() > 2) return renamed.name();
  adopt(db, dataset, protocol, before, after);
  return std::nullopt;
}

}  // namespace

std::optional<ProtocolId> find_protocol(storage::Db& db, DatasetId dataset, const std::string& name,
                                        std::uint64_t sample) {
  Statement find = db.prepare(storage::sql::kProtocolIdByNameAndSample);
  find.bind(dataset, name, static_cast<std::int64_t>(sample));
  if (!find.step()) return std::nullopt;
  return find.id<ProtocolId>(0);
}

ProtocolId register_protocol(storage::Store& store, DatasetId dataset, const ProtocolSpec& spec, AuxiliaryId auxiliary,
                             std::uint64_t sample) {
  if (const auto known = find_protocol(store.db(), dataset, spec.name(), sample)) return *known;
  const auto batch = store.write();
  batch->db()
      .prepare(storage::sql::kInsertProtocolIfNew)
      .run(dataset, spec.name(), spec.linker_name(), auxiliary, static_cast<std::int64_t>(sample));
  store_inputs(batch->db(), *find_protocol(batch->db(), dataset, spec.name(), sample), spec);
  batch->commit();
  return *find_protocol(store.db(), dataset, spec.name(), sample);
}

std::vector<std::string> rename_in_protocols(storage::Db& db, DatasetId dataset, const std::string& from,
                                             const std::string& to) {
  std::vector<std::string> stale;
  for (const Held& protocol : holding(db, dataset, from)) {
    auto name = rename_held(db, dataset, protocol, from, to);
    // The absent attack is computed again with its attack.
    if (name && !parse_protocol(*name).absent()) stale.push_back(*std::move(name));
  }
  return stale;
}

}  // namespace residue::query
