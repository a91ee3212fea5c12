// model test: does the server answer, and what does it understand?
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "model/probe/beyond.h"
#include "model/probe/probe.h"
#include "model/probe/probe_length.h"
#include "verbs/withdrawing.h"

namespace residue::cli {
namespace {

struct Flags {
  std::string name;
  bool raw = false;
  std::uint64_t words = model::kWordsByDefault;
};

// Longer and longer passages, where it answers at all; keeps with the model what comes out.
void test_length(Context& context, storage::Store& store, model::Endpoint endpoint, std::uint64_t words,
                 std::vector<model::Probe>& probes) {
  const model::LengthCost most = model::most_length_cost(endpoint, words);
  context.out.note(fmt::format("passages of up to {} words follow, {} tokens in all at most{}; --words says how long",
                               grouped(words), grouped(most.tokens),
                               most.usd > 0 ? fmt::format(" ({:.4f} USD)", most.usd) : std::string()));
  model::LengthProbe found = model::probe_length(store, endpoint, words);
  for (model::Probe& probe : found.probes) probes.push_back(std::move(probe));
  const auto& before = endpoint.transport.longest_prompt;
  // Longer ones are read now.
  auto& cut_from = endpoint.transport.cut_from;
  if (cut_from && (found.longest_prompt || found.read >= static_cast<std::uint64_t>(*cut_from))) {
    cut_from.reset();
    const auto batch = store.write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  // What was found before stands unless this shows something else.
  if (!found.longest_prompt && (!before || found.read <= static_cast<std::uint64_t>(*before))) return;
  endpoint.transport.longest_prompt = found.longest_prompt;
  {
    const auto batch = store.write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  if (!found.longest_prompt) return;
  const model::BeyondReach beyond =
      model::take_back_beyond(store, endpoint, static_cast<std::uint64_t>(*found.longest_prompt), verbs::withdrawing());
  if (beyond.answers == 0) return;
  const std::string withdrawn = model::words(beyond.withdrawn);
  context.out.note(fmt::format("{} answers to longer prompts are not used any more{}", grouped(beyond.answers),
                               withdrawn.empty() ? "" : "; what was made of them is withdrawn: " + withdrawn));
}

int test(Context& context, const Flags& flags) {
  const auto store = open_store(context);
  const model::Endpoint endpoint = model::find_endpoint(store->db(), flags.name);
  std::vector<model::Probe> probes = model::probe(*store, endpoint);
  const bool answers = std::ranges::any_of(
      probes, [&](const model::Probe& probe) { return probe.works && probe.tried == model::needed(endpoint); });
  if (answers && !endpoint.embedding && flags.words > 0) test_length(context, *store, endpoint, flags.words, probes);
  Table table;
  table.columns = {{"tried", Type::kText, ""}, {"works", Type::kText, ""}, {"found", Type::kText, ""}};
  if (flags.raw) {
    table.columns.push_back({"status", Type::kInteger, ""});
    table.columns.push_back({"request", Type::kText, ""});
    table.columns.push_back({"reply", Type::kText, ""});
  }
  for (const model::Probe& probe : probes) {
    table.rows.push_back({probe.tried, std::string(probe.works ? "yes" : "no"), probe.found});
    if (!flags.raw) continue;
    table.rows.back().emplace_back(std::int64_t{probe.status});
    table.rows.back().emplace_back(probe.request);
    table.rows.back().emplace_back(probe.reply);
  }
  context.out.table(table);
  context.out.flush();
  if (answers) {
    context.out.next("residue {} {}", endpoint.embedding ? "embed DATASET --with" : "eval DATASET --judge", flags.name);
    return 0;
  }
  if (model::finds_words_probable(probes)) {
    context.out.note(fmt::format("model {} answers no questions, but says how probable words are", flags.name));
    context.out.next("residue sanitize DATASET --with p-filter-model --run NAME --model {}", flags.name);
    return 0;
  }
  if (endpoint.embedding) {
    throw Error(Code::kIo, fmt::format("model {} gives no usable vectors", flags.name),
                "--raw shows what was sent and what came back; try residue model add with other --dimensions");
  }
  const bool several = endpoint.claims_per_request > 1;
  throw Error(Code::kIo,
              fmt::format("model {} gives no usable answer{} in the form {}", flags.name,
                          several ? fmt::format(" about {} claims at once", endpoint.claims_per_request) : "",
                          model::form_name(endpoint.asking.form)),
              fmt::format("--raw shows what was sent and came back; residue model add with --answer asks in another "
                          "form{}",
                          several ? ", with --claims-per-request about fewer" : ""));
}

}  // namespace

Command model_test_command() {
  return {
      .name = "model test",
      .group = Group::kLook,
      .summary = "ask a server about invented texts: does it work?",
      .usage = "NAME [--raw] [--words N]",
      .details =
          "Tries the forms of answer, several answers at once, seeds, and log probabilities of answers and of a text "
          "(p-filter-model needs those). Of a server for embeddings it finds dimensions and norm. All texts are "
          "invented: nothing of any dataset is sent.\n"
          "Then it finds how much the model reads. It sends longer and longer passages with a fact at the beginning "
          "and one at the end; before it does, it says how much that is at most. The limit is kept with the model. "
          "Longer prompts are not sent any more and count as failed; earlier answers to such prompts are taken back.\n"
          "--raw shows each exchange as it went over the wire, without the API key.",
      .examples = {{"residue model test local", "before the first evaluation"},
                   {"residue model test local --words 0", "without long passages"},
                   {"residue model test local --raw --json", "what goes over the wire"}},
      .setup = [](Syntax& syntax) -> Run {
        auto flags = std::make_shared<Flags>();
        syntax.add("NAME", flags->name, "as given to model add").required();
        syntax.add("--words", flags->words, "of the longest passage that is tried (default 16000; 0: none)")
            .range(std::uint64_t{0}, model::kMostWords);
        syntax.flag("--raw", flags->raw, "requests and replies as they are");
        return [flags](Context& context) { return test(context, *flags); };
      }};
}

}  // namespace residue::cli
