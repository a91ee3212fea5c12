#include "cli/flags/ask_plan.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "model/asking/egress.h"
#include "model/limits/spending.h"
#include "model/server/request.h"
#include "model/server/server_url.h"

namespace residue::cli {
namespace {

double tokens_of(const ingest::AskPlan& plan) { return static_cast<double>(plan.bytes) / model::kBytesPerToken; }

// Without prices nobody knows: not nothing.
double cost_of(const PlannedModel& one) {
  const model::Transport& transport = one.endpoint.transport;
  if (one.plan.requests > 0 && transport.price_in + transport.price_out <= 0)
    return std::numeric_limits<double>::quiet_NaN();
  return model::planned_cost(one.endpoint, static_cast<double>(one.plan.bytes), static_cast<double>(one.plan.requests));
}

}  // namespace

void print_plan(Context& context, storage::Store& store, const std::vector<PlannedModel>& models,
                const std::string& dataset, std::optional<std::uint64_t> more) {
  ingest::AskPlan sum;
  double cost = 0;
  std::string words;
  Json egress = Json::array();
  for (const PlannedModel& one : models) {
    sum += one.plan;
    cost += cost_of(one);
    const std::uint64_t later = more.value_or(0);  // nobody knows yet how many, nor of whom
    if (one.plan.requests == 0 && later == 0) continue;
    const model::ServerUrl url = model::receiver_of(one.endpoint.transport);
    const bool allowed = model::egress_allowed(store.db(), dataset, url);
    words +=
        fmt::format("{}{}", words.empty() ? "" : "; ",
                    url.loopback ? fmt::format("none: {} is this machine", url.host)
                                 : fmt::format("{} texts, {} bytes of {} to {}{}{}", grouped(one.plan.requests),
                                               grouped(one.plan.bytes), dataset, model::receiver_name(url),
                                               later > 0 ? fmt::format(", and of up to {} more", grouped(later)) : "",
                                               allowed ? "" : ", which is not allowed"));
    egress.push_back({{"host", model::receiver_name(url)},
                      {"dataset", dataset},
                      {"texts", one.plan.requests},
                      {"bytes", one.plan.bytes},
                      {"texts_later", later},
                      {"leaves", !url.loopback},
                      {"allowed", allowed}});
  }
  const auto tokens = static_cast<std::uint64_t>(tokens_of(sum));
  if (context.out.wants_json()) {
    Json json = {{"answers", {{"known", sum.known}, {"needed", sum.questions - sum.known}}},
                 {"requests", sum.requests},
                 {"tokens", tokens},
                 {"cost_usd", cost},
                 {"egress", egress}};
    if (more) json["more"] = *more;
    context.out.json(json);
    return;
  }
  Table table;
  table.rows.emplace_back();
  const auto add = [&](const char* name, Type type, const std::string& title, Cell value) {
    table.columns.push_back({name, type, title});
    table.rows.front().push_back(std::move(value));
  };
  add("known", Type::kInteger, "answers known", cell(sum.known));
  add("needed", Type::kInteger, "answers needed", cell(sum.questions - sum.known));
  add("requests", Type::kInteger, "requests, equal questions once", cell(sum.requests));
  add("tokens", Type::kInteger, "tokens to send, about", cell(tokens));
  add("cost_usd", Type::kReal, "USD, each asked once, at most", Cell(cost));
  if (more) add("more", Type::kInteger, "texts that may lead to further requests", cell(*more));
  add("egress", Type::kText, "text that would leave this machine", words.empty() ? "none" : words);
  context.out.fields(table);
}

}  // namespace residue::cli
