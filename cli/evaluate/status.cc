// status: what is current, stale, incomplete, running.
#include "query/report/status.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "query/inputs/protocol.h"
#include "query/report/left_behind.h"

namespace residue::cli {
namespace {

std::string state_of(const query::RunStatus& run, const query::RunStatus::Evaluation& evaluation) {
  if (run.running) return "running";
  return evaluation.current ? "current" : "stale";
}

// Brings this evaluation up to date, and others of its judge and sample with it.
std::string next_flags(const query::RunStatus::Evaluation& evaluation) {
  static const std::string by_default = fmt::format("{}@42/", query::kDefaultProtocol);
  std::string flags;
  if (evaluation.protocol.empty()) return flags;
  if (!evaluation.protocol.starts_with(by_default)) flags += " --protocol all";
  if (evaluation.judge != "lexical") flags += " --judge " + evaluation.judge;
  if (evaluation.sample > 0) flags += fmt::format(" --sample {}", evaluation.sample);
  return flags;
}

std::string next_command(const query::RunStatus& run, const query::RunStatus::Evaluation& evaluation) {
  return "residue eval " + run.dataset + next_flags(evaluation);
}

std::vector<std::string> old_metrics(const query::RunStatus::Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const query::OldMetric& one : evaluation.old) names.emplace_back(query::definition(one.metric).name);
  return names;
}

// What only `eval --metrics` brings up to date.
void note_old(const Context& context, const query::Status& status) {
  std::set<std::string> said;
  for (const query::RunStatus& run : status.runs) {
    for (const auto& evaluation : run.evaluations) {
      if (evaluation.old.empty() || evaluation.superseded) continue;
      const auto commands = query::commands_for(run.dataset, next_flags(evaluation), evaluation.old);
      said.insert(fmt::format("stale: {} of {}/{}; {}", fmt::join(old_metrics(evaluation), ", "), run.dataset, run.run,
                              fmt::join(commands, "; then ")));
    }
  }
  for (const std::string& note : said) context.out.note(note);
}

int status(Context& context, const std::string& dataset) {
  const auto store = open_store(context);
  const query::Status status = [&] {
    Progress progress(context.globals, "looking at runs");
    return query::read_status(*store, dataset.empty() ? std::nullopt : std::optional(dataset), progress.callback());
  }();
  std::set<std::string> next;
  Table table;
  table.columns = {{"dataset", Type::kText, "", true}, {"run", Type::kText, "", true},
                   {"state", Type::kText, ""},         {"protocol", Type::kText, "", true},
                   {"judge", Type::kText, "", true},   {"sample", Type::kInteger, "", true},
                   {"variants", Type::kInteger, ""},   {"failed", Type::kInteger, ""}};
  for (const query::RunStatus& run : status.runs) {
    const auto add = [&](const std::string& state, const query::RunStatus::Evaluation& evaluation) {
      if (state != "current" && !evaluation.superseded) next.insert(next_command(run, evaluation));
      const Cell sample = evaluation.sample == 0 ? Cell() : cell(evaluation.sample);
      const Cell variants = run.control ? Cell() : cell(run.variants);
      const Cell failed = run.control ? Cell() : cell(run.failed);
      table.rows.push_back(
          {run.dataset, run.run, state, evaluation.protocol, evaluation.judge, sample, variants, failed});
    };
    for (const auto& evaluation : run.evaluations) add(state_of(run, evaluation), evaluation);
    if (run.evaluations.empty()) add(run.running ? "running" : "not evaluated", {});
  }
  if (context.out.wants_json()) {
    Json json = {{"runs", Json::array()}, {"incomplete", Json::array()}, {"outdated", status.outdated}};
    for (const query::RunStatus& run : status.runs) {
      Json row = {{"dataset", run.dataset},      {"run", run.run},       {"control", run.control},
                  {"variants", run.variants},    {"failed", run.failed}, {"running", run.running},
                  {"evaluations", Json::array()}};
      for (const auto& evaluation : run.evaluations) {
        row["evaluations"].push_back({{"protocol", evaluation.protocol},
                                      {"judge", evaluation.judge},
                                      {"sample", evaluation.sample},
                                      {"state", state_of(run, evaluation)},
                                      {"old_metrics", old_metrics(evaluation)}});
      }
      json["runs"].push_back(std::move(row));
    }
    json["controls"] = Json::array();
    for (const auto& one : status.controls) {
      json["controls"].push_back({{"dataset", one.dataset}, {"control_of", one.of}});
    }
    for (const auto& input : status.incomplete) {
      json["incomplete"].push_back({{"target", input.target}, {"lines", input.lines}});
    }
    context.out.json(json);
    return 0;
  }
  context.out.table(table);
  for (const auto& one : status.controls) {
    context.out.note(fmt::format("{} is a control of {}: its people were never in it", one.dataset, one.of));
  }
  for (const auto& input : status.incomplete) {
    context.out.note(fmt::format("incomplete: {} was read to line {} only; repeat its ingest command", input.target,
                                 grouped(input.lines)));
  }
  for (const std::string& note : status.outdated) context.out.note("outdated: " + note);
  note_old(context, status);
  if (status.runs.empty()) {
    context.out.note("the store is empty; next: residue ingest dataset NAME FILE");
  }
  for (const std::string& command : next) {
    if (next.count(command + " --protocol all") == 0) context.out.next("{}", command);
  }
  return 0;
}

}  // namespace

Command status_command() {
  return {
      .name = "status",
      .group = Group::kEvaluate,
      .summary = "what is current, stale, incomplete or running",
      .usage = "[DATASET]",
      .details =
          "One line per run and protocol.\n"
          "  stale       the run, the records or the claims have changed since; residue eval computes the difference\n"
          "  incomplete  an input was not read to its end\n"
          "  outdated    claims or a run that were made here, from records that have changed since",
      .examples = {{"residue status", "the whole store"},
                   {"residue status clinic --json", "one dataset, for a program"}},
      .paged = true,
      .setup = [](Syntax& syntax) -> Run {
        auto dataset = std::make_shared<std::string>();
        syntax.add("DATASET", *dataset, "only this dataset");
        return [dataset](Context& context) { return status(context, *dataset); };
      }};
}

}  // namespace residue::cli
