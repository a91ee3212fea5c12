// What was released, by whom it is read, and how to make the page again.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/child.h"
#include "base/json.h"
#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"
#include "query/inputs/repeats.h"
#include "query/inputs/uncovered.h"

namespace residue::page {
namespace {

// "rate=0.3, seed 42"
std::string params_of(const query::RunCard& card) {
  std::string out;
  for (const auto& [name, value] : shown_params(card).items()) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", name, value.string());
  }
  if (card.seed) out += fmt::format("{}seed {}", out.empty() ? "" : ", ", *card.seed);
  return out;
}

// Those of `report --html`, as a shell takes them.
std::string flags_of(const verbs::ReleaseOptions& wanted, const PageOptions& options) {
  std::string out;
  if (wanted.what.missing == query::MissingPolicy::kDrop) out += " --missing drop";
  if (wanted.what.model) out += " --model " + shell_word(*wanted.what.model);
  if (wanted.less_precise_half) out += " --less-precise 0.5";
  for (const query::Gate& gate : wanted.gates.gates) out += " --fail-if " + shell_word(gate.text);
  const query::MinCoverage& least = wanted.gates.min_coverage;
  if (least.all != query::MinCoverage().all) out += fmt::format(" --min-coverage {}", least.all);
  for (const auto& [metric, share] : least.metrics) {
    out += fmt::format(" --min-coverage {}={}", query::definition(metric).name, share);
  }
  out += " --html FILE";
  if (options.context.given()) out += " --context FILE";
  if (wanted.keys) out += " --with-keys";
  if (wanted.texts) out += " --with-text";
  if (!wanted.proof) out += " --no-proof";
  return out;
}

}  // namespace

void write_identity(Html& html, const verbs::Release& release, const PageOptions& options) {
  const query::Report& report = release.report();
  open_section(html, "identity", "What this is about");
  open_facts(html, "Dataset, attacker and judge");
  fact(html, "dataset", report.dataset);
  fact(html, "records, persons",
      fmt::format("{} records{}", count(static_cast<double>(release.dataset.records)),
                  release.dataset.persons > 0
                      ? fmt::format(" of {} persons", count(static_cast<double>(release.dataset.persons)))
                      : std::string(", nobody said whose they are")));
  fact(html, "digest of its texts", release.content);
  fact(html, "attacker",
      fmt::format("{}{}{}", report.protocol, report.seeds > 1 ? fmt::format(", mean of {} seeds", report.seeds) : "",
                  report.sample != 0 ? fmt::format(", SAMPLE of {} records", report.sample) : ""));
  fact(html, "judge", fmt::format("{} ({})", report.judge, report.judge_version));
  fact(html, "failed and missing records",
      report.missing == query::MissingPolicy::kDrop ? "left out of every number" : "counted as leaked");
  fact(html, "made", fmt::format("{} by {}", day(options.made_ms), options.version));
  close_facts(html);
  open_table(html, "The runs", {"run", "sanitizer", "settings", "brought in", "digest of its texts", "texts", "failed"},
             5);
  for (const verbs::ReleasedRun& run : release.runs) {
    html.open("tr");
    html.element("th", run.card.run, {{"scope", "row"}});
    html.element("td", run.card.kind == "aligned" || run.card.kind == "synthetic"
                           ? run.card.sanitizer.value_or("not said")
                           : "control");
    html.element("td", params_of(run.card), {{"class", "settings"}});
    // Nothing is younger than the page: SOURCE_DATE_EPOCH sets the dates of what came later as well.
    html.element("td", day(std::min(run.created_ms, options.made_ms)), {{"class", "number"}});
    // A control has no texts of its own.
    const bool own = run.content.find_first_not_of('0') != std::string::npos;
    html.element("td", own ? run.content.substr(0, 16) : "–", {{"title", run.content}, {"class", "digest"}});
    html.element("td", count(static_cast<double>(run.card.variants)), {{"class", "number"}});
    html.element("td", count(static_cast<double>(run.card.failed)), {{"class", "number"}});
    html.close("tr");
  }
  close_table(html);
  for (const std::string& doubt : report.doubts) html.element("p", "Warning: " + doubt, {{"class", "warning"}});
  for (const std::string& note :
       {query::uncovered_note(report.uncovered, report.spec), query::repeats_note(report.repeats)}) {
    if (!note.empty()) html.element("p", note, {{"class", "warning"}});
  }
  sample_note(html, report);
  for (const query::ReportRun& run : report.runs) {
    if (run.stale) {
      html.element("p", fmt::format("{} {}: all its numbers on this page are old.", run.run, kOld),
                   {{"class", "warning"}});
    }
  }
  if (!options.context.fields.empty()) {
    html.element("h3", "Context, as people gave it");
    open_facts(html, "What no program knows");
    for (const auto& [name, words] : options.context.fields) fact(html, name, words);
    close_facts(html);
  }
  html.close("section");
}

void write_commands(Html& html, const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                    const PageOptions& options) {
  const query::Report& report = release.report();
  open_section(html, "commands", "To make it again");
  html.element("p",
               fmt::format("With the same texts, these commands give the same numbers, bit for bit.{}",
                           options.context.given() ? " --context: a file with the context that stands above." : ""));
  html.open("pre", {{"tabindex", "0"}, {"role", "group"}, {"aria-label", "commands"}});
  for (const verbs::ReleasedRun& run : release.runs) {
    if (!run.card.sanitizer || run.card.kind != "aligned") continue;
    html.text(fmt::format("# {}: {} {}\n", run.card.run, *run.card.sanitizer, params_of(run.card)));
  }
  const std::string attack =
      fmt::format("{} --protocol {} --judge {} --seeds {}", shell_word(report.dataset), shell_word(report.spec.name()),
                  shell_word(report.judge), report.seeds);
  const std::string sample = report.sample != 0 ? fmt::format(" --sample {}", report.sample) : "";
  html.text("residue eval " + attack + sample + "\n");
  html.text("residue report " + attack + flags_of(wanted, options) + "\n");
  html.close("pre");
  html.close("section");
}

}  // namespace residue::page
