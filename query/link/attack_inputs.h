// What an attack depends on beside the run, the records and the judged claims: other claim sets, other runs,
// the run's own claims. The catalog remembers them by name (schema.sql, protocol_input), so that every look sees that
// an evaluation is stale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::query {

struct AttackInput {
  std::string kind;  // as in protocol_input
  std::string name;

  friend auto operator<=>(const AttackInput&, const AttackInput&) = default;
};

std::vector<AttackInput> inputs_of(const ProtocolSpec& protocol);

// What the attack on `run` needs. Throws Error{not found} for an input that is not there, Error{bad input} for one that
// was not read to its end, and for claims of the run that are older than the run.
void require_inputs(storage::Db& db, DatasetId dataset, const std::string& dataset_name, const RunHead& run,
                    const ProtocolSpec& protocol);

// Throws Error{usage} where a run of `dataset_name` that is named by itself is none of the releases that a protocol
// asked for reads: nothing of it would be attacked so.
void require_held(const std::string& dataset_name, const std::vector<storage::Target>& targets,
                  const std::vector<ProtocolSpec>& protocols);

// For a protocol just registered in this batch.
void store_inputs(storage::Db& db, ProtocolId id, const ProtocolSpec& protocol);

// The contents of the inputs as the view attack_extra has them; empty: there are none.
std::string extra_content(storage::Db& db, DatasetId dataset, RunId run, const ProtocolSpec& protocol);

// The contents of `inputs` in their order.
std::string contents_of(storage::Db& db, DatasetId dataset, RunId run, const std::vector<AttackInput>& inputs);

}  // namespace residue::query
