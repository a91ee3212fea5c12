// embed: vectors of what dense attackers compare, by a server.
#include "verbs/bring_in/embed.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, with, protocols;
  std::vector<std::string> sets;
  std::uint32_t seeds = 1;
  AskFlags ask;
};

int embed(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  verbs::EmbedOptions wanted;
  wanted.what = {target.dataset, target.run, options.sets, {}};
  wanted.with = options.with;
  if (!options.protocols.empty()) {
    for (const query::ProtocolSpec& spec : query::parse_protocols(options.protocols)) {
      for (const query::ProtocolSpec& seed : query::with_seeds(spec, options.seeds))
        wanted.what.protocols.push_back(seed);
    }
  }
  const auto store = open_store(context);
  Progress progress(context.globals, "embedding");
  wanted.asking = asking(options.ask, progress);
  const verbs::EmbedResult all = verbs::embed(*store, wanted);
  const model::EmbedCounts& counts = all.counts;
  if (context.out.wants_json()) {
    context.out.json({{"texts", counts.texts},
                      {"known", counts.known},
                      {"embedded", counts.embedded},
                      {"seconds", all.seconds},
                      {"asked", asked_json(all.asked)}});
  } else if (context.globals.format_given) {
    Table table;
    table.columns = {{"texts", Type::kInteger, ""}, {"known", Type::kInteger, ""}, {"embedded", Type::kInteger, ""}};
    table.rows.push_back({cell(counts.texts), cell(counts.known), cell(counts.embedded)});
    context.out.fields(table);
  } else {
    context.out.write(fmt::format("{} texts: {} had a vector, {} got one\n", grouped(counts.texts),
                                  grouped(counts.known), grouped(counts.embedded)));
  }
  context.out.flush();
  if (all.asked.requests + all.asked.too_long > 0) context.out.note(asked_words(all.asked));
  context.out.next("residue eval {} --protocol 'dense[model={}]/random:3'", options.target, options.with);
  return 0;
}

}  // namespace

Command embed_command() {
  return {.name = "embed",
          .group = Group::kBringIn,
          .summary = "vectors of texts, which dense attackers compare",
          .usage = "DATASET[/RUN] --with NAME [--set SET]... [--protocol P [--seeds N]] [--max-calls N]",
          .details =
              "Computes every vector that the linkers dense and dense-vote compare: of the claims of the dataset, and "
              "of the texts and claims of its runs. Without /RUN, also of the originals. A text that has a vector is "
              "not sent again.\n"
              "The vector of an attacker's knowledge is the mean direction of his claims. With --protocol, his claims "
              "are also joined into one text, and the attack uses the vector of that text.",
          .examples = {{"residue embed clinic --with emb", "before residue eval clinic --protocol 'dense[model=emb]'"},
                       {"residue embed clinic/scrub --with emb --protocol bm25/random:3 --seeds 3",
                        "one run, and what an attacker knows under three seeds, joined"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("TARGET", options->target, "DATASET or DATASET/RUN").required();
            syntax.add("--with", options->with, "the model, as given to model add --task embeddings").required();
            syntax.repeated("--set", options->sets, "a claim set that attackers draw from (default: all)");
            syntax.add("--protocol", options->protocols, "also the joined claims of these attackers (a comma list)");
            syntax.add("--seeds", options->seeds, "the seeds 42 to 42+N-1 of these attackers")
                .needs("--protocol")
                .range(1U, 1'000U);
            options->ask.add_to(syntax);
            return [options](Context& context) { return embed(context, *options); };
          }};
}

}  // namespace residue::cli
