// ingest attempts: what people found elsewhere who looked for records in a release.
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/people/bring_attempts.h"

namespace residue::cli {
namespace {

struct Flags : IngestFlags {
  std::string protocol;
};

int run(Context& context, const Flags& flags) {
  const storage::Target target = run_target(flags.target, "an intruder test is on one run", "write {}/RUN");
  const auto store = open_store(context);
  verbs::AttemptsOptions wanted;
  static_cast<verbs::IngestFiles&>(wanted) = files_of(flags);
  wanted.dataset = target.dataset;
  wanted.run = *target.run;
  wanted.protocol = flags.protocol;
  wanted.source.map = key_values(flags.map, "--map");
  ingest_files(context, wanted, [&] { return verbs::bring_attempts(*store, wanted); });
  context.out.next("residue intruder show {}", flags.target);
  return 0;
}

}  // namespace

Command ingest_attempts_command() {
  return {
      .name = "ingest attempts",
      .group = Group::kBringIn,
      .summary = "what people found elsewhere who looked for records in a release",
      .usage = "DATASET/RUN FILE... [--protocol P] [--map FIELD=PATH]... [--on-error stop|skip]",
      .details =
          "Attempts of the intruder test from a crowd platform, a spreadsheet or another store. Lines are\n"
          "{\"annotator\", \"record\", \"chosen\", \"sure\", \"seconds\", \"searches\", \"answered_at\"}: who looked, "
          "for whose\n"
          "record, whose text was named (null or \"none\": none), how sure, 0 to 100. \"target\" and \"choice\" are "
          "the "
          "same\n"
          "by the codes of residue intruder. A line without chosen and sure is a target that was given and not\n"
          "answered: it is counted as open. \"present\": false says that the target could not be found, \"blind\": "
          "false\n"
          "that outcomes had been shown before. docs/intruder.md has all fields; others are refused.\n"
          "A file is stored whole or not at all. The same again changes nothing; another answer replaces the old, "
          "unless its outcome was told. What residue export intruder writes can be read again.",
      .examples = {{"residue ingest attempts clinic/scrub crowd.csv --map annotator=worker --map sure=confidence",
                    "from a crowd platform"},
                   {"residue ingest attempts clinic/scrub attempts.jsonl", "what residue export intruder wrote"}},
      .setup = [](Syntax& syntax) -> Run {
        auto flags = std::make_shared<Flags>();
        syntax.add("DATASET/RUN", flags->target, "the run that people searched").required();
        flags->add_to(syntax);
        syntax
            .add("--protocol", flags->protocol, "whose auxiliary claims people were given; default: the last evaluated")
            .configured("protocol");
        return [flags](Context& context) { return run(context, *flags); };
      }};
}

}  // namespace residue::cli
