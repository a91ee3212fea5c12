// compare: what changed between runs, record by record, and whether that is more than chance.
#include "verbs/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/report/compare_tables.h"
#include "cli/runs/run_flags.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::vector<std::string> targets;
  std::string baseline, protocol, judge, table;
  std::vector<std::string> metrics;
  std::string missing = "leaked", correction = "holm";
  std::string privacy = "semantic_distance", utility = "rougeL_f";
  std::uint32_t seeds = 0;
  std::size_t flips = 10;
  bool common = false, power = false;
  RunFlags runs;
  GateFlags gates;
};

struct Named {
  std::string dataset;
  std::vector<std::string> runs;  // as named; empty: all of the dataset
};

// The first word names the dataset; later ones may be runs of it.
Named read_targets(const Options& options) {
  Named named;
  const auto add = [&](const std::string& word, bool first) {
    if (!first && word.find('/') == std::string::npos) {
      named.runs.push_back(word);
      return;
    }
    const storage::Target target = storage::parse_target(word);
    if (first) named.dataset = target.dataset;
    if (target.dataset != named.dataset) {
      throw Error(
          Code::kUsage,
          fmt::format("runs of two datasets, {} and {}, have no records in common", named.dataset, target.dataset),
          "compare runs of one dataset");
    }
    if (target.run) named.runs.push_back(*target.run);
  };
  for (const std::string& word : options.targets) add(word, &word == &options.targets.front());
  if (!options.baseline.empty()) {
    std::vector<std::string> others = std::move(named.runs);
    named.runs.clear();
    add(options.baseline, false);
    if (named.runs.empty()) throw Error(Code::kUsage, "--baseline names no run", "--baseline RUN");
    std::erase(others, named.runs.front());
    named.runs.insert(named.runs.end(), others.begin(), others.end());
  }
  return named;
}

// `compare DATASET`: all its runs but the controls.
bool names_all(const Options& options) {
  return options.targets.size() == 1 && options.targets.front().find('/') == std::string::npos;
}

query::ReportOptions frontier_options(const Options& options, const std::string& dataset) {
  query::ReportOptions wanted;
  wanted.dataset = dataset;
  wanted.protocols = options.protocol;
  if (!options.judge.empty()) wanted.judge = options.judge;
  if (options.seeds != 0) wanted.seeds = options.seeds;
  if (options.missing == "drop") wanted.missing = query::MissingPolicy::kDrop;
  return wanted;
}

int pareto(Context& context, storage::Store& store, const Options& options, const std::string& dataset) {
  const verbs::FrontierResult found =
      verbs::frontier(store, frontier_options(options, dataset), {options.privacy, options.utility});
  if (context.out.wants_json()) {
    context.out.json(frontier_json(found.frontier));
  } else {
    context.out.table(frontier_table(found.frontier));
  }
  context.out.flush();
  context.out.note(
      fmt::format("under {} by {}; {}", found.report.protocol, found.report.judge, frontier_words(found.frontier)));
  return 0;
}

query::CompareOptions compare_options(const Options& options, const Named& named) {
  query::CompareOptions wanted;
  wanted.runs.dataset = named.dataset;
  wanted.runs.runs = named.runs;
  wanted.runs.protocol = options.protocol;
  if (!options.judge.empty()) wanted.runs.judge = options.judge;
  if (options.seeds != 0) wanted.runs.seeds = options.seeds;
  wanted.runs.common = options.common;
  wanted.metrics = options.metrics;
  options.gates.less_precise.read(wanted.metrics);
  if (options.missing == "drop") wanted.missing = query::MissingPolicy::kDrop;
  if (options.correction == "bh") wanted.correction = query::Correction::kBenjaminiHochberg;
  wanted.flips = options.flips;
  return wanted;
}

// Where no column of a single difference is asked for, the rows of a run are all the same: one of them stays.
void keep_one_row_per_run(Table& table, const std::vector<std::string>& of_rows, const Arrangement& how) {
  const auto of_a_row = [&](const std::string& column) { return std::ranges::find(of_rows, column) != of_rows.end(); };
  const std::string by = how.sort.substr(0, how.sort.rfind(':'));
  if (how.columns.empty() || of_a_row(by) || of_a_row(how.group)) return;
  if (std::ranges::any_of(how.columns, of_a_row)) return;
  const auto run = std::ranges::find(table.columns, "run", &Column::name) - table.columns.begin();
  std::set<Cell> seen;
  std::erase_if(table.rows,
                [&](const std::vector<Cell>& row) { return !seen.insert(row[static_cast<std::size_t>(run)]).second; });
}

void print(Context& context, storage::Store& store, const verbs::CompareResult& result, const Options& options,
           const std::string& look_flags) {
  const query::Compared& compared = result.compared;
  const Format format = context.globals.format;
  const bool arranged = context.out.arrangement().any();
  if (options.table == "flips") {
    context.out.table(flips_table(compared, look_flags));
  } else if (context.out.wants_json() && options.table.empty()) {
    Json json = compare_json(compared, result.frontier, look_flags);
    json["gates"] = gates_json(result.gates);
    if (result.chosen.any_condition()) json["where"] = chosen_json(result.chosen);
    context.out.json(json);
  } else if (format == Format::kTable && options.table.empty() && !arranged) {
    context.out.write(compare_text(compared, result.frontier, context.out.look(), look_flags, options.power));
  } else {
    const bool document = format == Format::kTable || format == Format::kMarkdown || format == Format::kLatex;
    Table table = deltas_table(compared, document ? Form::kDocument : Form::kFile, options.power);
    query::ReportOptions of;
    of.protocols = compared.what.lens.spec.name();
    of.judge = compared.what.lens.judge_name;
    of.seeds = compared.what.seeds;
    if (options.missing == "drop") of.missing = query::MissingPolicy::kDrop;
    std::vector<std::string> of_rows;
    for (const Column& column : table.columns) {
      if (column.name == "run") continue;
      of_rows.push_back(column.name);
      if (!column.title.empty()) of_rows.push_back(column.title);
    }
    verbs::RunNumbers numbers(store, of);
    table = with_run_fields(std::move(table), context.out.arrangement(), result.runs,
                            [&](const verbs::RunFacts& run) { return numbers.of(run); });
    keep_one_row_per_run(table, of_rows, context.out.arrangement());
    context.out.table(table);
  }
}

int compare(Context& context, const Options& options) {
  verbs::CompareOptions wanted;
  const bool arranged = options.runs.arrangement.any();
  if (arranged && (context.out.wants_json() || options.table == "pareto" || options.table == "flips")) {
    throw Error(Code::kUsage, "--sort, --group and --columns are about the table of differences",
                "leave out --json and --table");
  }
  if (options.table == "pareto" && !options.runs.where.empty()) {
    throw Error(Code::kUsage, "the Pareto frontier is over all runs: --where does not go with it", "leave it out");
  }
  context.out.arrange(options.runs.arrangement);
  wanted.where = options.runs.where;
  wanted.gates = options.gates.gates();  // what cannot be read is said before anything is done
  const auto store = open_store(context, true);
  const Named named = read_targets(options);
  if (options.table == "pareto") return pareto(context, *store, options, named.dataset);
  wanted.what = compare_options(options, named);
  wanted.what.threads = threads(context.globals);
  wanted.all_runs = names_all(options);
  wanted.axes = {options.privacy, options.utility};
  const verbs::CompareResult result = verbs::compare(*store, wanted);
  const query::Compared& compared = result.compared;
  const query::Lens& lens = compared.what.lens;
  std::string flags;
  if (!options.protocol.empty() || options.common) flags += " --protocol " + shell_word(lens.spec.name());
  if (!options.judge.empty() || options.common) flags += " --judge " + shell_word(lens.judge_name);
  print(context, *store, result, options, flags);
  context.out.flush();
  note_chosen(context, result.chosen);
  if (context.globals.format != Format::kTable || !options.table.empty()) {
    context.out.note(fmt::format("against {} under {} by judge {} ({}), {}", compared.baseline, compared.protocol,
                                 lens.judge_name, compared.judge_version, compared.validation));
  }
  if (compared.what.samples_differ)
    context.out.note("evaluated on different samples: only common records are compared");
  if (compared.what.seeds > 1) context.out.note("flipped claims are those of the first seed");
  return report_gates(context, options.gates, result.gates);
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->targets, "DATASET/RUN, then runs of the same dataset; or DATASET: all its runs")
      .required();
  syntax.add("--baseline", options->baseline, "the run that the others are compared with; default: the first");
  // --common takes what all runs share.
  const auto unshared = [options] { return !options->common; };
  add_protocol(syntax, options->protocol, "attacker; default: the last evaluated").configured("protocol", unshared);
  syntax.add("--judge", options->judge, "judge; default: the last one").configured("judge", unshared);
  syntax.add("--seeds", options->seeds, "sums over this many seeds").range(1, 1000).configured("seeds", unshared);
  syntax.add("--metrics", options->metrics, "a comma list of metrics; default: the headline ones").comma_separated();
  syntax.add("--missing", options->missing, "failed and missing records: leaked (default) or drop")
      .one_of({"leaked", "drop"});
  syntax.add("--correction", options->correction, "for many tests: holm (default), or bh (Benjamini-Hochberg)")
      .one_of({"holm", "bh"});
  syntax.flag("--common", options->common,
              "compare under the last attacker and judge that all runs share, on the records that all have");
  syntax.flag("--power", options->power,
              "also the smallest difference that a comparison of this size could have found");
  syntax.add("--flips", options->flips, "how many of the claims that changed sides to show, of each kind (10); 0: all");
  syntax.add("--table", options->table, "only this table: deltas, flips, or pareto")
      .one_of({"deltas", "flips", "pareto"});
  syntax.add("--privacy", options->privacy, "the metric of privacy for the Pareto frontier");
  syntax.add("--utility", options->utility, "the metric of utility for the Pareto frontier");
  options->runs.add_to(syntax);
  options->gates.add_to(syntax);
  return [options](Context& context) { return with_condition(context, [&] { return compare(context, *options); }); };
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .group = Group::kLook,
          .summary = "what changed between runs, and whether that is more than chance",
          .usage = "DATASET/RUN RUN... [--baseline RUN]",
          .details =
              "All differences are on the same records. Each has a 95 % interval (paired bootstrap by person), a p "
              "(paired sign-flip test, corrected for all tests shown), and an effect size d.\n"
              "Runs under different attackers, judges or claim sets are refused, and so are runs that have changed "
              "since; the error says what to do. --common takes the attacker and judge that all runs share.\n"
              "Each claim that changed sides comes with the command that shows it. The Pareto frontier is over all "
              "runs of the dataset. No texts are shown.",
          .examples = {{"residue compare clinic/scrub rewrite", "the run rewrite against scrub"},
                       {"residue compare clinic --baseline none --missing drop", "all runs against the original texts"},
                       {"residue compare clinic --where 'tag = nightly' --baseline none", "some of its runs"},
                       {"residue compare clinic/v1 v2 v3 --metrics leak_rate,rougeL_f --format md", "for a paper"},
                       {"residue compare clinic/v1 v2 --table flips --flips 0 --csv", "every claim that changed sides"},
                       {"residue compare clinic/v1 v2 --fail-if 'delta(leak_rate, v1).high > 0.01'", "as a gate in CI"},
                       {"residue compare clinic --table pareto", "which runs are worth choosing"}},
          .paged = true,
          .setup = setup};
}

}  // namespace residue::cli
