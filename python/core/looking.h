// What was evaluated, as rows of plain values.
#pragma once

#include <pybind11/pybind11.h>

#include "query/report/report.h"

namespace residue::python {

// What the report is about, "rows" of metrics, and "doubts".
pybind11::dict report_dict(const query::Report& report);

void bind_looking(pybind11::module_& module);

}  // namespace residue::python
