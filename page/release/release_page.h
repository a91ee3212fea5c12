// The page that somebody decides on: one HTML file, whole without scripts, which add charts and check the arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "page/html/html.h"
#include "verbs/release/release.h"

namespace residue::page {

// What people typed about a release: what no program can know.
struct ReleaseContext {
  std::vector<std::pair<std::string, std::string>> fields;  // "recipient" and the like, in order
  std::optional<double> threshold;                          // for mean_risk and max_risk
  std::string threshold_source;                             // who says so

  [[nodiscard]] bool given() const { return !fields.empty(); }
};

struct PageOptions {
  std::string version;  // of the program
  std::int64_t made_ms = 0;
  ReleaseContext context;
};

// `wanted`: what the release was asked for. Deterministic: the same of all three, the same bytes. Cost: mostly the
// proof, some 20 kB for each run of 1,000 records.
std::string release_page(const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                         const PageOptions& options);

// The parts, in their order on the page.
void write_identity(Html& html, const verbs::Release& release, const PageOptions& options);
void write_not_tested(Html& html, const verbs::Release& release);
void write_gates(Html& html, const verbs::Release& release, const query::MinCoverage& least);
void write_coverage(Html& html, const verbs::Release& release);
void write_criteria(Html& html, const verbs::Release& release, const PageOptions& options);
void write_trade(Html& html, const verbs::Release& release);       // privacy against usefulness
void write_distances(Html& html, const verbs::Release& release);   // how near what the attacker learns is
void write_categories(Html& html, const verbs::Release& release);  // leaks by what claims are about
void write_attackers(Html& html, const verbs::Release& release);   // every attacker that was evaluated
void write_worst(Html& html, const verbs::Release& release);
void write_intruder(Html& html, const verbs::Release& release);  // people and the machine, who looked for somebody
void write_judge(Html& html, const verbs::Release& release);     // and how far people agree with it
void write_proof(Html& html, const verbs::Release& release);
void write_commands(Html& html, const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                    const PageOptions& options);

struct PageRequest;

// What the scripts draw and compute from, as JSON; the request (page_request.h); and, of a page that a bundle may hold,
// what else stands on it (page_facts.h).
std::string page_data(const verbs::Release& release, const PageRequest& request);

}  // namespace residue::page
