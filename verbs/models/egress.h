// `egress`: what was sent to models, in sums, and what has to be known of them.
#pragma once

#include <string>
#include <vector>

#include "model/asking/egress.h"
#include "storage/store.h"

namespace residue::verbs {

struct Egress {
  std::vector<model::EgressSum> sums;  // as model::egress_sums() has them
  double uncounted_usd = 0;            // of all costs what no server counted: the most that it may have been
  std::vector<std::string> swapped;    // models of these that changed behind their names, a line each
};

Egress egress(storage::Store& store);

}  // namespace residue::verbs
