// What asking would send, for --dry-run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "ingest/batches/ask_plan.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::cli {

struct PlannedModel {
  model::Endpoint endpoint;
  ingest::AskPlan plan;
};

// Answers known and needed, requests, tokens, USD and where the texts of `dataset` would go. `more`: texts about which
// more may be asked, depending on answers that are not there yet; nothing where the command has no such thing.
void print_plan(Context& context, storage::Store& store, const std::vector<PlannedModel>& models,
                const std::string& dataset, std::optional<std::uint64_t> more = std::nullopt);

}  // namespace residue::cli
