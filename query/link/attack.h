// One attack on a run: what the rows of the table of linkers (query/inputs/linkers.h) make.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "index/linker.h"
#include "query/absent/absence.h"
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

// What an attack on one record found.
struct Found {
  std::vector<index::Hit> hits;    // at most kTopK
  std::optional<index::Hit> rest;  // of the absent attack; nothing: it links nobody
};

std::vector<Found> found_of(std::vector<std::vector<index::Hit>> hits, std::span<const std::optional<index::Hit>> rest);

class Attack {
 public:
  Attack() = default;
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;
  virtual ~Attack() = default;

  // The best hits of each record, at most kTopK.
  [[nodiscard]] virtual std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const = 0;

  // The same, and what the absent attack finds beside it: the best hit among those that are not left out.
  [[nodiscard]] virtual std::vector<Found> top_and_rest(std::span<const std::size_t> records,
                                                        const Absence& absence) const = 0;
};

}  // namespace residue::query
