#include "cli/study/print_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/json.h"
#include "cli/print/arrange.h"
#include "cli/print/formats.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/study/attack_tables.h"
#include "cli/study/paper_tables.h"
#include "cli/study/references.h"
#include "verbs/tables/attack_figures.h"
#include "verbs/tables/run_figures.h"
#include "verbs/tables/table_names.h"

namespace residue::cli {
namespace {

// What the columns of an attack table do not say.
std::string attack_heading(const std::vector<query::Report>& reports, const std::string& table) {
  const query::Report& first = reports.front();
  std::string text = fmt::format("{}  table {}\n", first.dataset, table);
  text += verbs::needs_judge(table) ? judge_lines(first) : std::string("no judge: what is linked needs none\n");
  text += first.missing == query::MissingPolicy::kDrop ? "failed and missing records are left out\n"
                                                       : "failed and missing records count as leaked\n";
  if (std::any_of(reports.begin(), reports.end(), [](const auto& report) { return report.seeds > 1; }))
    text += "@A..B: the mean over these seeds, sd: their standard deviation\n";
  return text + '\n';
}

std::vector<std::string> attackers(Context& context, const std::vector<query::Report>& reports, const std::string& name,
                                   bool reference) {
  const AttackRequest request{name, form_of(context.globals.format), context.out.wants_json(), reference};
  std::set<const query::PublishedRow*> published;
  const Shown shown = attack_table(reports, request, published);
  if (request.form == Form::kTerminal)
    context.out.write(fitted(attack_heading(reports, name), context.out.look().width));
  print_shown(context, shown);
  if (!reference) return {};
  if (published.empty()) {
    return {fmt::format("--reference: no row and column of {} is one of the papers' (docs/tables.md)", name)};
  }
  return reference_notes(published);
}

}  // namespace

Form form_of(Format format) {
  if (format == Format::kTable) return Form::kTerminal;
  return format == Format::kMarkdown || format == Format::kLatex ? Form::kDocument : Form::kFile;
}

void print_shown(Context& context, const Shown& shown) {
  if (shown.references.empty()) {
    context.out.table(shown.table);
    return;
  }
  const Arrangement& how = context.out.arrangement();
  const std::vector<std::size_t> order = row_order(shown.table, how);
  Json rows = Json::parse(to_json(arranged(shown.table, how))).value();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i]["reference"] = shown.references[order[i]];
  context.out.json(rows);
}

std::vector<std::string> print_table(Context& context, const std::vector<query::Report>& reports,
                                     const std::string& name, bool reference) {
  const verbs::TableKind kind = verbs::find_table(name).kind;
  if (kind == verbs::TableKind::kAttacks) return attackers(context, reports, name, reference);
  if (kind == verbs::TableKind::kLong) {
    context.out.table(long_table(reports));
    if (reference)
      return {fmt::format("--reference: the papers print no figures for the table {}; they do for {}", name,
                          tables_with_figures())};
    return {};
  }
  TableRequest request{name, form_of(context.globals.format), context.out.wants_json(), reference};
  if (request.form != Form::kTerminal) {
    const PaperTable table = paper_table(reports, request);
    for (const Section& section : table.sections) {
      if (&section != &table.sections.front()) context.out.write("\n");
      print_shown(context, section.shown);
    }
    return table.notes;
  }
  std::vector<std::string> notes;
  for (const query::Report& report : reports) {
    const std::size_t width = context.out.look().width;
    context.out.write(fitted(
        (&report == &reports.front() ? "" : "\n") + report_heading(report, verbs::shows_judgments(name)), width));
    PaperTable table = paper_table({report}, request);
    for (const Section& section : table.sections) {
      const bool first = &section == &table.sections.front();
      const std::string title = section.title.empty() ? "\n" : (first ? "" : "\n") + section.title + "\n\n";
      context.out.write(fitted(title, width));
      context.out.table(section.shown.table);
    }
    for (std::string& note : table.notes) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace residue::cli
