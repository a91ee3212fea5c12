// atomize: claims out of a dataset's records.
#include "ingest/atomize/atomize.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "ingest/atomize/atomize_run.h"
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

ingest::IngestResult atomize_with(storage::Store& store, const storage::Target& target, const std::string& set,
                                  ingest::ClaimMaker& maker, const ingest::IngestOptions& how) {
  return target.run ? ingest::atomize_run(store, target.dataset, *target.run, set, maker, how)
                    : ingest::atomize_dataset(store, target.dataset, set, maker, how);
}

int atomize(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  const auto store = open_store(context);
  const std::string set = options.set.empty() ? options.with : options.set;
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  if (options.with == ingest::kSentenceSet) {
    if (options.ask.max_calls || options.ask.max_cost) {
      throw Error(Code::kUsage, "the embedded atomizer asks nobody: it has no budget", "--with MODEL names a model");
    }
    if (!options.template_file.empty()) {
      throw Error(Code::kUsage, "the embedded atomizer reads no instructions: --template means nothing to it",
                  "--with MODEL names a model");
    }
    Progress progress(context.globals, "atomizing");
    how.progress = progress.callback();
    ingest::SentenceMaker maker(threads(context.globals));
    tell(context, atomize_with(*store, target, set, maker, how));
  } else {
    Progress progress(context.globals, "asking " + options.with);
    model::AskSession session = asking(options.ask, progress);
    ingest::ModelMaker maker(*store, model::find_endpoint(store->db(), options.with), target.dataset, session,
                             template_of(options.template_file));
    const ingest::IngestResult result = atomize_with(*store, target, set, maker, how);
    tell(context, result, session.counts);
    if (target.run && result.counts.bad > 0) return 0;  // those who vote refuse it
  }
  context.out.note(target.run ? fmt::format("next: residue eval {} --protocol {}", options.target, attacker(set))
                              : next_step(*store, target.dataset));
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
