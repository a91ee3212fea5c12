// paraphrase: claims in other words, for attackers who remember facts and not sentences.
#include "verbs/bring_in/paraphrase.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, with, set, into, template_file;
  AskFlags ask;
};

int paraphrase(Context& context, const Options& options) {
  verbs::ParaphraseOptions wanted;
  wanted.dataset = options.dataset;
  wanted.set = options.set;
  wanted.into = options.into;
  wanted.with = options.with;
  const auto store = open_store(context);
  wanted.instructions = template_of(options.template_file);
  Progress progress(context.globals, "asking " + options.with);
  wanted.asking = asking(options.ask, progress);
  tell(context, verbs::paraphrase(*store, wanted));
  context.out.next("residue eval {0} --protocol bm25/random:3/{1},bm25/random:3~{2}/{1}", options.dataset, options.set,
                   options.into);
  return 0;
}

}  // namespace

Command paraphrase_command() {
  return {.name = "paraphrase",
          .group = Group::kBringIn,
          .summary = "claims in other words, by a model",
          .usage = "DATASET --set SET --with MODEL --into SET2 [--template FILE] [--max-calls N] [--max-cost USD]",
          .details =
              "A model says each claim of SET in other words, one request a claim. The new claims go into SET2 under "
              "the same numbers. The policy POLICY~SET2 uses them.\n"
              "A saved answer is never asked for again. The counts are of records. A record without a paraphrase is "
              "counted as bad: an attack that needs that claim has no result, and counts as leaked.",
          .examples = {{"residue paraphrase clinic --set claims --with local --into said",
                        "the claims as somebody else would say them"},
                       {"residue eval clinic --protocol bm25/random:3,bm25/random:3~said/claims",
                        "an attacker who knows the claims in these words"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("DATASET", options->dataset, "the dataset whose claims are rephrased").required();
            syntax.add("--set", options->set, "the claim set to rephrase").required();
            syntax.add("--with", options->with, "the model, as given to model add").required().configured("model");
            syntax.add("--into", options->into, "the claim set that holds the other words").required();
            syntax.add("--template", options->template_file,
                       "a file with your own instructions; if it has {text}, it is the whole message");
            options->ask.add_to(syntax);
            return [options](Context& context) { return paraphrase(context, *options); };
          }};
}

}  // namespace residue::cli
