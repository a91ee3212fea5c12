// ingest judgments: what judges said elsewhere.
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/files/dataset.h"
#include "ingest/rows/presets.h"
#include "verbs/ingest.h"

namespace residue::cli {
namespace {

Run setup(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::JudgmentSourceOptions source;
    std::optional<std::string> dataset;
    std::string set{ingest::kDefaultClaimSet};
    std::string scale = "standard";
  };
  auto options = std::make_shared<Flags>();
  options->add_to(syntax);
  syntax.add("--preset", options->source.preset, preset_words(&ingest::Preset::judgments));
  options->add_only(syntax);
  syntax.add("--judge", options->source.judge, "the judge, for rows that name none");
  syntax.add("--run", options->source.run, "the run whose texts were read, for rows that name neither run nor passage");
  syntax.add("--scorer", options->source.scorer, "of a log of inspect_ai, the scorer whose scores are the ratings");
  syntax.add("--dataset", options->dataset, "the dataset, for rows that name a claim and a run");
  syntax.add("--set", options->set, "the claim set in which \"r-12#2\" is claim number 2 of r-12 (default: claims)");
  syntax.add("--scale", options->scale, "reversed: in the file, 3 means same and 1 unsupported")
      .one_of({"standard", "reversed"});
  return [options](Context& context) {
    options->source.reversed_scale = options->scale == "reversed";
    const auto store = open_store(context);
    verbs::JudgmentsOptions wanted;
    wanted.dataset = options->dataset;
    wanted.set = options->set;
    ingest_rows(context, *store, *options, wanted, verbs::ingest_judgments);
    context.out.next("residue report --table agreement");
    return 0;
  };
}

}  // namespace

Command ingest_judgments_command() {
  return {.name = "ingest judgments",
          .group = Group::kBringIn,
          .summary = "what judges said elsewhere",
          .usage =
              "FILE... [--dataset D] [--set NAME] [--scale reversed] [--preset P] [--only PATH=VALUE]... [--judge J] "
              "[--run R] [--scorer S] [--on-error stop|skip]",
          .details =
              "Lines are {\"judge\", \"claim\", \"passage\", \"sample\", \"rating\"}. With --dataset they may be "
              "{\"judge\", \"claim\": \"r-12#2\", \"run\", ...}.\n"
              "Ratings are 1 same, 2 similar, 3 unsupported. A rating depends on its judge, so give every model and "
              "every prompt a name of its own.\n"
              "Two answers of one judge to one pair are two samples (\"sample\" is 0 where a line has none). The most "
              "frequent rating counts; where two are equally frequent, the lower one does.",
          .examples = {{"residue ingest judgments gpt4.jsonl", "ratings that you have paid for already"},
                       {"residue ingest judgments log.json --preset inspect --judge gpt-4/p2",
                        "a log of inspect_ai: metadata.claim, metadata.passage, and a score of 1, 2 or 3"},
                       {"residue ingest judgments old.csv --scale reversed",
                        "a file in which 3 means same and 1 unsupported"}},
          .setup = setup};
}

}  // namespace residue::cli
