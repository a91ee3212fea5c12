// --where, --sort, --group and --columns: which runs are looked at, and how they stand in a table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/print/arrange.h"
#include "cli/print/table.h"
#include "cli/syntax.h"
#include "query/report/report.h"
#include "verbs/runs/choose.h"

namespace residue::cli {

struct RunFlags {
  std::string where;
  Arrangement arrangement;  // --sort, --group, --columns

  void add_to(Syntax& syntax);
};

// What `work` returns. A condition that is wrong is shown with a caret in front of the error.
int with_condition(const Context& context, const std::function<int()>& work);

// `table` has a column "run", and where its rows are of several datasets a column "dataset". Gets a column for each
// field of runs that --sort, --group or --columns names and the table does not have, behind "run". Throws Error{usage}
// for a name that is neither, with the nearest, and the columns of `asked`: the table as a person knows it, where that
// is another one.
Table with_run_fields(Table table, const Arrangement& how, const std::vector<verbs::RunFacts>& runs,
                      const std::function<const query::ReportRun*(const verbs::RunFacts&)>& numbers,
                      const Table* asked = nullptr);

// Whether the table itself has all columns that --sort, --group and --columns name.
bool has_columns(const Table& table, const Arrangement& how);

// Says how many runs meet the condition, and which could not.
void note_chosen(const Context& context, const verbs::Chosen& chosen);

// {"condition", "met", "of", "lacking": {FIELD: [RUN...]}}.
Json chosen_json(const verbs::Chosen& chosen);

}  // namespace residue::cli
