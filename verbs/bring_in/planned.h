// What asking would send and cost, for verbs that can say so first: nothing is sent, nothing changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/batches/ask_plan.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::verbs {

struct PlannedModel {
  model::Endpoint endpoint;
  ingest::AskPlan plan;
};

struct PlannedAsking {
  std::uint64_t known = 0, needed = 0;  // answers
  std::uint64_t requests = 0;           // for those needed, equal questions once
  std::uint64_t tokens = 0;             // to send, about
  double cost_usd = 0;                  // at most, each asked once; NaN where nobody knows
  // Texts about which more may be asked, depending on answers that are not there yet; nothing where the verb has no
  // such thing.
  std::optional<std::uint64_t> more;

  struct Egress {
    std::string host;  // and the proxy on the way
    std::uint64_t texts = 0, bytes = 0;
    bool loopback = false, allowed = false;
  };
  std::vector<Egress> egress;  // a row for each model that is sent something, or may be
};

// The sum over all models that are asked about texts of `dataset`.
PlannedAsking sum_of(storage::Db& db, const std::string& dataset, const std::vector<PlannedModel>& models,
                     std::optional<std::uint64_t> more = std::nullopt);

}  // namespace residue::verbs
