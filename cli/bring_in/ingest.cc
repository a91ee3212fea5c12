// ingest: files into datasets, claims, runs and labels.
#include "verbs/ingest.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/runs/tag_flags.h"
#include "cli/syntax.h"
#include "ingest/files/dataset.h"
#include "ingest/rows/names.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/text_spans.h"
#include "ingest/sanitize/declared.h"
#include "model/asking/egress.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

Run setup_dataset(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::RecordSourceOptions source;
    std::string control_of;
    std::vector<std::string> hosts;
  };
  auto options = std::make_shared<Flags>();
  syntax.add("NAME", options->target, "the dataset; it is made if needed").required();
  options->add_to(syntax, &options->source);
  syntax.add("--preset", options->source.preset, preset_words(&ingest::Preset::dataset));
  syntax.repeated("--clear", options->source.clear,
                  "a field to empty where a line lacks it: person, label, task or meta");
  syntax.add("--control-of", options->control_of,
             "DATASET: these people were never in a release of it (see docs/own-data.md)");
  syntax.repeated("--egress", options->hosts, "a host that these texts may be sent to (see residue egress allow)");
  return [options](Context& context) {
    ingest::check_name("dataset", options->target);
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    verbs::DatasetOptions wanted;
    wanted.dataset = options->target;
    wanted.control_of = options->control_of;
    ingest_rows(context, *store, *options, wanted, verbs::ingest_dataset);
    for (const std::string& host : options->hosts) model::allow_egress(*store, options->target, host);
    context.out.note(next_step(*store, options->target));
    return 0;
  };
}

Run setup_claims(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::ClaimSourceOptions source;
    LabelWordFlags words;
    std::string set{ingest::kDefaultClaimSet};
    bool outside = false;
  };
  auto options = std::make_shared<Flags>();
  syntax.add("DATASET", options->target, "the dataset that has the records").required();
  options->add_to(syntax);
  syntax.add("--set", options->set, "the claim set (default: claims)");
  options->words.add_to(syntax);
  syntax.add("--record", options->source.record, "the field that holds the record's id");
  syntax.add("--claims", options->source.claims, "the field that holds the claims");
  syntax.flag("--outside", options->outside,
              "what attackers know from elsewhere, not claims of the texts; the texts are then split into claims, too");
  return [options](Context& context) {
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    verbs::ClaimsOptions wanted;
    wanted.dataset = options->target;
    wanted.set = options->set;
    wanted.outside = options->outside;
    wanted.jobs = threads(context.globals);
    ingest_rows(context, *store, *options, wanted, verbs::ingest_claims);
    context.out.note(next_step(*store, options->target));
    return 0;
  };
}

Run setup_run(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::VariantSourceOptions source;
    ingest::RunSpec spec;
    std::vector<std::string> params;
    std::optional<std::string> unit;
    std::optional<std::string> spent;
    bool removes_everything = false, texts_are_meant = false;
    TagFlags tags;
  };
  auto options = std::make_shared<Flags>();
  syntax.add("DATASET/RUN", options->target, "the run; it is made if needed").required();
  options->add_to(syntax, &options->source);
  syntax.add("--preset", options->source.preset, preset_words(&ingest::Preset::run));
  options->add_only(syntax);
  syntax.flag("--synthetic", options->spec.synthetic, "texts that belong to no record; the id is optional");
  syntax.flag("--spans", options->source.spans, "rows hold spans to replace in the originals, not texts");
  syntax.add("--unit", options->unit, "what the offsets of spans count: codepoint (default), byte or utf16")
      .one_of({"codepoint", "byte", "utf16"});
  syntax.flag("--removes-everything", options->removes_everything, "an empty text is a success, not a failure");
  syntax.flag("--texts-are-meant", options->texts_are_meant,
              "count refusals, error messages and one text for many records as texts, not as failures");
  syntax.add("--sanitizer", options->spec.sanitizer, "the name of the sanitizer that made the run");
  syntax.repeated("--param", options->params, "K=V, a setting of the sanitizer, kept with the run");
  syntax.add("--seed", options->spec.seed, "the sanitizer's seed");
  syntax.add("--spent", options->spent,
             "epsilon=E,delta=D,mechanism=M: what the run spent of privacy, as its makers say");
  syntax.add("--group", options->spec.group, "a name for runs that are reported together");
  options->tags.add_to(syntax);
  return [options](Context& context) {
    const storage::Target target = storage::parse_target(options->target);
    if (!target.run) {
      throw Error(Code::kUsage, "which run?", fmt::format("residue ingest run {}/RUN FILE", target.dataset));
    }
    if (!options->params.empty()) options->spec.params = ingest::params_json(key_values(options->params, "--param"));
    if (options->removes_everything) options->spec.removes_everything = true;
    options->spec.texts_are_meant = options->texts_are_meant;  // of this file; earlier files do not matter
    if (options->unit) {
      if (!options->source.spans) throw Error(Code::kUsage, "--unit means nothing without --spans", "add --spans");
      options->source.unit = *ingest::unit_named(*options->unit);
    }
    verbs::RunOptions wanted;
    wanted.dataset = target.dataset;
    wanted.run = *target.run;
    wanted.spec = options->spec;
    options->tags.into(wanted);
    if (options->spent) wanted.spent = ingest::parse_declared(*options->spent);
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    ingest_rows(context, *store, *options, wanted, verbs::ingest_run);
    context.out.note(next_step(*store, target.dataset, target.run));
    return 0;
  };
}

}  // namespace

Command ingest_dataset_command() {
  return {
      .name = "ingest dataset",
      .group = Group::kBringIn,
      .summary = "records from files",
      .usage =
          "NAME FILE... [--preset P] [--id F] [--text F] [--map FIELD=PATH]... [--clear FIELD]... [--append] "
          "[--control-of DATASET] [--on-error stop|skip]",
      .details =
          "If a line lacks a field, the stored value stays. To empty a field, give null, an empty cell, or --clear "
          "FIELD. --id auto uses the row's number as its id. If you insert or delete a row, all later rows get other "
          "ids. A folder of .txt files can be read, too: each file is a record, and its name without .txt is the id.\n"
          "--control-of says that these are people who were never in the release of DATASET: what an attack finds of "
          "them it finds by chance. The two may share no id, no text and no named person; a file that would is refused "
          "whole.\n" +
          details_with_presets(&ingest::Preset::dataset),
      .examples = {{"residue ingest dataset clinic notes.jsonl", "records with \"id\" and \"text\""},
                   {"residue ingest dataset clinic notes.csv --id note_id --text body",
                    "a file whose columns have other names"},
                   {"residue ingest dataset clinic persons.csv", "adds \"person\" to records that are already stored"},
                   {"residue ingest dataset clinic plain.csv --id auto", "rows without an id"},
                   {"residue ingest dataset others others.jsonl --control-of clinic",
                    "people who were never in the release, to compare with"}},
      .setup = setup_dataset};
}

Command ingest_claims_command() {
  return {.name = "ingest claims",
          .group = Group::kBringIn,
          .summary = "atomic claims of records",
          .usage =
              "DATASET FILE... [--set NAME] [--outside] [--record F] [--claims F] [--map-label OLD=NEW] [--on-error "
              "stop|skip]",
          .details = kIngestDetails,
          .examples = {{"residue ingest claims clinic claims.jsonl", "lines {\"record\": ..., \"claims\": [...]}"}},
          .setup = setup_claims};
}

Command ingest_run_command() {
  return {
      .name = "ingest run",
      .group = Group::kBringIn,
      .summary = "what a sanitizer made of a dataset",
      .usage =
          "DATASET/RUN FILE... [--preset P] [--only PATH=VALUE]... [--id F] [--text F] [--spans] [--unit U] "
          "[--synthetic] [--append] "
          "[--sanitizer S] [--param K=V]... [--seed N] [--group G] [--tag NAME]... [--note TEXT] [--spent "
          "epsilon=E,delta=D,...]",
      .details =
          "\"substitutions\": [[\"Ann\", \"Ruth\"]] in a row says what stands for what in its text, for "
          "qa_accuracy.\n"
          "--spans: \"spans\": [[start, end], [start, end, \"words\"], {\"start\", \"end\", \"type\", "
          "\"replacement\"}]\n"
          "in a row, or one object {id: spans} that is the whole file, say what is replaced in the originals.\n"
          "--spent enters what the run spent of each record's or person's privacy into the ledger of its dataset\n"
          "(residue show), as declared: give it once, with all files of the release; unit=person where it is a "
          "person's.\n"
          "With a preset of another program, --id and --text are places in its items (vars.note, metadata.id).\n" +
          details_with_presets(&ingest::Preset::run),
      .examples = {{"residue ingest run clinic/azure azure.jsonl --sanitizer azure", "one text for each record"},
                   {"residue ingest run clinic/tab masked.json --spans", "{id: [[start, end], ...]}, as TAB has it"},
                   {"residue ingest run clinic/gpt log.eval --preset inspect --only epoch=1", "a log of inspect_ai"},
                   {"residue ingest run clinic/dp dp.jsonl --synthetic", "texts that belong to no record"}},
      .setup = setup_run};
}

}  // namespace residue::cli
