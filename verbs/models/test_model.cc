#include "verbs/models/test_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "verbs/withdrawing.h"

namespace residue::verbs {
namespace {

void save(storage::Store& store, const model::Endpoint& endpoint) {
  const auto batch = store.write();
  model::save_endpoint(batch->db(), endpoint);
  batch->commit();
}

// Longer and longer passages; keeps with the model what comes out.
void test_length(storage::Store& store, const TestModelOptions& options, TestedModel& tested) {
  model::Endpoint endpoint = tested.endpoint;
  if (options.long_passages_follow) options.long_passages_follow(model::most_length_cost(endpoint, options.words));
  model::LengthProbe found = model::probe_length(store, endpoint, options.words);
  std::ranges::move(found.probes, std::back_inserter(tested.probes));
  const auto& before = endpoint.transport.longest_prompt;
  // Longer ones are read now.
  auto& cut_from = endpoint.transport.cut_from;
  if (cut_from && (found.longest_prompt || found.read >= static_cast<std::uint64_t>(*cut_from))) {
    cut_from.reset();
    save(store, endpoint);
  }
  // What was found before stands unless this shows something else.
  if (!found.longest_prompt && (!before || found.read <= static_cast<std::uint64_t>(*before))) return;
  endpoint.transport.longest_prompt = found.longest_prompt;
  save(store, endpoint);
  if (!found.longest_prompt) return;
  tested.beyond =
      model::take_back_beyond(store, endpoint, static_cast<std::uint64_t>(*found.longest_prompt), withdrawing());
}

}  // namespace

TestedModel test_model(storage::Store& store, const TestModelOptions& options) {
  TestedModel tested;
  tested.endpoint = model::find_endpoint(store.db(), options.name);
  tested.probes = model::probe(store, tested.endpoint);
  tested.answers = std::ranges::any_of(tested.probes, [&](const model::Probe& probe) {
    return probe.works && probe.tried == model::needed(tested.endpoint);
  });
  tested.scores_words = model::finds_words_probable(tested.probes);
  if (tested.answers && !tested.endpoint.embedding && options.words > 0) test_length(store, options, tested);
  return tested;
}

void require_use(const TestedModel& tested) {
  if (tested.answers || tested.scores_words) return;
  const model::Endpoint& endpoint = tested.endpoint;
  if (endpoint.embedding) {
    throw Error(Code::kIo, fmt::format("model {} gives no usable vectors", endpoint.name),
                "--raw shows what was sent and what came back; try residue model add with other --dimensions");
  }
  const bool several = endpoint.claims_per_request > 1;
  throw Error(Code::kIo,
              fmt::format("model {} gives no usable answer{} in the form {}", endpoint.name,
                          several ? fmt::format(" about {} claims at once", endpoint.claims_per_request) : "",
                          model::form_name(endpoint.asking.form)),
              fmt::format("--raw shows what was sent and came back; residue model add with --answer asks in another "
                          "form{}",
                          several ? ", with --claims-per-request about fewer" : ""));
}

}  // namespace residue::verbs
