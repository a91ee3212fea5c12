// Which texts dense attackers compare, and their vectors by a server: `residue embed`.
//
//   claims (what attackers say) ───────────────> queries ──┐
//   record texts, variants, their claims, claims ─> passages ─┴─> model/embedder.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/asking/asker.h"
#include "model/server/endpoint.h"
#include "model/values/embedder.h"
#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

struct EmbedPlan {
  std::string dataset;
  std::optional<std::string> run;       // nothing: all runs, and the originals that the control `none` publishes
  std::vector<std::string> claim_sets;  // whose claims attackers say; empty: all of the dataset
  // Of these attackers also what they say as one text: the claims joined, with the vector of the whole.
  std::vector<ProtocolSpec> protocols;
};

// Gives vectors of `endpoint`'s name to all that dense and dense-vote need to attack the plan's runs; what has one is
// not asked for. Failed and empty texts need none. Throws Error{not found}, Error{bad input} for an input that was not
// read to its end, Error{usage} as model::claim_embedder(), and as model::embed(): what was embedded stays.
model::EmbedCounts embed_for_attacks(storage::Store& store, const EmbedPlan& plan, const model::Endpoint& endpoint,
                                     model::AskSession& session);

}  // namespace residue::query
