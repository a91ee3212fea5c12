// `report --table criteria` in every form.
#pragma once

#include <vector>

#include "cli/command.h"
#include "verbs/tables/table.h"

namespace residue::cli {

// `result` is of the table criteria.
void print_criteria(Context& context, const verbs::TableResult& result);

}  // namespace residue::cli
