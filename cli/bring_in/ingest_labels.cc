// ingest labels: what people or ground truth said.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/syntax.h"
#include "ingest/rows/presets.h"
#include "verbs/ingest.h"

namespace residue::cli {
namespace {

Run setup_labels(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::LabelSourceOptions source;
    LabelWordFlags words;
    std::optional<std::string> set;
    std::string scale = "standard";
  };
  auto options = std::make_shared<Flags>();
  syntax.add("DATASET", options->target, "the dataset that has the records").required();
  options->add_to(syntax);
  syntax.add("--preset", options->source.preset, preset_words(&ingest::Preset::labels));
  syntax.add("--kind", options->source.kind, "the kind of the labels")
      .required()
      .one_of({ingest::kLabelKinds.begin(), ingest::kLabelKinds.end()});
  syntax.add("--set", options->set, "the claim set in which \"r-12#2\" is claim number 2 of r-12");
  options->words.add_to(syntax);
  syntax.add("--scale", options->scale, "reversed: in the file, 3 means same and 1 unsupported")
      .one_of({"standard", "reversed"});
  return [options](Context& context) {
    options->source.reversed_scale = options->scale == "reversed";
    const auto store = open_store(context);
    verbs::LabelsOptions wanted;
    wanted.dataset = options->target;
    wanted.set = options->set;
    ingest_rows(context, *store, *options, wanted, verbs::ingest_labels);
    return 0;
  };
}

}  // namespace

Command ingest_labels_command() {
  return {
      .name = "ingest labels",
      .group = Group::kBringIn,
      .summary = "what people or ground truth said",
      .usage =
          "DATASET FILE... --kind KIND [--preset P] [--set NAME] [--scale reversed] [--map-label OLD=NEW] "
          "[--on-error stop|skip]",
      .details =
          "A label replaces the one that the same annotator gave to the same thing. Labels without an annotator count "
          "as those of one annotator. residue rm DATASET --labels KIND removes labels.\n" +
          details_with_presets(&ingest::Preset::labels),
      .examples = {{"residue ingest labels clinic spans.jsonl --kind span", "gold spans, checked against the texts"},
                   {"residue ingest labels tab echr_test.json --kind span --preset tab",
                    "the Text Anonymization Benchmark, all annotators"},
                   {"residue ingest labels prompts entities.jsonl --kind entity",
                    "which entities of a prompt are needed to answer it"}},
      .setup = setup_labels};
}

}  // namespace residue::cli
