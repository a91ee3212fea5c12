// One attack on a run: what the rows of the table of linkers (query/inputs/linkers.h) make.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "index/linker.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "query/place/place.h"
#include "query/place/sight.h"
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
  std::vector<index::Hit> hits;          // at most kTopK
  std::optional<index::Hit> rest = {};   // of the absent attack; nothing: it links nobody
  std::optional<index::Hit> third = {};  // likewise, of the absent attack's own absent attack
  LinkPlace place;
};

// Where the record's own candidate stands, if the best hits say so: it is one of them, or there are no more (`all`).
// `candidates`: how many there are.
std::optional<index::Place> told_place(std::span<const index::Hit> hits, bool all, CandidateId own,
                                       std::size_t candidates);

// Of attacks that rank all candidates. `sights` and `places` by record, as sights_of() and Linker::places() have them.
std::vector<Found> found_of(std::vector<std::vector<index::Hit>> hits, std::span<const Sight> sights,
                            std::span<const std::optional<index::Place>> places);

// Of attacks whose claims vote: by record all that are voted for, in the attack and, if there is one, in the absent
// attack. `candidates`: how many could be.
struct Voted {
  std::vector<std::vector<index::Hit>> hits;
  std::vector<RestOfVotes> rest;
  std::size_t candidates = 0;
};
std::vector<Found> found_of(std::span<const std::size_t> records, std::span<const CandidateId> own, Voted voted,
                            const Beside& beside);

class Attack {
 public:
  Attack() = default;
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;
  virtual ~Attack() = default;

  // The best hits of each record, at most kTopK.
  [[nodiscard]] virtual std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const = 0;

  // The same, and what is asked beside.
  [[nodiscard]] virtual std::vector<Found> look(std::span<const std::size_t> records, const Beside& beside) const = 0;
};

}  // namespace residue::query
