#include "verbs/bring_in/planned.h"

#include <limits>

#include "model/asking/egress.h"
#include "model/limits/spending.h"
#include "model/server/request.h"
#include "model/server/server_url.h"

namespace residue::verbs {
namespace {

// Without prices nobody knows: not nothing.
double cost_of(const PlannedModel& one) {
  const model::Transport& transport = one.endpoint.transport;
  if (one.plan.requests > 0 && transport.price_in + transport.price_out <= 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return model::planned_cost(one.endpoint, static_cast<double>(one.plan.bytes), static_cast<double>(one.plan.requests));
}

}  // namespace

PlannedAsking sum_of(storage::Db& db, const std::string& dataset, const std::vector<PlannedModel>& models,
                     std::optional<std::uint64_t> more) {
  PlannedAsking all;
  all.more = more;
  ingest::AskPlan sum;
  for (const PlannedModel& one : models) {
    sum += one.plan;
    all.cost_usd += cost_of(one);
    if (one.plan.requests == 0 && more.value_or(0) == 0) continue;
    const model::ServerUrl url = model::receiver_of(one.endpoint.transport);
    all.egress.push_back({model::receiver_name(url), one.plan.requests, one.plan.bytes, url.loopback,
                          model::egress_allowed(db, dataset, url)});
  }
  all.known = sum.known;
  all.needed = sum.questions - sum.known;
  all.requests = sum.requests;
  all.tokens = static_cast<std::uint64_t>(static_cast<double>(sum.bytes) / model::kBytesPerToken);
  return all;
}

}  // namespace residue::verbs
