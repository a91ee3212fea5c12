// What the evaluation of one dataset reads: its records with their claims, what attackers know, the run that is worked
// on. Each is loaded when it is first asked for, and kept.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/prepare/attackers.h"
#include "storage/store.h"

namespace residue::query {

class LoadedViews {
 public:
  // `claims_per_request` as of Judge. The store must outlive this.
  LoadedViews(storage::Store& store, DatasetId dataset, std::string name, std::size_t claims_per_request);

  // Valid as long as this. Requests are cut.
  const DatasetView& view(const ClaimSetHead& claims);
  // One that is there; of these claims where there is none.
  const DatasetView& any_view(const ClaimSetHead& claims);
  const AuxiliaryView& auxiliary(const Attacker& attacker);

  // Only the run worked on is kept. Records that another process added between two views make it load again. Until the
  // next call.
  const RunView& run_view(const RunHead& run, const DatasetView& dataset);
  // By record (query/link/blind_spots.h); until the next call. The controls ask about the same texts as the attacker
  // beside them.
  const std::vector<bool>& unreadable_of(const RunView& run, const AuxiliaryView& known, const Attacker& attacker);

  [[nodiscard]] const std::map<std::string, std::unique_ptr<DatasetView>>& views() const { return views_; }
  // By run: RunView::repeated, where there are any.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& repeated() const { return repeated_; }

 private:
  storage::Store& store_;
  DatasetId dataset_;
  std::string name_;
  std::size_t claims_per_request_;
  std::map<std::string, std::unique_ptr<DatasetView>> views_;  // by claim set
  std::map<std::string, std::unique_ptr<AuxiliaryView>> auxiliaries_;
  std::unique_ptr<RunView> run_;
  std::map<std::string, std::uint64_t> repeated_;
  struct {
    std::tuple<RunId, std::string, AuxiliaryId, bool, bool> what;
    std::vector<bool> records;
  } last_unreadable_;
};

}  // namespace residue::query
