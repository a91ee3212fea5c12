#include "page/release/release_page.h"

#include <fmt/format.h>

#include <string_view>

#include "base/embedded.h"
#include "page/html/document.h"
#include "page/html/modules.h"
#include "page/release/page_request.h"
#include "page/release/parts.h"
#include "page/release/words.h"

RESIDUE_EMBEDDED(d3)
RESIDUE_EMBEDDED(style)

namespace residue::page {
namespace {

void write_head(Html& html, const verbs::Release& release) {
  html.open("header");
  html.element("h1", fmt::format("What is left of {} after sanitizing", release.report().dataset));
  html.element(
      "p",
      "Decision support, not a determination: a person decides, about this release, to these recipients, under "
      "these conditions.",
      {{"class", "tone"}});
  html.open("nav", {{"aria-label", "Parts of this page"}});
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"#identity", "What this is about"},
                                                                      {"#not-tested", "Not tested"},
                                                                      {"#coverage", "Coverage"},
                                                                      {"#gates", "Gates"},
                                                                      {"#criteria", "Criteria"},
                                                                      {"#trade", "Usefulness"},
                                                                      {"#distances", "Distances"},
                                                                      {"#categories", "Categories"},
                                                                      {"#attackers", "Attackers"},
                                                                      {"#intruder", "Intruder test"},
                                                                      {"#worst", "Worst records"},
                                                                      {"#judge", "Judge"},
                                                                      {"#proof", "Proof"},
                                                                      {"#commands", "Commands"},
                                                                      {"#verdict", "Verdict"}};
  for (const auto& [where, name] : kParts) html.element("a", name, {{"href", where}});
  html.close("nav");
  html.close("header");
}

void write_verdict(Html& html) {
  open_section(html, "verdict", "Verdict, by a person");
  for (const char* const line : {"Release, release under conditions, or refuse:", "Conditions:",
                                 "What makes us look again:", "Name, date, signature:"}) {
    html.open("p", {{"class", "blank"}});
    html.text(line);
    html.close("p");
  }
  html.close("section");
}

}  // namespace

std::string release_page(const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                         const PageOptions& options) {
  Document page;
  page.title = fmt::format("{}: what is left after sanitizing", release.report().dataset);
  page.style = embedded_style();
  Html& html = page.body;
  write_head(html, release);
  html.open("main");
  write_identity(html, release, options);
  write_not_tested(html, release);
  write_coverage(html, release);
  write_gates(html, release, wanted.gates.min_coverage);
  write_criteria(html, release, options);
  write_trade(html, release);
  write_distances(html, release);
  write_categories(html, release);
  write_attackers(html, release);
  write_intruder(html, release);
  write_worst(html, release);
  write_judge(html, release);
  write_proof(html, release);
  write_commands(html, release, wanted, options);
  write_verdict(html);
  html.close("main");
  page.data = page_data(release, request_of(release, wanted, options));
  page.scripts = {std::string(embedded_d3()), joined(web_modules(), "release.js")};
  return document_text(page);
}

}  // namespace residue::page
