// Protocols as the catalog has them: found and registered by name, renamed along with the runs that they name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

// `sample`: target records, 0: all.
std::optional<ProtocolId> find_protocol(storage::Db& db, DatasetId dataset, const std::string& name,
                                        std::uint64_t sample);

ProtocolId register_protocol(storage::Store& store, DatasetId dataset, const ProtocolSpec& spec, AuxiliaryId auxiliary,
                             std::uint64_t sample);

// In the transaction that has just renamed a run: attackers who hold it (runs=A+B) hold it under its new name, and what
// was current stays so, unless the sums over three and more releases are now taken in another order. Returns the
// protocols whose results must be computed again; also those that cannot be renamed, because the name is taken.
std::vector<std::string> rename_in_protocols(storage::Db& db, DatasetId dataset, const std::string& from,
                                             const std::string& to);

}  // namespace residue::query
