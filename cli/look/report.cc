// report: what the sanitizers left behind, run by run.
#include "verbs/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/open.h"
#include "cli/page/report_page.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/report/criteria_table.h"
#include "cli/report/report_tables.h"
#include "cli/report/report_words.h"
#include "cli/runs/print_plots.h"
#include "cli/runs/run_flags.h"
#include "cli/study/lone_tables.h"
#include "cli/study/print_tables.h"
#include "cli/syntax.h"
#include "query/inputs/repeats.h"
#include "query/report/left_behind.h"
#include "text/characters/unicode.h"
#include "verbs/look/report_state.h"
#include "verbs/tables/attack_figures.h"
#include "verbs/tables/run_figures.h"
#include "verbs/tables/table.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, protocol, judge, table;
  std::string missing = "leaked";
  std::string model;
  std::uint32_t seeds = 0;
  bool reference = false;
  double absent_share = 0.5;
  RunFlags runs;
  std::string plot;
  GateFlags gates;
  PageFlags page;
};

// Tables that no attacker and no judge named here has a part in.
constexpr std::array<std::string_view, 4> kWithoutAttack = {"agreement", "task", "copies", "spans"};

// What a reader must know before the numbers are believed.
void warn(const Context& context, const query::Report& report, bool headed) {
  if (report.sample != 0) {
    context.out.note(fmt::format("SAMPLE of {} target records; candidates were not sampled", report.sample));
  }
  const verbs::ReportState state = verbs::state_of(report);
  if (const std::string words = not_judged(report); !words.empty()) context.out.note(words);
  const std::string left_out = query::uncovered_note(report.uncovered, report.spec);
  if (!left_out.empty() && context.globals.format != Format::kTable) context.out.note(left_out);
  if (context.globals.format != Format::kTable) {
    for (const std::string& doubt : report.doubts) context.out.note("warning: " + doubt);
  }
  if (const std::string words = query::repeats_note(report.repeats);
      !words.empty() && context.globals.format != Format::kTable) {
    context.out.note(words);
  }
  if (const std::string words = unmeasured(state); !words.empty()) context.out.note(words);
  if (const std::string words = answered_by(report); !headed && !words.empty()) context.out.note(words);
  if (const std::string words = answered_by_others(report, state); !words.empty()) context.out.note(words);
  if (const std::string words = embedders(state); !words.empty()) context.out.note(words);
  if (const std::string words = suspects(report, state); !words.empty()) {
    context.out.note(words);
  }
  std::string stale = fmt::format("{}", fmt::join(state.stale, ", "));
  if (!state.partly.empty()) {
    stale += fmt::format("{}{} of {}", stale.empty() ? "" : ", and ", fmt::join(state.old_metrics, ", "),
                         fmt::join(state.partly, ", "));
  }
  const std::string protocol = report.spec.name();  // of the first seed
  const bool by_default = protocol.starts_with(fmt::format("{}@42/", query::kDefaultProtocol));
  std::string with = by_default ? "" : " --protocol " + protocol;
  if (report.seeds > 1) with += fmt::format(" --seeds {}", report.seeds);
  if (report.judge != "lexical") with += " --judge " + report.judge;
  if (report.sample != 0) with += fmt::format(" --sample {}", report.sample);
  if (!stale.empty()) {
    context.out.note(fmt::format("stale (changed since it was evaluated): {}; {}", stale,
                                 fmt::join(query::commands_for(report.dataset, with, state.old), "; then ")));
  }
  if (!state.unevaluated.empty()) {
    context.out.note(fmt::format("not evaluated under {0}: {1}; residue eval {2}{3}", report.protocol,
                                 fmt::join(state.unevaluated, ", "), report.dataset, with));
  }
}

void name_judge(const Context& context, const query::Report& report) {
  context.out.note(fmt::format("judge {} ({}), {}", report.judge, report.judge_version, report.validation.text));
}

std::string listed(const std::set<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

// The same for many attackers at once.
void warn_together(const Context& context, const verbs::ReportResult& compared, const std::string& table, bool named) {
  std::set<std::string> stale;
  std::set<std::string> unseen;
  std::set<std::string> elsewhere;
  for (const query::Report& report : compared.reports) {
    if (report.sample != 0) {
      context.out.note(fmt::format("{}: SAMPLE of {} target records", report.protocol, report.sample));
    }
    // Control linkers are evaluated unasked.
    if (!verbs::fits_table(report, table)) {
      if (named || !report.spec.linker->control()) elsewhere.insert(report.protocol);
      continue;
    }
    for (const query::ReportRun& run : report.runs) {
      if (run.stale) stale.insert(fmt::format("{} under {}", run.run, report.protocol));
      if (!run.evaluated) unseen.insert(fmt::format("{} under {}", run.run, report.protocol));
    }
  }
  if (!stale.empty()) context.out.note("stale (changed since it was evaluated): " + listed(stale));
  if (!unseen.empty()) {
    context.out.note(fmt::format("not evaluated{}: {}",
                                 verbs::needs_judge(table) ? " by " + compared.reports.front().judge : "",
                                 listed(unseen)));
  }
  if (!elsewhere.empty()) context.out.note(fmt::format("no place in the table {}: {}", table, listed(elsewhere)));
}

void note_left_out(const Context& context, const verbs::ReportResult& compared, bool named) {
  std::set<std::string> left_out;
  for (const std::string& name : compared.left_out) {
    if (named || !query::parse_protocol(name).linker->control()) left_out.insert(name);
  }
  if (left_out.empty()) return;
  context.out.note(fmt::format("not rated by the judge {}, so not in the table: {}; --judge names another",
                               compared.reports.front().judge, listed(left_out)));
}

// A report's table with the fields of runs that --sort, --group and --columns name.
Table with_fields(Table table, const Context& context, const query::Report& report, const verbs::ReportResult& all,
                  const Table* asked = nullptr) {
  verbs::RunNumbers numbers(report);
  return with_run_fields(
      std::move(table), context.out.arrangement(), all.runs,
      [&](const verbs::RunFacts& run) { return numbers.of(run); }, asked);
}

// A row per number; a row per run where columns or fields of runs are asked for that these rows do not have.
Table file_table(const Context& context, const verbs::ReportResult& compared) {
  const std::vector<query::Report>& reports = compared.reports;
  Table numbers = long_table(reports);
  if (has_columns(numbers, context.out.arrangement())) return numbers;
  if (reports.size() > 1) {
    throw Error(Code::kUsage, "a row per run, which these columns need, is of one attacker, and several are asked for",
                "name one with --protocol, or columns of --table metrics-long");
  }
  Table runs = wide_table(reports.front());
  for (std::size_t i = 0; i < runs.rows.size(); ++i) runs.rows[i].front() = reports.front().runs[i].run;
  return with_fields(std::move(runs), context, reports.front(), compared, &numbers);
}

// For people. Columns and rows of their choice are those of a table with a run a row.
void print_report(Context& context, const query::Report& report, const verbs::ReportResult& all) {
  if (!context.out.arrangement().any()) {
    context.out.write(report_text(report, context.out.look()));
    return;
  }
  context.out.write(fitted(report_heading(report) + "\n", context.out.look().width));
  context.out.table(with_fields(wide_table(report), context, report, all));
  context.out.write(fitted(report_legend(report), context.out.look().width));
}

// Notes for after the results.
std::vector<std::string> print(Context& context, const verbs::ReportResult& compared, const Options& options) {
  const std::vector<query::Report>& reports = compared.reports;
  const std::vector<query::GateResult>& gates = compared.gates;
  const Format format = context.globals.format;
  const auto json_of = [&](std::size_t i) {
    Json one = report_json(reports[i]);
    if (compared.chosen[i].any_condition()) one["where"] = chosen_json(compared.chosen[i]);
    return one;
  };
  if (!options.table.empty()) return print_table(context, reports, options.table, options.reference);
  if (context.out.wants_json()) {
    if (reports.size() == 1) {
      Json one = json_of(0);
      if (!gates.empty()) one["gates"] = gates_json(gates);
      context.out.json(one);
      return {};
    }
    Json all = Json::array();
    for (std::size_t i = 0; i < reports.size(); ++i) all.push_back(json_of(i));
    context.out.json(all);
  } else if (format == Format::kCsv || format == Format::kTsv) {
    context.out.table(file_table(context, compared));
  } else if (format == Format::kMarkdown || format == Format::kLatex) {
    for (const query::Report& report : reports) {
      context.out.table(with_fields(wide_table(report), context, report, compared));
    }
  } else {
    bool first = true;
    for (const query::Report& report : reports) {
      if (!first) context.out.write("\n");
      first = false;
      print_report(context, report, compared);
    }
  }
  return {};
}

// What does not go together, before the store is opened.
void check_runs(const Context& context, const Options& options) {
  const bool arranged = options.runs.arrangement.any();
  if (arranged && options.table.empty() && context.out.wants_json()) {
    throw Error(Code::kUsage,
                "--sort, --group and --columns need a table: as json, a report is one object with everything",
                "add --table metrics-long, or another table, or leave out --json");
  }
  if (options.page.file && (arranged || !options.runs.where.empty() || !options.plot.empty())) {
    throw Error(Code::kUsage,
                "--html writes a page of all runs: --where, --sort, --group, --columns and --plot do not "
                "go with it",
                "leave them out");
  }
  if (options.plot.empty()) return;
  if (arranged || !options.table.empty()) {
    throw Error(Code::kUsage, "--plot draws a chart: --table, --sort, --group and --columns do not go with it",
                "leave them out; --plot X,Y --csv writes the points");
  }
}

// Numbers without the name of their run are of nobody.
void keep_run(std::vector<std::string>& columns) {
  if (std::ranges::find(columns, "run") == columns.end()) columns.insert(columns.begin(), "run");
}

// The name of a run, where only a dataset has a report.
void refuse_run(const std::string& dataset) {
  const std::size_t slash = dataset.find('/');
  if (slash == std::string::npos) return;
  throw Error(Code::kNotFound, fmt::format("no dataset \"{}\"", text::escape_controls(dataset)),
              fmt::format("a report shows all runs of a dataset: residue report {}",
                          text::escape_controls(dataset.substr(0, slash))));
}

int report(Context& context, const Options& options) {
  refuse_run(options.dataset);
  const verbs::Gates gates = options.gates.gates();
  verbs::TableOptions wanted;
  wanted.table = options.table;
  wanted.published = options.reference;
  wanted.absent_share = options.absent_share;
  wanted.gates = gates;
  verbs::check(wanted);
  options.page.check(context, options.table, options.runs.arrangement);
  check_runs(context, options);
  Arrangement arrangement = options.runs.arrangement;
  if (!arrangement.columns.empty() && options.table.empty()) keep_run(arrangement.columns);
  context.out.arrange(arrangement);
  wanted.where = options.runs.where;
  query::ReportOptions& what = wanted.what;
  what.dataset = options.dataset;
  what.protocols = options.protocol;
  if (!options.judge.empty()) what.judge = options.judge;
  if (options.seeds != 0) what.seeds = options.seeds;
  if (!options.model.empty()) what.model = options.model;
  if (options.missing == "drop") what.missing = query::MissingPolicy::kDrop;
  wanted.less_precise_half = options.gates.less_precise.half();
  const auto store = open_store(context, true);
  if (options.page.file) {
    const auto held = write_report_page(context, *store, options.page,
                                        {.what = what, .gates = gates, .less_precise_half = wanted.less_precise_half});
    return report_gates(context, options.gates, held);
  }
  const verbs::TableResult result =
      options.table.empty() ? verbs::TableResult{verbs::TableKind::kRuns,
                                                 what,
                                                 verbs::report(*store, {.what = what,
                                                                        .less_precise_half = wanted.less_precise_half,
                                                                        .gates = gates,
                                                                        .where = wanted.where}),
                                                 {},
                                                 {}}
                            : verbs::table(*store, wanted);
  if (result.kind == verbs::TableKind::kLone) {
    print_lone(context, result, options.reference);
    return 0;
  }
  const verbs::ReportResult& compared = result.report;
  const std::vector<query::Report>& reports = compared.reports;
  std::vector<std::string> notes;
  if (!options.plot.empty()) {
    print_plots(context, compared, options.plot);
  } else if (result.criteria.empty()) {
    notes = print(context, compared, options);
  } else {
    print_criteria(context, result);
  }
  context.out.flush();
  for (const std::string& note : notes) context.out.note(note);
  for (const verbs::Chosen& chosen : compared.chosen) note_chosen(context, chosen);
  if (options.gates.less_precise.half()) context.out.note("guesses of attributes that are less precise count one half");
  const bool named = result.what.protocols != "all";
  note_left_out(context, compared, named);
  if (verbs::is_attack_table(options.table)) {
    warn_together(context, compared, options.table, named);
    if (verbs::needs_judge(options.table) && context.globals.format != Format::kTable)
      name_judge(context, reports.front());
    return report_gates(context, options.gates, compared.gates);
  }
  // The table for people begins with a heading that says it.
  const bool is_long = result.kind == verbs::TableKind::kLong;
  const bool headed = context.globals.format == Format::kTable && !is_long;
  const bool judged = options.table.empty() || is_long || verbs::shows_judgments(options.table);
  if (!headed && judged) name_judge(context, reports.front());
  for (const query::Report& one : reports) warn(context, one, headed);
  for (const std::string& note : compared.shared_models) context.out.note("warning: " + note);
  if (const query::ReportRun* run = verbs::leakiest(reports.front())) {
    context.out.flush();
    context.out.next("residue leaks {}/{}", reports.front().dataset, run->run);
  }
  return report_gates(context, options.gates, compared.gates);
}

// A line for each table: its name, what it shows, its source.
std::string table_help() {
  std::string text;
  for (const verbs::TableName& one : verbs::table_names()) {
    text += fmt::format("{}  {:<17} {} ({})", text.empty() ? "" : "\n", one.name, one.shows, one.source);
  }
  return text;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("DATASET", options->dataset, "the dataset; not needed if there is one only");
  // Tables of many attackers show all that there are, some others none.
  const auto of_one = [options] {
    return std::ranges::find(kWithoutAttack, options->table) == kWithoutAttack.end() &&
           !verbs::is_attack_table(options->table);
  };
  const auto judged = [options, of_one] {
    return of_one() || (verbs::is_attack_table(options->table) && verbs::needs_judge(options->table));
  };
  add_protocol(syntax, options->protocol, "attackers (comma list), or all; default: the last evaluated")
      .configured("protocol", of_one);
  syntax.add("--judge", options->judge, "the judge (default: the last one); a table shows one judge")
      .configured("judge", judged);
  syntax.add("--seeds", options->seeds, "mean over this many seeds").range(1, 1000).configured("seeds", of_one);
  syntax.add("--table", options->table, "a paper's table: " + verbs::table_list());
  syntax.flag("--reference", options->reference, "with --table: the papers' published figures beside ours");
  syntax
      .add("--absent-share", options->absent_share,
           "with --table open-world: the share of targets that are not in the release (0.5)")
      .range(0.0, 1.0);
  syntax.add(
      "--model", options->model,
      "the model whose answers to tasks are shown (default: for each task, the one that answered about most runs)");
  syntax.add("--missing", options->missing, "failed and missing records: leaked (default) or drop")
      .one_of({"leaked", "drop"});
  options->runs.add_to(syntax);
  syntax
      .add("--plot", options->plot,
           "a chart: a metric over a parameter, over when runs were made, or over another metric: param.rate,leak_rate")
      .type("X,Y");
  options->gates.add_to(syntax);
  options->page.add_to(syntax);
  return [options](Context& context) { return with_condition(context, [&] { return report(context, *options); }); };
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .group = Group::kLook,
      .summary = "what each run leaves behind, as a table",
      .usage = "[DATASET]",
      .details =
          "Every number has its 95 % interval below it. Failed and missing records count as leaked, unless "
          "--missing drop is given. Two runs are controls: the original texts (none) and empty texts (remove-all). "
          "Below stand the same runs for an attacker who knows the right record (oracle), and for one who draws a "
          "record at random (random). FSP and AA are papers (residue help FSP).\n\nTables:\n" +
          table_help(),
      .examples = {{"residue report clinic", "the runs of clinic under the protocol evaluated last"},
                   {"residue report clinic --protocol bm25/first:3 --json", "another attacker, as one object"},
                   {"residue report clinic --csv > clinic.csv", "one row per run, metric and split"},
                   {"residue report clinic --sort leak_rate:desc --columns run,leak_rate,rougeL_f",
                    "a row per run, the leakiest first"},
                   {"residue report clinic --where 'param.p >= 1e-5 and tag = nightly' --group param.p",
                    "some of the runs, those of the same setting together"},
                   {"residue report clinic --plot param.p,leak_rate", "a chart in the terminal, with intervals"},
                   {"residue report clinic --table privacy-utility --format latex", "for a paper"},
                   {"residue report clinic --html clinic.html --fail-if 'leak_rate > 0.1'",
                    "a page for the person who decides, with its gates"},
                   {"residue report clinic --fail-if 'exposed_rate.high > 0.01'",
                    "exit with 1 if a stored number is too bad"},
                   {"residue report clinic --table corrected", "leak rates, corrected with the labels of people"},
                   {"residue report clinic --table metrics --reference", "beside the figures that the paper prints"},
                   {"residue report clinic --table open-world --absent-share 0.9",
                    "where nine of ten people that an attacker looks for are not in the release"},
                   {"residue report --table agreement", "people, judges, and a judge's own repeats"}},
      .paged = true,
      .setup = setup};
}

}  // namespace residue::cli
