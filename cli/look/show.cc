// show: one dataset, run, record or claim, with its texts and why each claim was rated as it was.
#include "verbs/look/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/report/report_cells.h"
#include "cli/report/show_print.h"
#include "cli/runs/run_flags.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

constexpr std::size_t kDefaultWidth = 100;

Json json_of(const query::RunCard& run, const verbs::RunFacts* facts) {
  Json json = {{"run", run.run},  {"kind", run.kind}, {"sanitizer", nullptr},    {"params", Json::parse(run.params)},
               {"seed", nullptr}, {"group", nullptr}, {"records", run.variants}, {"failed", run.failed}};
  if (run.sanitizer) json["sanitizer"] = *run.sanitizer;
  if (run.seed) json["seed"] = *run.seed;
  if (run.group) json["group"] = *run.group;
  json["asked"] = {{"requests", run.requests},
                   {"tokens_in", run.tokens_in},
                   {"tokens_out", run.tokens_out},
                   {"cost_usd", run.cost_usd},
                   {"uncounted_usd", run.uncounted_usd}};
  json["errors"] = Json::array();
  for (const auto& [error, count] : run.errors) json["errors"].push_back({{"error", error}, {"records", count}});
  if (facts == nullptr) return json;
  json["tags"] = facts->tags;
  json["note"] = facts->note;
  json["created_at"] = utc(facts->created_at);
  json["made"] = nullptr;
  if (facts->made) {
    json["made"] = {{"version", facts->made->version}, {"changed_at", utc(facts->made->changed_at)}};
    json["made"]["seconds"] = facts->made->ms ? Json(static_cast<double>(*facts->made->ms) / 1000) : Json(nullptr);
  }
  return json;
}

const verbs::RunFacts* facts_of(const std::vector<verbs::RunFacts>& runs, const std::string& run) {
  const auto found = std::ranges::find(runs, run, &verbs::RunFacts::run);
  return found == runs.end() ? nullptr : &*found;
}

// Who made the run, when and how long it took, and what its owner says of it.
std::string made_lines(const verbs::RunFacts& facts) {
  std::string text = fmt::format("made {}", utc(facts.created_at));
  if (!facts.made) {
    text += facts.control ? "" : "; which residue did is not noted";
  } else {
    if (facts.made->changed_at - facts.created_at > 60'000)
      text += fmt::format(", changed {}", utc(facts.made->changed_at));
    text += fmt::format(" by residue {}", facts.made->version);
    if (facts.made->ms) {
      text += fmt::format(", which took {}", duration_text(static_cast<double>(*facts.made->ms) / 1000));
    } else {
      text += ", from files";
    }
  }
  text += '\n';
  if (!facts.tags.empty()) text += fmt::format("tags {}\n", fmt::join(facts.tags, ", "));
  if (facts.note) text += fmt::format("note {}\n", one_line(*facts.note));
  return text;
}

// The runs of a dataset as a table; columns that say nothing of any run are left out.
Table runs_table(const verbs::ShownDataset& dataset, const Arrangement& arrangement) {
  Table runs;
  runs.columns = {{"run", Type::kText, "", true}, {"kind", Type::kText, ""},       {"sanitizer", Type::kText, ""},
                  {"group", Type::kText, ""},     {"records", Type::kInteger, ""}, {"failed", Type::kInteger, ""}};
  for (const auto& run : dataset.card.runs) {
    runs.rows.push_back(
        {Cell(run.run), Cell(run.kind), cell(run.sanitizer), cell(run.group), Cell(run.variants), Cell(run.failed)});
  }
  Arrangement named = arrangement;
  if (arrangement.columns.empty()) {  // the fields that tell runs apart, where there are any
    const auto tagged = [](const verbs::RunFacts& run) { return !run.tags.empty(); };
    if (std::ranges::any_of(dataset.runs, tagged)) named.columns.emplace_back("tag");
    for (const std::string& param : verbs::differing_params(dataset.runs)) named.columns.push_back("param." + param);
  }
  verbs::RunNumbers numbers = dataset.report ? verbs::RunNumbers(*dataset.report) : verbs::RunNumbers(query::Report());
  return with_run_fields(std::move(runs), named, dataset.runs,
                         [&](const verbs::RunFacts& run) { return numbers.of(run); });
}

void show_dataset(const ShowView& view, const verbs::ShownDataset& dataset, const Arrangement& arrangement) {
  const query::DatasetCard& card = dataset.card;
  const query::PrivacyCard& privacy = dataset.privacy;
  if (view.json()) {
    Json json = {{"dataset", card.dataset}, {"records", card.records}, {"persons", card.persons}};
    json["control_of"] = card.control_of ? Json(*card.control_of) : Json(nullptr);
    json["control"] = card.control ? Json(*card.control) : Json(nullptr);
    json["claim_sets"] = Json::array();
    for (const auto& set : card.claim_sets) {
      json["claim_sets"].push_back({{"name", set.name},
                                    {"source", set.source},
                                    {"origin", set.origin},
                                    {"claims", set.claims},
                                    {"records", set.records}});
    }
    json["runs"] = Json::array();
    for (const auto& run : card.runs) json["runs"].push_back(json_of(run, facts_of(dataset.runs, run.run)));
    if (dataset.chosen.any_condition()) json["where"] = chosen_json(dataset.chosen);
    json["privacy"] = privacy_json(privacy);
    view.context.out.json(json);
    return;
  }
  view.write(fmt::format("dataset {}: {} records{}\n", card.dataset, card.records,
                         card.persons > 0 ? fmt::format(" of {} persons", card.persons) : ""));
  if (card.control_of) view.write(fmt::format("a control of {}: its people were never in it\n", *card.control_of));
  if (card.control) view.write(fmt::format("its control from outside: {}\n", *card.control));
  view.write("\n");
  Table sets;
  sets.columns = {{"claim_set", Type::kText, "claim set"},
                  {"source", Type::kText, ""},
                  {"claims", Type::kInteger, ""},
                  {"records", Type::kInteger, ""}};
  for (const auto& set : card.claim_sets) {
    const std::string source = set.origin == "outside" ? set.source + ", from outside" : set.source;
    sets.rows.push_back({Cell(set.name), Cell(source), Cell(set.claims), Cell(set.records)});
  }
  if (!sets.rows.empty()) view.write(render_table(sets, view.context.out.look()) + "\n");
  view.write(render_table(arranged(runs_table(dataset, arrangement), arrangement), view.context.out.look()));
  show_privacy(view, privacy);
}

void show_run(const ShowView& view, const verbs::ShownRun& run) {
  const query::RunCard& card = run.card;
  const std::optional<query::Report>& report = run.report;
  const query::ReportRun* numbers = run.numbers();
  if (view.json()) {
    Json json = json_of(card, &run.facts);
    json["dataset"] = run.dataset;
    json["protocol"] = report ? Json(report->protocol) : Json(nullptr);
    json["judge"] = report ? Json(report->judge) : Json(nullptr);
    if (report && report->sample != 0) json["sample"] = report->sample;
    json["metrics"] = nullptr;
    if (numbers != nullptr) {
      json["metrics"] = Json::object();
      for (const auto& [id, metric] : numbers->metrics) {
        const std::string name(query::definition(id).name);
        json["metrics"][name] = metric.all.value;
        if (!metric.bins.empty()) json["metrics"][name] = bin_counts(metric);
      }
    }
    view.context.out.json(json);
    return;
  }
  view.write(fmt::format("run {}/{}: {}, {} records, {} failed\n", run.dataset, card.run, card.kind, card.variants,
                         card.failed));
  if (card.sanitizer) view.write(fmt::format("sanitizer {}\n  {}\n", one_line(*card.sanitizer), one_line(card.params)));
  if (card.seed) view.write(fmt::format("seed {}\n", *card.seed));
  if (card.group) view.write(fmt::format("group {}\n", one_line(*card.group)));
  view.write(made_lines(run.facts));
  if (card.requests > 0) {
    view.write(fmt::format("asked {} times: {} + {} tokens, {}{:.4f} USD\n", grouped(card.requests),
                           grouped(card.tokens_in), grouped(card.tokens_out), card.uncounted_usd > 0 ? "at most " : "",
                           card.cost_usd));
  }
  for (const auto& [error, count] : card.errors) view.write(fmt::format("  {} failed: {}\n", count, one_line(error)));
  if (numbers == nullptr) {
    view.write("\nnot evaluated yet\n");
    return;
  }
  view.write(fmt::format("\nunder {}{}\n\n", view.attacker(), numbers->stale ? ", STALE" : ""));
  Table table;
  table.columns = {{"metric", Type::kText, ""},    {"value", Type::kReal, ""}, {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},      {"n", Type::kInteger, ""},  {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""}};
  for (const auto& definition : query::metric_definitions()) {
    const auto found = numbers->metrics.find(definition.id);
    if (found == numbers->metrics.end() || !found->second.bins.empty()) continue;
    const query::MetricValue& value = found->second.all;
    table.rows.push_back({Cell(std::string(definition.name) + (found->second.stale ? " *" : "")), cell(value.value),
                          cell(value.low), cell(value.high), count_cell(value.n), count_cell(value.failed),
                          count_cell(value.missing)});
  }
  view.write(render_table(table, view.context.out.look()));
}

int show(Context& context, const verbs::ShowOptions& options, const Arrangement& arrangement) {
  if (arrangement.any() && context.out.wants_json()) {
    throw Error(Code::kUsage, "--sort, --group and --columns are for people: json has everything", "leave out --json");
  }
  context.out.refuse_tables("show", "use --format json; residue sql, leaks and report print tables");
  const auto store = open_store(context, true);
  const verbs::ShowResult result = verbs::show(*store, options);
  const std::size_t look = context.out.look().width;
  const ShowView view{context, look == 0 ? kDefaultWidth : look, result.lens};
  if (const auto* dataset = std::get_if<verbs::ShownDataset>(&result.shown)) {
    show_dataset(view, *dataset, arrangement);
    context.out.flush();
    note_chosen(context, dataset->chosen);
    context.out.next("residue show {0}/RUN, residue show {0}/RECORD", dataset->card.dataset);
  } else if (const auto* run = std::get_if<verbs::ShownRun>(&result.shown)) {
    show_run(view, *run);
  } else if (const auto* record = std::get_if<verbs::ShownRecord>(&result.shown)) {
    show_record(view, *record);
  } else if (const auto* attack = std::get_if<verbs::ShownAttack>(&result.shown)) {
    show_attack(view, *attack);
  } else {
    show_claim(view, std::get<verbs::ShownClaim>(result.shown));
  }
  return 0;
}

Run setup(Syntax& syntax) {
  struct Flags {
    verbs::ShowOptions show;
    std::string lens;  // --protocol or --judge where one is given, not from config.toml
    std::string judge;
    RunFlags runs;
  };
  auto flags = std::make_shared<Flags>();
  verbs::ShowOptions* const options = &flags->show;
  syntax.add("REF", options->reference, "DATASET, DATASET/RUN, DATASET/RECORD or DATASET/RECORD#N").required();
  syntax.add("--run", options->run, "the record as this run left it, and every claim with its rating and why");
  syntax.flag("--record", options->record, "the name after the dataset is a record, even if a run has it");
  add_protocol(syntax, options->protocol, "attacker; default: the last evaluated")
      .configured("protocol")
      .notes_its_name(flags->lens);
  syntax.add("--judge", flags->judge, "judge; default: the last one").configured("judge").notes_its_name(flags->lens);
  syntax.add("--delta", options->delta, "of a dataset: what its private releases cost at this delta");
  flags->runs.add_to(syntax);
  return [flags](Context& context) {
    verbs::ShowOptions wanted = flags->show;
    wanted.where = flags->runs.where;
    wanted.numbers = flags->runs.arrangement.any();
    wanted.lens_asked = !flags->lens.empty();
    if (!flags->judge.empty()) wanted.judge = flags->judge;
    return with_condition(context, [&] { return show(context, wanted, flags->runs.arrangement); });
  };
}

}  // namespace

Command show_command() {
  return {
      .name = "show",
      .group = Group::kLook,
      .summary = "one dataset, run, record or claim, with its texts",
      .usage = "REF",
      .details =
          "REF is DATASET, DATASET/RUN, DATASET/RECORD or DATASET/RECORD#N (a claim). A name that is both a run and a "
          "record means the run; --record makes it the record. Shows original texts.\n"
          "A dataset also shows what its releases with differential privacy have spent for each person "
          "(docs/privacy-budgets.md).",
      .examples = {{"residue show clinic", "counts, claim sets, runs, what private releases have spent"},
                   {"residue show clinic --where 'tag = nightly' --columns run,param.p,leak_rate --sort leak_rate",
                    "some of its runs, with settings and numbers"},
                   {"residue show clinic/scrub", "a run: how it was made, what failed, its numbers"},
                   {"residue show clinic/r-12 --run scrub", "original, sanitized and linked text, every claim and why"},
                   {"residue show clinic/r-12#3", "one claim over all runs"}},
      .paged = true,
      .setup = setup};
}

}  // namespace residue::cli
