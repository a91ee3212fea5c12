// One attack on a run: what the rows of the table of linkers (query/inputs/linkers.h) make.
#pragma once

#include <span>
#include <vector>

#include "index/linker.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

// All outlive the attack.
struct AttackOn {
  storage::Store& store;
  const DatasetView& dataset;
  const Releases& releases;
  const AuxiliaryView& auxiliary;
  const ProtocolSpec& protocol;

  [[nodiscard]] const RunView& run() const { return *releases.front(); }
};

class Attack {
 public:
  Attack() = default;
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;
  virtual ~Attack() = default;

  // The best hits of each record, at most kTopK.
  [[nodiscard]] virtual std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const = 0;
};

}  // namespace residue::query
