// `link`: which sanitized texts of a run a text points at, and by which evidence.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "query/explain/evidence.h"
#include "storage/store.h"

namespace residue::verbs {

struct LinkOptions {
  std::string dataset, run;
  std::string text;                     // what the attacker says; where claims vote, each line is one
  std::size_t k = query::kDefaultHits;  // at most query::kMaxHits
  std::string protocol;                 // whose linker ranks; empty: the usual one
  std::vector<std::string> combine;     // releases that the attacker has, this run one of them
};

struct LinkResult {
  query::ProtocolSpec protocol;
  query::EvidenceKind kind = query::EvidenceKind::kTerms;
  bool combined = false;                // the evidence is of several releases
  bool has_text = false;                // some text could be found
  bool aligned = false;                 // the run's texts are records' own: a hit's key is a record
  std::vector<std::string> words;       // rouge-l: of the text, in order
  std::vector<query::RankedText> hits;  // best first; none: the text shares nothing with the run
};

// What link() refuses whatever the store holds. Throws Error{usage} for a linker that cannot rank a text.
void check(const LinkOptions& options);

// The index of the run is built where it is missing. Holds the texts meanwhile. Throws as check(), and as
// query::open_attack.
LinkResult link(storage::Store& store, const LinkOptions& options);

}  // namespace residue::verbs
