// export trec, export qrels: links and right answers in the forms of trec_eval.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/command.h"
#include "cli/export/export_flags.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/new_output.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "query/explain/explain.h"
#include "query/export/trec.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

query::TrecLines lines_to(Context& context) {
  return [&context](std::string_view lines) {
    if (interrupted()) throw Error(Code::kInterrupted, "stopped");
    context.out.write(lines);
    context.out.require_reader();
  };
}

int finish(Context& context, std::uint64_t lines) {
  finish_new_output(context);
  if (context.globals.output) {
    context.out.note(fmt::format("wrote {} lines to {}", grouped(lines), *context.globals.output));
  }
  return 0;
}

struct Options {
  std::string target, protocol;
  bool by_rank = false;
};

int trec(Context& context, const Options& options) {
  context.out.refuse_tables("export trec", "leave --format out: a line is record, Q0, found, rank, score and tag");
  require_new_output(context);
  const storage::Target target =
      run_target(options.target, "a TREC run is of one run", "write residue export trec {}/RUN");
  const auto store = open_texts(context);
  static_cast<void>(storage::find_run(store->db(), target.dataset, *target.run));
  const query::ProtocolSpec protocol = query::protocol_to_explain(store->db(), target.dataset, options.protocol);
  Progress progress(context.globals, "linking");
  const auto score = options.by_rank ? query::TrecScore::kByRank : query::TrecScore::kLinkers;
  return finish(context, query::trec_run(*store, target.dataset, *target.run, protocol, score, progress.callback(),
                                         lines_to(context)));
}

int qrels(Context& context, const std::string& word) {
  context.out.refuse_tables("export qrels", "leave --format out: a line is record, 0, record and 1");
  require_new_output(context);
  const storage::Target target = storage::parse_target(word);
  if (target.run) {
    throw Error(Code::kUsage, "the right answers are those of a dataset, whatever the run",
                fmt::format("residue export qrels {}", target.dataset));
  }
  const auto store = open_texts(context, true);
  return finish(context, query::trec_qrels(*store, target.dataset, lines_to(context)));
}

}  // namespace

Command export_trec_command() {
  return {.name = "export trec",
          .group = Group::kLook,
          .summary = "the best ten texts for each record, as a TREC run file",
          .usage = "DATASET/RUN [-o FILE]",
          .details =
              "A line is record, Q0, found record, rank, score and tag. The attack is done again on the present texts, "
              "as eval does it; what eval stores is its first rank. Records of which the attacker knows nothing are "
              "left out. A key is one word: spaces and % in it are written %20 and %25. trec_eval orders equal scores "
              "by name, not by our rank: --rank-scores writes 1/rank as the score, which has no ties.",
          .examples = {{"residue export trec clinic/scrub -o scrub.run", "the links of the last protocol"},
                       {"residue export trec clinic/scrub --protocol rouge-l/random:3 --rank-scores -o rouge.run",
                        "another attacker, without ties"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("DATASET/RUN", options->target, "whose texts are found").required();
            add_protocol(syntax, options->protocol, "the attacker (the last evaluated)");
            syntax.flag("--rank-scores", options->by_rank, "1/rank as the score");
            return [options](Context& context) {
              return until_closed(context.out, [&] { return trec(context, *options); });
            };
          }};
}

Command export_qrels_command() {
  return {.name = "export qrels",
          .group = Group::kLook,
          .summary = "which text is the right one for each record, as TREC qrels",
          .usage = "DATASET [-o FILE]",
          .details =
              "A line is record, 0, record and 1: the right text for a record is its own. Synthetic runs have no right "
              "answers.",
          .examples = {{"residue export qrels clinic -o clinic.qrels", "for trec_eval clinic.qrels scrub.run"}},
          .setup = [](Syntax& syntax) -> Run {
            auto target = std::make_shared<std::string>();
            syntax.add("DATASET", *target, "whose records").required();
            return [target](Context& context) {
              return until_closed(context.out, [&] { return qrels(context, *target); });
            };
          }};
}

}  // namespace residue::cli
