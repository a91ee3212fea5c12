// Privacy that a release from elsewhere has spent, as its makers declare it. It enters the ledger like our own releases.
//
//   "epsilon=1,delta=1e-6,mechanism=gaussian" ──> DeclaredSpending ── with a run's texts ──> a row of privacy_release
//
// Only the promise of such a release is known: nobody has checked whether it holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "numbers/stats/privacy_spending.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::string_view kDeclared = "declared";  // privacy_release.noise

struct DeclaredSpending {
  numbers::Spending spending;  // without noise; epsilon may be infinite
  std::string mechanism;       // words; empty: nobody said
  std::string unit = "record";
};

// From epsilon= and delta=, which have to be there, mechanism= and unit=, with commas between. Throws Error{usage}.
DeclaredSpending parse_declared(std::string_view words);

// Before the texts are brought in, so that a command that is killed has its row, too. Throws Error{not found} for a
// dataset that there is not, Error{usage} for persons of whom no record says any.
void begin_declared(storage::Store& store, std::string_view dataset, std::string_view run,
                    const DeclaredSpending& declared);

// Behind them: the release is one with these texts. The same texts with the same words are the same release, under
// whatever name of a run; other texts are another. Says what is spent now, and what a large delta means.
std::vector<std::string> finish_declared(storage::Store& store, std::string_view dataset, std::string_view run,
                                         const DeclaredSpending& declared);

}  // namespace residue::ingest
