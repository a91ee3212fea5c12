// How far labels and a judge agree, as JSON.
#pragma once

#include "base/json.h"
#include "query/agree/calibration.h"

namespace residue::cli {

Json agreement_json(const query::Agreement& agreement);

}  // namespace residue::cli
