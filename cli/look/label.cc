// label: claims and passages for people to rate.
#include "verbs/look/label.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/new_output.h"
#include "cli/open.h"
#include "cli/print/formats.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, protocol, judge;
  std::size_t sample = 100;
  std::uint64_t seed = 42;
};

Table table_of(const verbs::LabelResult& labels, const std::string& run) {
  const std::vector<query::LabelItem>& items = labels.sample.items;
  Table table;
  table.columns = {{"claim", Type::kText, ""}, {"claim_text", Type::kText, ""}, {"passage", Type::kText, ""},
                   {"run", Type::kText, ""},   {"rating", Type::kInteger, ""},  {"annotator", Type::kText, ""}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    table.rows.push_back({Cell(fmt::format("{}#{}", items[i].record, items[i].n)), Cell(labels.claims[i]),
                          Cell(labels.passages[i]), Cell(run), Cell(), Cell()});
  }
  return table;
}

int label(Context& context, const Options& options) {
  const storage::Target target =
      run_target(options.target, "labels are drawn from one run", "write residue label {}/RUN");
  require_new_output(context);  // what is in the file may be people's ratings
  const auto store = open_store(context, true);
  query::LabelOptions wanted;
  wanted.dataset = target.dataset;
  wanted.run = *target.run;
  wanted.protocol = options.protocol;
  if (!options.judge.empty()) wanted.judge = options.judge;
  wanted.sample = options.sample;
  wanted.seed = options.seed;
  const verbs::LabelResult result = verbs::label(*store, wanted);
  const query::LabelSample& drawn = result.sample;
  const Table table = table_of(result, *target.run);
  if (context.globals.format_given) {
    context.out.table(table);
  } else {
    context.out.write_json(to_jsonl(table));
  }
  finish_new_output(context);
  if (drawn.stale) {
    context.out.note(fmt::format("stale: changed since it was evaluated; residue eval {}", options.target));
  }
  context.out.note(
      fmt::format("{} of {} judged claims, as equal shares of {}'s ratings as there are; rating: 1 same, 2 similar, "
                  "3 unsupported",
                  drawn.items.size(), drawn.judged, drawn.lens.judge_name));
  context.out.next("residue ingest labels {} FILE --kind support, residue judge calibrate --labels FILE",
                   target.dataset);
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->target, "DATASET/RUN").required();
  syntax.add("--sample", options->sample, "how many (100)").range(1, 1'000'000);
  syntax.add("--seed", options->seed, "the seed of the draw (42)");
  syntax.add("--protocol", options->protocol, "attacker; default: the last evaluated").configured("protocol");
  syntax.add("--judge", options->judge, "judge; default: the last one").configured("judge");
  return [options](Context& context) { return label(context, *options); };
}

}  // namespace

Command label_command() {
  return {
      .name = "label",
      .group = Group::kLook,
      .summary = "a sample of judged claims for people to rate",
      .usage = "DATASET/RUN [--sample N] [--seed N] [-o FILE]",
      .details =
          "Draws claims that the attacker did not know, each beside the text that he found. They come as JSON Lines "
          "(or --csv) with an empty \"rating\" and \"annotator\". What the judge said is not shown. A third of them "
          "was rated 1, a third 2, a third 3, as far as there are so many. No record comes twice before each has come "
          "once. Shows original text.\n"
          "ingest labels --kind support and judge calibrate read the file when it is filled in.",
      .examples = {{"residue label clinic/scrub --sample 150 -o todo.jsonl", "150 pairs to rate"},
                   {"residue label clinic/scrub --csv=spreadsheet -o todo.csv", "for a spreadsheet"}},
      .setup = setup};
}

}  // namespace residue::cli
