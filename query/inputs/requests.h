// Which claims are put to a judge together, and may then be rated with an eye on each other.
//
//   claims of a record, in document order ── cut every `size` ──> requests ── their hash ──> key of a judgment
//
// The auxiliary claims are among them: a request does not depend on run, linker or attacker.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::query {

struct DatasetView;

// The texts of each request, in the order of the prompt.
using RequestClaims = std::unordered_map<RequestId, std::vector<TextId>>;

// Of claims in that order; never 0. Equal numbers, equal claims: a collision is found when requests are cut or stored.
RequestId request_of(std::span<const TextId> claims);

// Gives each claim of the view its request. A claim that a piece repeats is in it once. `size` 1: nothing to do.
void cut_requests(DatasetView& dataset, std::size_t size);

// Brings up to date what the store knows of the requests of the view's claims: what leaks, SQL and the like join
// judgments by. Does nothing where the claims have changed since they were read: another evaluation is due then.
void store_requests(storage::Store& store, const DatasetView& dataset, std::size_t size);

// All that are stored, and one of them: none of 0.
RequestClaims load_requests(storage::Db& db);
std::vector<TextId> request_claims(storage::Db& db, RequestId request);

}  // namespace residue::query
