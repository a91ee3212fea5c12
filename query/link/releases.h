// The further releases that an attacker holds beside the run that is evaluated (protocol option runs=A+B).
#pragma once

#include <memory>
#include <vector>

#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

class OtherReleases {
 public:
  enum class Hold { kLocked, kNotLocked };  // whether other evaluations wait for as long as this lives

  // Throws Error{not found} for a run that is not there, Error{usage} for a synthetic one, Error{busy}.
  OtherReleases(storage::Store& store, const DatasetView& dataset, const RunHead& evaluated, const ProtocolSpec& spec,
                Hold hold = Hold::kLocked);

  // `run`, then the others by name. Views live as long as both.
  [[nodiscard]] Releases with(const RunView& run) const;

 private:
  std::vector<storage::Lock> locks_;
  std::vector<std::unique_ptr<RunView>> runs_;
};

}  // namespace residue::query
