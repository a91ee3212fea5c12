// What an evaluation looks at: its attackers (the protocols asked for, one for each seed, and the controls beside
// them), its runs, its sample of records.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/link/protocol_rows.h"
#include "query/prepare/eval_options.h"
#include "storage/store.h"

namespace residue::query {

// One attacker of an evaluation, with what it needs once that is loaded.
struct Attacker {
  ProtocolSpec spec;  // claim set filled in
  ClaimSetHead claims;
  ProtocolId id = {};                         // 0 until registered
  ProtocolId absent = {}, twice_absent = {};  // of the absent attacks beside it (absent_of()); 0 until registered
  // Contents of its further inputs, by run; read before they are, so that what changes in between makes it stale.
  std::map<RunId, std::string> extra = {};
  std::set<RunId> without = {};  // runs whose inputs for it are not there
};

// Whether the attacker looks at the run. A synthetic run has no right record for the oracle to find: nothing it
// measures is applicable. An attacker with several releases looks at those.
bool applies(const RunHead& run, const Attacker& attacker);

// Whether an absent attack is made beside it.
bool has_absent(const RunHead& run, const Attacker& attacker);

// Claim sets resolved, controls only beside `embedded_judge`. Adds a note for each stored protocol whose claim set is
// gone. Throws Error{not found} for claim sets of protocols that are named.
std::vector<Attacker> attackers_of(storage::Db& db, DatasetId dataset, const std::string& name,
                                   const EvalOptions& options, bool embedded_judge, std::vector<std::string>& notes);

// The runs of one dataset that the targets name.
std::vector<RunHead> runs_of(storage::Db& db, const std::vector<Target>& targets, DatasetId dataset,
                             const std::string& name);

// The `size` records of smallest hash: a sample that does not depend on ingest order. Empty: all records.
std::vector<bool> sample_records(const DatasetView& dataset, std::uint64_t size);

// The records that it chose.
std::unordered_set<RecordId> sampled_targets(const DatasetView& dataset, const std::vector<bool>& sampled);

}  // namespace residue::query
