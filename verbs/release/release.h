// Everything that a page to decide on holds: what was released and how it was measured, what an attacker learns, what
// was not tested, which gates failed, what people found.
//
//   store ── report, criteria, gates, frontier, other attackers, worst records, proof, people ──> Release
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/compare/frontier.h"
#include "query/report/report.h"
#include "query/report/show.h"
#include "query/study/corrected_rates.h"
#include "verbs/gating.h"
#include "verbs/release/by_people.h"
#include "verbs/release/proof.h"
#include "verbs/report.h"
#include "verbs/tables/criteria.h"

namespace residue::verbs {

struct ReleaseOptions {
  query::ReportOptions what;  // one attacker; `dataset` empty: the only one of the store
  Gates gates;
  bool less_precise_half = false;  // as ReportOptions has it
  bool keys = false;               // ids of records
  bool texts = false;              // claims that leaked, and the texts that give them away
  bool proof = true;               // contributions of single records, without ids and texts
};

// A record of which an attacker learns most.
struct ExposedRecord {
  std::string key;          // empty: not asked for
  std::uint64_t leaks = 0;  // claims that the attacker did not know and learns
  bool in_full = false;     // one of them as it stands in the original
  bool right = false;       // the attacker found the person's own text
  std::string claim, text;  // one that leaked, and the text that says so; empty: not asked for
};

struct ReleasedRun {
  query::RunCard card;
  std::string content;  // digest of its texts, hexadecimal
  std::int64_t created_ms = 0;
  // Ten at most, worst first, under the first seed; none of controls, and none where the attacker holds several
  // releases: no single text shows what he learns.
  std::vector<ExposedRecord> worst;
  std::uint64_t leaks = 0;          // claims that leaked in all
  std::uint64_t exposed = 0;        // records with one
  std::uint64_t failed = 0;         // texts that failed or are missing: no leak of them is among these
  std::vector<ReleasedTest> tests;  // in which people looked for somebody in it
};

struct Release {
  ReportResult result;  // one report
  Criteria criteria;
  query::Frontier frontier;
  std::vector<query::Report> attacks;  // of every attacker that this judge rated, this one among them
  query::DatasetCard dataset;
  std::string content;                             // digest of the dataset's texts, hexadecimal
  std::vector<ReleasedRun> runs;                   // as in the report
  Proof proof;                                     // empty where it was not asked for
  std::optional<query::CorrectedRates> corrected;  // by people's labels; nothing: they are too few

  [[nodiscard]] const query::Report& report() const { return result.reports.front(); }
};

// Holds the texts while it reads. Throws as report(), Error{usage} where several attackers are asked for.
Release release(storage::Store& store, const ReleaseOptions& options);

}  // namespace residue::verbs
