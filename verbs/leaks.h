// `leaks`: which claims an attacker learned from a run, worst first, in words.
#pragma once

#include <string>
#include <vector>

#include "query/report/leaks.h"
#include "storage/store.h"

namespace residue::verbs {

struct LeaksOptions {
  query::LeakOptions what;
  bool claims = true;     // reads the claims: text of the originals
  bool evidence = false;  // and the part of the linked text that gives each away
  bool linked = false;    // and the whole linked text
};

struct LeaksResult {
  query::Leaks leaks;
  std::vector<std::string> claims, evidence, linked;  // of each leak; empty where they were not asked for
};

// Holds the texts meanwhile: nobody removes them. Throws as query::load_leaks.
LeaksResult leaks(storage::Store& store, const LeaksOptions& options);

}  // namespace residue::verbs
