// The records of which an attacker learns most.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"

namespace residue::page {
namespace {

void worst_rows(Html& html, const verbs::ReleasedRun& run) {
  const bool keys = !run.worst.front().key.empty(), texts = !run.worst.front().claim.empty();
  std::vector<std::string> columns = {keys ? "record" : "place", "the worst is", "who was found"};
  if (texts) columns.insert(columns.end(), {"a claim that leaked", "the text that says so"});
  const std::size_t words = columns.size();
  columns.emplace_back("leaked claims");
  open_table(html, fmt::format("{}: the worst records first", run.card.run), columns, words);
  std::size_t place = 0;
  for (const verbs::ExposedRecord& record : run.worst) {
    html.open("tr");
    ++place;
    html.element("th", keys ? record.key : std::to_string(place), {{"scope", "row"}});
    html.element("td", record.in_full ? "said in full" : "said alike");
    html.element("td", record.right ? "the person's own text" : "another text");
    if (texts) {
      html.element("td", record.claim);
      html.element("td", record.text);
    }
    html.element("td", count(static_cast<double>(record.leaks)), {{"class", "number"}});
    html.close("tr");
  }
  close_table(html);
  if (!keys) html.element("p", "Without --with-keys the page names no record.");
}

}  // namespace

void write_worst(Html& html, const verbs::Release& release) {
  const query::Report& report = release.report();
  open_section(html, "worst", "The records of which most is learned");
  if (report.spec.runs().size() > 1) {
    html.element("p", "The attacker holds several releases: no single text shows what he learns. A page about one "
                      "release has its worst records (--protocol).");
    html.close("section");
    return;
  }
  sample_note(html, report);
  if (report.seeds > 1) {
    html.element("p", fmt::format("Under the first of {} seeds alone: under another one the attacker knows other "
                                  "claims, and other records are the worst.",
                                  report.seeds),
                 {{"class", "warning"}});
  }
  for (const query::ReportRun& of : report.runs) {
    if (of.control) continue;
    const verbs::ReleasedRun& run = release.runs[static_cast<std::size_t>(&of - report.runs.data())];
    if (!of.evaluated || of.stale) {
      html.element("h3", run.card.run);
      html.element("p", fmt::format("Not looked for: it was not evaluated, {}.", kOld), {{"class", "warning"}});
      continue;
    }
    html.element("h3", fmt::format("{}: {} leaked claims of {} records", run.card.run,
                                   count(static_cast<double>(run.leaks)), count(static_cast<double>(run.exposed))));
    if (!run.worst.empty()) worst_rows(html, run);
    if (run.failed > 0) {
      html.element("p",
                   fmt::format("{} texts failed or are missing: none of these records is listed here. The numbers {}.",
                               count(static_cast<double>(run.failed)),
                               report.missing == query::MissingPolicy::kDrop ? "leave them out as well"
                                                                             : "count them as leaked"),
                   {{"class", "warning"}});
    }
  }
  html.close("section");
}

}  // namespace residue::page
