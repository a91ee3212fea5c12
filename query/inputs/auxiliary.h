// What the attacker knows: the auxiliary claims of every record under a policy, stored once and the same for every run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

struct AuxiliaryView {
  AuxiliaryId id;
  bool everything = false;  // the policy `all`: the attacker knows every claim
  struct Known {
    std::vector<std::uint32_t> claims;  // n of the record's claims that he knows, ascending: they are not judged
    std::vector<TextId> texts;          // what he knows, not rephrased: those claims, or what was given
    std::vector<TextId> said;           // in his words, one text for each claim; empty: there is no attack
    TextId query;                       // these joined by one space; 0: nothing is known, there is no attack
    bool too_few = false;               // no more than k claims: none or few are left to judge
  };
  std::vector<Known> known;  // by record of the dataset view
};

// What is known of the record `key` that has these judged claims, and `other` in the set that the policy names (none if
// it names none): fills in all of `known` but the query.
void choose_known(const Policy& policy, std::string_view key, const std::vector<ClaimView>& claims,
                  const std::vector<ClaimView>& other, AuxiliaryView::Known& known);

// Brings the rows of (claim set, policy) up to date with the claims and loads them. Writes only what changed.
// given:SET knows the record's claims in SET, and of its judged claims those with exactly such a text. ~SET says claim
// n as SET does; where it lacks one of them, there is no attack on the record. Throws Error{not found} if SET is not
// there.
AuxiliaryView sync_auxiliary(storage::Store& store, const DatasetView& dataset, const Policy& policy);

// The same without writing. Where the rows are not up to date `current` is false and queries are 0; who is attacked
// says `said` then.
AuxiliaryView look_at_auxiliary(storage::Store& store, const DatasetView& dataset, const Policy& policy, bool& current);

// Fills in the queries of such a view: -1 where the joined text is not stored.
void find_queries(storage::Store& store, AuxiliaryView& view);

}  // namespace residue::query
