// history: the values of a metric over time.
#include "verbs/look/history.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/runs/run_flags.h"
#include "cli/study/run_figures.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

// Why there is no row of a metric, and which command helps.
std::string absence(const std::string& metric, verbs::Absence why, const std::string& dataset) {
  const std::string target = dataset.empty() ? "DATASET" : dataset;
  if (why == verbs::Absence::kNothingEvaluated) {
    return fmt::format("nothing was evaluated yet; residue eval {}", target);
  }
  if (why == verbs::Absence::kPartsOnly) {
    return fmt::format("{} has parts only, and history keeps whole metrics; residue report {} --table metrics-long",
                       metric, target);
  }
  const std::string how = remedy(metric, target);
  return fmt::format("{} was not computed; {}{}", metric, how, how.back() == ' ' ? metric : "");
}

Cell name(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

int history(Context& context, const verbs::HistoryOptions& options, const Arrangement& arrangement) {
  const auto store = open_store(context, true);
  const verbs::HistoryResult result = verbs::history(*store, options);
  context.out.arrange(arrangement);
  Table table;
  for (const char* column : {"at", "dataset", "run", "metric"}) table.columns.push_back({column, Type::kText, ""});
  for (const char* column : {"value", "change", "low", "high"}) table.columns.push_back({column, Type::kReal, ""});
  for (const char* column : {"n", "failed", "missing"}) table.columns.push_back({column, Type::kInteger, ""});
  for (const char* column : {"protocol", "judge"}) table.columns.push_back({column, Type::kText, ""});
  table.columns.push_back({"sample", Type::kInteger, ""});
  for (const query::HistoryRow& row : result.rows) {
    table.rows.push_back({Cell(utc(row.at_ms)), Cell(row.dataset), Cell(row.run), Cell(row.metric), cell(row.value),
                          cell(row.change), cell(row.low), cell(row.high), Cell(row.n), Cell(row.failed),
                          Cell(row.missing), name(row.protocol), name(row.judge),
                          row.sample == 0 ? Cell() : cell(row.sample)});
  }
  verbs::RunNumbers numbers(*store, {});
  context.out.table(with_run_fields(std::move(table), arrangement, result.runs,
                                    [&](const verbs::RunFacts& run) { return numbers.of(run); }));
  context.out.flush();
  note_chosen(context, result.chosen);
  std::set<std::string> absences;
  for (const auto& [metric, why] : result.absent) absences.insert(absence(metric, why, options.dataset));
  for (const std::string& note : absences) context.out.note(note);
  if (result.hidden > 0) {
    context.out.note(
        fmt::format("{} values under the control linkers oracle and random are hidden (--controls)", result.hidden));
  }
  return 0;
}

Run setup(Syntax& syntax) {
  struct Flags {
    verbs::HistoryOptions history;
    std::vector<std::string> metrics;
    RunFlags runs;
  };
  auto flags = std::make_shared<Flags>();
  verbs::HistoryOptions* const options = &flags->history;
  syntax.add("DATASET", options->dataset, "one dataset; default: all");
  syntax.repeated("--metric", flags->metrics, "a metric (may be repeated); default: semantic_distance, linkage_rate");
  syntax.flag("--controls", options->controls, "also under the linkers oracle and random");
  syntax.flag("--monthly", options->monthly, "the last value of each month (UTC), and the change from month to month");
  flags->runs.add_to(syntax);
  return [flags](Context& context) {
    if (!flags->metrics.empty()) flags->history.metrics = flags->metrics;
    flags->history.where = flags->runs.where;
    return with_condition(context, [&] { return history(context, flags->history, flags->runs.arrangement); });
  };
}

}  // namespace

Command history_command() {
  return {.name = "history",
          .group = Group::kLook,
          .summary = "how the numbers changed over time",
          .usage = "[DATASET]",
          .details =
              "One line for each value that differs from the one before it, oldest first. --where is about the numbers "
              "that runs have now; metrics among --columns, too.",
          .examples = {{"residue history clinic", "distance and linkage rate, since the first evaluation"},
                       {"residue history clinic --metric leak_rate --csv", "another metric, as a file"},
                       {"residue history clinic --monthly", "the last value of each month"},
                       {"residue history clinic --where 'tag = nightly' --columns at,run,param.p,value",
                        "of some runs, with their settings"}},
          .paged = true,
          .setup = setup};
}

}  // namespace residue::cli
