// The module residue._core: what the package residue calls. Its functions are not for users; residue/*.py are.
#include <pybind11/pybind11.h>

#include "python/core/errors.h"
#include "python/core/evaluating.h"
#include "python/core/ingesting.h"
#include "python/core/looking.h"
#include "python/core/plain_texts.h"
#include "python/core/statements.h"
#include "python/core/stores.h"
#include "python/tables/table.h"

PYBIND11_MODULE(_core, module) {
  using namespace residue::python;
  register_errors();
  bind_stores(module);
  bind_table(module);
  bind_statements(module);
  bind_ingesting(module);
  bind_evaluating(module);
  bind_looking(module);
  bind_plain_texts(module);
}
