// What `export intruder` writes beside the columns of the view: how each attempt counts.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "query/export/export_rows.h"
#include "storage/store.h"
#include "verbs/people/attempt_states.h"

namespace residue::cli {

class AttemptColumns {
 public:
  // The store is not needed any more afterwards. Throws as verbs::attempt_states().
  explicit AttemptColumns(storage::Store& store) : states_(verbs::attempt_states(store)) {}

  // "state" and "named_changed".
  static std::span<const query::ExportColumn> columns();

  // Their values, behind those of a row; `of`: the row's own columns. NULL where nobody knows.
  void add_to(query::ExportRow& row, const std::vector<const query::ExportColumn*>& of) const;

 private:
  std::map<verbs::AttemptKey, verbs::AttemptState> states_;
};

}  // namespace residue::cli
