// ingest: files into datasets, claims, runs and labels.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/ingest_options.h"
#include "cli/open.h"
#include "cli/output.h"
#include "ingest/answers.h"
#include "ingest/claims.h"
#include "ingest/dataset.h"
#include "ingest/labels.h"
#include "ingest/names.h"
#include "ingest/presets.h"
#include "ingest/run.h"
#include "model/egress.h"
#include "query/outdated.h"
#include "storage/lookup.h"

namespace residue::cli {
namespace {

constexpr const char* kDetails =
    "FILEs are JSON Lines or CSV, plain, .gz or .zst; - is standard input. The same command again continues an\n"
    "interrupted one and changes nothing that is there; a changed file updates what changed and deletes nothing.";

// "a published shape: abcd, ...": those that serve a verb.
std::string preset_words(bool ingest::Preset::*verb) {
  std::string names;
  for (const ingest::Preset& preset : ingest::presets()) {
    if (preset.*verb) names += fmt::format("{}{}", names.empty() ? "a published shape: " : ", ", preset.name);
  }
  return names;
}

// What each preset reads, below the details.
std::string details_with_presets(bool ingest::Preset::*verb) {
  std::string text = std::string(kDetails) + "\n\nPresets\n";
  for (const ingest::Preset& preset : ingest::presets()) {
    if (preset.*verb) text += fmt::format("  {:<11} {}\n", preset.name, preset.about);
  }
  text.pop_back();
  return text;
}

Run setup_dataset(CLI::App& app) {
  struct Flags : IngestFlags {
    std::vector<std::string> hosts;
  };
  auto options = std::make_shared<Flags>();
  app.add_option("NAME", options->target, "the dataset, made if needed")->required();
  options->add_to(app, {.reading = true, .append = true});
  app.add_option("--preset", options->source.preset, preset_words(&ingest::Preset::dataset));
  add_repeated(app, "--egress", options->hosts, "a host that these texts may be sent to, to be judged there");
  return [options](Context& context) {
    ingest::check_name("dataset", options->target);
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    const int code = ingest_files(context, *options, [&](const auto& source, const auto& how) {
      const auto rows = ingest::open_records(source);
      return ingest::ingest_dataset(*store, options->target, *rows, ingest::identify(source), how);
    });
    for (const std::string& host : options->hosts) model::allow_egress(*store, options->target, host);
    for (const std::string& note : query::outdated_notes(store->db(), options->target)) {
      context.out.note("outdated: " + note);
    }
    context.out.note(next_step(*store, options->target));
    return code;
  };
}

Run setup_claims(CLI::App& app) {
  struct Flags : IngestFlags {
    std::string set{ingest::kDefaultClaimSet};
  };
  auto options = std::make_shared<Flags>();
  app.add_option("DATASET", options->target, "the dataset that has the records")->required();
  options->add_to(app, {.reading = false, .append = false});
  app.add_option("--set", options->set, "the claim set (default: claims)");
  app.add_option("--record", options->source.record, "the field that holds the record's id");
  app.add_option("--claims", options->source.claims, "the field that holds the claims");
  return [options](Context& context) {
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    const int code = ingest_files(context, *options, [&](const auto& source, const auto& how) {
      const auto rows = ingest::open_claims(source);
      return ingest::ingest_claims(*store, options->target, options->set, *rows, ingest::identify(source), how);
    });
    context.out.note(next_step(*store, options->target));
    return code;
  };
}

Run setup_run(CLI::App& app) {
  struct Flags : IngestFlags {
    ingest::RunSpec spec;
    std::vector<std::string> params;
    bool removes_everything = false;
  };
  auto options = std::make_shared<Flags>();
  app.add_option("DATASET/RUN", options->target, "the run, made if needed")->required();
  options->add_to(app, {.reading = true, .append = true});
  app.add_option("--preset", options->source.preset, preset_words(&ingest::Preset::run));
  app.add_flag("--synthetic", options->spec.synthetic, "texts that belong to no record; the id is optional");
  app.add_flag("--removes-everything", options->removes_everything, "an empty text is a success, not a failure");
  app.add_option("--sanitizer", options->spec.sanitizer, "what made the run");
  add_repeated(app, "--param", options->params, "k=v, a setting of the sanitizer");
  app.add_option("--seed", options->spec.seed, "the sanitizer's seed");
  app.add_option("--group", options->spec.group, "runs that are reported together");
  return [options](Context& context) {
    const storage::Target target = storage::parse_target(options->target);
    if (!target.run) {
      throw Error(Code::kUsage, "which run?", fmt::format("residue ingest run {}/RUN FILE", target.dataset));
    }
    if (!options->params.empty()) options->spec.params = ingest::params_json(key_values(options->params, "--param"));
    if (options->removes_everything) options->spec.removes_everything = true;
    options->source.synthetic = options->spec.synthetic;
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    const int code = ingest_files(context, *options, [&](const auto& source, const auto& how) {
      const auto rows = ingest::open_variants(source);
      return ingest::ingest_run(*store, target.dataset, *target.run, options->spec, *rows, ingest::identify(source),
                                how);
    });
    context.out.note(next_step(*store, target.dataset, target.run));
    return code;
  };
}

Run setup_labels(CLI::App& app) {
  struct Flags : IngestFlags {
    std::optional<std::string> set;
    std::string scale = "standard";
  };
  auto options = std::make_shared<Flags>();
  app.add_option("DATASET", options->target, "the dataset that has the records")->required();
  options->add_to(app, {.reading = false, .append = false});
  app.add_option("--preset", options->source.preset, preset_words(&ingest::Preset::labels));
  app.add_option("--kind", options->source.label_kind, "what the labels are")
      ->required()
      ->check(CLI::IsMember({"support", "category", "attribute", "span", "entity", "response"}));
  app.add_option("--set", options->set, "the claim set that \"r-12#2\" counts in");
  app.add_option("--scale", options->scale, "reversed: ratings are 3 same ... 1 unsupported")
      ->check(CLI::IsMember({"standard", "reversed"}));
  return [options](Context& context) {
    options->source.reversed_scale = options->scale == "reversed";
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    return ingest_files(context, *options, [&](const auto& source, const auto& how) {
      if (source.label_kind == "response") {  // what a model answered, as ingest answers has it
        const auto answers = ingest::open_answers(source);
        return ingest::ingest_answers(*store, options->target, *answers, ingest::identify(source), how);
      }
      const auto rows = ingest::open_labels(source);
      return ingest::ingest_labels(*store, options->target, source.label_kind, options->set, *rows,
                                   ingest::identify(source), how);
    });
  };
}

}  // namespace

Command ingest_dataset_command() {
  return {
      .name = "ingest dataset",
      .group = Group::kBringIn,
      .summary = "records from files",
      .usage = "NAME FILE... [--preset P] [--id F] [--text F] [--map FIELD=PATH]... [--append] [--on-error stop|skip]",
      .details = details_with_presets(&ingest::Preset::dataset),
      .examples = {{"residue ingest dataset clinic notes.jsonl", "records with \"id\" and \"text\""},
                   {"residue ingest dataset clinic notes.csv --id note_id --text body", "other names of fields"}},
      .setup = setup_dataset};
}

Command ingest_claims_command() {
  return {.name = "ingest claims",
          .group = Group::kBringIn,
          .summary = "atomic claims of records",
          .usage = "DATASET FILE... [--set NAME] [--record F] [--claims F] [--on-error stop|skip]",
          .details = kDetails,
          .examples = {{"residue ingest claims clinic claims.jsonl", "lines {\"record\": ..., \"claims\": [...]}"}},
          .setup = setup_claims};
}

Command ingest_run_command() {
  return {.name = "ingest run",
          .group = Group::kBringIn,
          .summary = "what a sanitizer made of a dataset",
          .usage =
              "DATASET/RUN FILE... [--preset P] [--id F] [--text F] [--synthetic] [--append] [--sanitizer S] [--param "
              "K=V]... "
              "[--seed N] [--group G]",
          .details =
              "\"substitutions\": [[\"Ann\", \"Ruth\"]] in a row says what stands for what in its text, for "
              "qa_accuracy.\n" +
              details_with_presets(&ingest::Preset::run),
          .examples = {{"residue ingest run clinic/azure azure.jsonl --sanitizer azure", "one text for each record"},
                       {"residue ingest run clinic/dp dp.jsonl --synthetic", "texts that belong to no record"}},
          .setup = setup_run};
}

Command ingest_labels_command() {
  return {
      .name = "ingest labels",
      .group = Group::kBringIn,
      .summary = "what people or ground truth said",
      .usage = "DATASET FILE... --kind KIND [--preset P] [--set NAME] [--scale reversed] [--on-error stop|skip]",
      .details = "Labels are added: one that says otherwise stands beside the old one, and both count.\n" +
                 details_with_presets(&ingest::Preset::labels),
      .examples = {{"residue ingest labels clinic spans.jsonl --kind span", "gold spans, checked against the texts"},
                   {"residue ingest labels tab echr_test.json --kind span --preset tab",
                    "the Text Anonymization Benchmark, all annotators"},
                   {"residue ingest labels prompts entities.jsonl --kind entity",
                    "which entities of a prompt its purpose needs"}},
      .setup = setup_labels};
}

}  // namespace residue::cli
