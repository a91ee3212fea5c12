// Where numbers of tier outside are kept: a row of the table evaluation, and its metric rows. Records add up to nothing
// here, so all rows are replaced together, whenever what they are of has changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/stored/score_store.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::query {

// The dataset of people who were never in the release of another one.
struct OutsideControl {
  DatasetId id;
  std::string name;
  std::string content;
};
std::optional<OutsideControl> find_outside_control(storage::Db& db, DatasetId released);

// Has the texts of these runs looked through for members when they are evaluated next, and whenever they are evaluated
// later; of synthetic runs they are without being asked for. Does nothing where a dataset has no control.
void want_membership(storage::Store& store, const std::vector<storage::Target>& targets);

// Of a run, by a protocol and a judge, or (both 0) by neither.
class OutsideStore {
 public:
  OutsideStore(RunId run, ProtocolId protocol, JudgeId judge, DatasetId control)
      : run_(run), protocol_(protocol), judge_(judge), control_(control) {}

  // Nothing: it was never computed. There is at most one for a run, protocol and judge, because a dataset has one
  // control.
  [[nodiscard]] std::optional<EvaluationId> id(storage::Db& db) const;

  // What claims_content is when it is up to date.
  [[nodiscard]] std::string content(storage::Db& db) const;

  // Whether there are rows of these contents, under the present definitions.
  [[nodiscard]] bool current(storage::Db& db, const Contents& contents) const;

  // Whether a record failed: an answer may come (only judges that are models fail so).
  [[nodiscard]] bool failed(storage::Db& db) const;

  // Adds an evaluation without rows, which is stale, where there is none.
  void want(storage::WriteBatch& batch) const;

  // Replaces all rows. Up to date from the commit on.
  void put(storage::WriteBatch& batch, const std::vector<MetricRow>& rows, const Contents& contents) const;

 private:
  RunId run_;
  ProtocolId protocol_;
  JudgeId judge_;
  DatasetId control_;
};

}  // namespace residue::query
