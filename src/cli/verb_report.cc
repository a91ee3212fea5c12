// report: what the sanitizers left behind, run by run.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "cli/attack_tables.h"
#include "cli/command.h"
#include "cli/eval_flags.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/report_tables.h"
#include "query/report.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, protocol, judge, table;
  std::string missing = "leaked";
  std::uint32_t seeds = 0;
};

// The one dataset of the store, where none is named.
std::string only_dataset(storage::Db& db) {
  storage::Statement all = db.prepare("SELECT name FROM dataset ORDER BY name");
  std::vector<std::string> names;
  while (all.step()) names.emplace_back(all.text(0));
  if (names.size() == 1) return names.front();
  if (names.empty()) {
    throw Error(Code::kNotFound, "the store has no dataset", "residue ingest dataset NAME FILE makes one");
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw Error(Code::kUsage, "which dataset?", "name one of " + list);
}

// What a reader must know before the numbers are believed.
void warn(const Context& context, const query::Report& report) {
  if (report.sample != 0) {
    context.out.note(fmt::format("SAMPLE of {} target records; candidates were not sampled", report.sample));
  }
  if (const std::string words = not_judged(report); !words.empty()) context.out.note(words);
  std::string stale;
  std::string unseen;
  for (const query::ReportRun& run : report.runs) {
    if (run.stale) stale += (stale.empty() ? "" : ", ") + run.run;
    if (!run.evaluated) unseen += (unseen.empty() ? "" : ", ") + run.run;
  }
  if (!stale.empty()) {
    context.out.note(fmt::format("stale (changed since it was evaluated): {}; residue eval {}", stale, report.dataset));
  }
  if (!unseen.empty()) {
    context.out.note(
        fmt::format("not evaluated under {}: {}; residue eval {}", report.protocol, unseen, report.dataset));
  }
}

// The same for many attackers at once.
void warn_together(const Context& context, const std::vector<query::Report>& reports) {
  std::set<std::string> stale;
  for (const query::Report& report : reports) {
    if (report.sample != 0) {
      context.out.note(fmt::format("{}: SAMPLE of {} target records", report.protocol, report.sample));
    }
    for (const query::ReportRun& run : report.runs) {
      if (run.stale) stale.insert(fmt::format("{} under {}", run.run, report.protocol));
    }
  }
  if (!stale.empty()) {
    context.out.note(fmt::format("stale (changed since it was evaluated): {}", fmt::join(stale, ", ")));
  }
}

void print(Context& context, const std::vector<query::Report>& reports, const Options& options) {
  const Format format = context.globals.format;
  if (is_attack_table(options.table)) {
    context.out.table(attack_table(reports, options.table));
  } else if (!options.table.empty()) {
    for (const query::Report& report : reports) context.out.table(named_table(report, options.table));
  } else if (context.out.wants_json()) {
    if (reports.size() == 1) {
      context.out.json(report_json(reports.front()));
      return;
    }
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const query::Report& report : reports) all.push_back(report_json(report));
    context.out.json(all);
  } else if (format == Format::kCsv || format == Format::kTsv) {
    context.out.table(long_table(reports));
  } else if (format == Format::kMarkdown || format == Format::kLatex) {
    for (const query::Report& report : reports) context.out.table(wide_table(report));
  } else {
    bool first = true;
    for (const query::Report& report : reports) {
      if (!first) context.out.write("\n");
      first = false;
      context.out.write(report_text(report, context.out.look()));
    }
  }
}

// The run that a reader wants to look into: of those that are no control, the one that leaks most.
const query::ReportRun* worst(const query::Report& report) {
  const query::ReportRun* worst = nullptr;
  double most = -1;
  for (const query::ReportRun& run : report.runs) {
    const auto rate = run.metrics.find(query::MetricId::kLeakRate);
    if (run.control || rate == run.metrics.end() || !rate->second.all.value || *rate->second.all.value <= most)
      continue;
    most = *rate->second.all.value;
    worst = &run;
  }
  return worst;
}

int report(Context& context, const Options& options) {
  const auto store = open_store(context, true);
  query::ReportOptions wanted;
  wanted.dataset = options.dataset.empty() ? only_dataset(store->db()) : options.dataset;
  wanted.protocols = options.protocol.empty() && is_attack_table(options.table) ? "all" : options.protocol;
  if (!options.judge.empty()) wanted.judge = options.judge;
  if (options.seeds != 0) wanted.seeds = options.seeds;
  if (options.missing == "drop") wanted.missing = query::MissingPolicy::kDrop;
  const auto reports = query::load_reports(*store, wanted);
  print(context, reports, options);
  context.out.flush();
  if (is_attack_table(options.table)) {
    warn_together(context, reports);
    return 0;
  }
  for (const query::Report& one : reports) warn(context, one);
  if (const query::ReportRun* run = worst(reports.front())) {
    context.out.flush();
    context.out.note(fmt::format("next: residue leaks {}/{}", wanted.dataset, run->run));
  }
  return 0;
}

Run setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("DATASET", options->dataset, "the dataset; not needed if there is one only");
  add_protocol(app, options->protocol, "attackers (comma list), or all; default: the last evaluated");
  app.add_option("--judge", options->judge, "judge; default: the last one");
  app.add_option("--seeds", options->seeds, "mean over this many seeds")->check(CLI::Range(1, 1000));
  app.add_option(
      "--table", options->table,
      "a paper's table: privacy-utility, distribution, linkage, linkers, aux-size, paraphrased-aux; or metrics-long");
  app.add_option("--missing", options->missing, "failed and missing records: leaked (default) or drop")
      ->check(CLI::IsMember({"leaked", "drop"}));
  return [options](Context& context) { return report(context, *options); };
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .group = Group::kLook,
          .summary = "what each run leaves behind, as a table",
          .usage = "[DATASET]",
          .details =
              "Every number has its 95 % interval below it. Failed and missing records count as leaked, unless "
              "--missing drop is given. Controls: the original (none) and nothing at all (remove-all); below, the same "
              "runs when the attacker knows the right record (oracle), and when the record is drawn (random).",
          .examples = {{"residue report clinic", "the runs of clinic under the protocol evaluated last"},
                       {"residue report clinic --protocol bm25/first:3 --json", "another attacker, as one object"},
                       {"residue report clinic --csv > clinic.csv", "one row per run, metric and split"},
                       {"residue report clinic --table privacy-utility --format latex", "for a paper"}},
          .setup = setup};
}

}  // namespace residue::cli
