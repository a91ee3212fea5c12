// model test: does the server answer, and what does it understand?
#include "verbs/models/test_model.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

struct Flags {
  std::string name;
  bool raw = false;
  std::uint64_t words = model::kWordsByDefault;
};

verbs::TestedModel test_model(const Context& context, storage::Store& store, const Flags& flags) {
  verbs::TestModelOptions options;
  options.name = flags.name;
  options.words = flags.words;
  options.long_passages_follow = [&](const model::LengthCost& most) {
    context.out.note(fmt::format("passages of up to {} words follow, {} tokens in all at most{}; --words says how long",
                                 grouped(flags.words), grouped(most.tokens),
                                 most.usd > 0 ? fmt::format(" ({:.4f} USD)", most.usd) : std::string()));
  };
  verbs::TestedModel tested = verbs::test_model(store, options);
  if (tested.beyond.answers > 0) {
    const std::string withdrawn = model::words(tested.beyond.withdrawn);
    context.out.note(fmt::format("{} answers to longer prompts are not used any more{}", grouped(tested.beyond.answers),
                                 withdrawn.empty() ? "" : "; what was made of them is withdrawn: " + withdrawn));
  }
  return tested;
}

int test(Context& context, const Flags& flags) {
  const auto store = open_store(context);
  const verbs::TestedModel tested = test_model(context, *store, flags);
  Table table;
  table.columns = {{"tried", Type::kText, ""}, {"works", Type::kText, ""}, {"found", Type::kText, ""}};
  if (flags.raw) {
    table.columns.push_back({"status", Type::kInteger, ""});
    table.columns.push_back({"request", Type::kText, ""});
    table.columns.push_back({"reply", Type::kText, ""});
  }
  for (const model::Probe& probe : tested.probes) {
    table.rows.push_back({probe.tried, std::string(probe.works ? "yes" : "no"), probe.found});
    if (!flags.raw) continue;
    table.rows.back().emplace_back(std::int64_t{probe.status});
    table.rows.back().emplace_back(probe.request);
    table.rows.back().emplace_back(probe.reply);
  }
  context.out.table(table);
  context.out.flush();
  verbs::require_use(tested);
  if (tested.answers) {
    context.out.next("residue {} {}", tested.endpoint.embedding ? "embed DATASET --with" : "eval DATASET --judge",
                     flags.name);
    return 0;
  }
  context.out.note(fmt::format("model {} answers no questions, but says how probable words are", flags.name));
  context.out.next("residue sanitize DATASET --with p-filter-model --run NAME --model {}", flags.name);
  return 0;
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
