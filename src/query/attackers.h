// Who is evaluated against whom: the protocols of an evaluation, its runs, its sample of records.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "query/evaluate.h"
#include "query/snapshot.h"

namespace residue::query {

// One attacker of this evaluation, with what it needs once that is loaded.
struct Attacker {
  ProtocolSpec spec;  // claim set filled in
  ClaimSetHead claims;
  ProtocolId id;  // 0 until registered
  // Contents of its further inputs, by run; read before they are, so that what changes in between makes it stale.
  std::map<RunId, std::string> extra;
};

// The protocols asked for, seeds spread, claim sets resolved, controls beside them.
std::vector<Attacker> attackers_of(storage::Db& db, DatasetId dataset, const std::string& name,
                                   const EvalOptions& options, bool embedded_judge);

std::optional<ProtocolId> find_protocol(storage::Db& db, DatasetId dataset, const std::string& name,
                                        std::uint64_t sample);
ProtocolId register_protocol(storage::Store& store, DatasetId dataset, const ProtocolSpec& spec, AuxiliaryId auxiliary,
                             std::uint64_t sample);

// The runs of one dataset that the targets name.
std::vector<RunHead> runs_of(storage::Db& db, const std::vector<Target>& targets, DatasetId dataset,
                             const std::string& name);

// The `size` records of smallest hash: a sample that does not depend on ingest order. Empty: all records.
std::vector<bool> sample_records(const DatasetView& dataset, std::uint64_t size);

}  // namespace residue::query
