// atomize: claims out of a dataset's records.
#include "verbs/bring_in/atomize.h"

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
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target;
  std::string with = "sentences";
  std::string set;  // empty: named as its maker
  std::string template_file;
  AskFlags ask;
};

// Whose hits among these claims of a run vote.
std::string attacker(const std::string& set) {
  return set == ingest::kSentenceSet ? "bm25-vote/random:3" : fmt::format("'bm25-vote[set={}]/random:3'", set);
}

int atomize(Context& context, const Options& options) {
  verbs::AtomizeOptions wanted;
  wanted.target = storage::parse_target(options.target);
  wanted.with = options.with;
  wanted.set = options.set;
  wanted.jobs = threads(context.globals);
  const auto store = open_store(context);
  Progress progress(context.globals, options.with == ingest::kSentenceSet ? "atomizing" : "asking " + options.with);
  wanted.asking = asking(options.ask, progress);
  read_template(options.template_file, wanted);
  const verbs::Asked all = verbs::atomize(*store, wanted);
  tell(context, all);
  const bool of_run = wanted.target.run.has_value();
  if (of_run && all.asked && all.result.counts.bad > 0) return 0;  // those who vote refuse it
  context.out.note(
      of_run ? fmt::format("next: residue eval {} --protocol {}", options.target, attacker(verbs::claim_set_of(wanted)))
             : next_step(*store, wanted.target.dataset));
  return 0;
}

}  // namespace

Command atomize_command() {
  return {
      .name = "atomize",
      .group = Group::kBringIn,
      .summary = "split texts, original or sanitized, into claims",
      .usage = "DATASET[/RUN] [--with sentences|MODEL] [--set NAME] [--template FILE] [--max-calls N] [--max-cost USD]",
      .details =
          "Splits each text into claims: short statements that can be true or false on their own. A record whose text "
          "did not change is left as it is. The counts are of records.\n"
          "With a model (see residue model add), each record is one request. A saved answer is never asked for again. "
          "A record without a usable answer is counted as bad: it has no claims and counts as leaked.\n"
          "Attackers whose claims vote (bm25-vote) look among the claims of a run. Repeat the command when the run has "
          "changed.",
      .examples = {{"residue atomize clinic", "the claim set \"sentences\", by the embedded atomizer"},
                   {"residue atomize clinic --with local --max-calls 500", "the claim set \"local\", by that model"},
                   {"residue atomize clinic/scrub", "the claims of what that run published"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("TARGET", options->target, "DATASET or DATASET/RUN, whose texts are split").required();
        syntax.add("--with", options->with, "the atomizer: sentences (embedded), or a model's name");
        syntax.add("--set", options->set, "the claim set (default: the atomizer's name)");
        syntax.add("--template", options->template_file,
                   "a file with your own instructions; if it has {text}, it is the whole message");
        options->ask.add_to(syntax);
        return [options](Context& context) { return atomize(context, *options); };
      }};
}

}  // namespace residue::cli
