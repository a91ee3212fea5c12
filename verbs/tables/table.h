// `report --table`: the numbers of one of the papers' tables, or of ours.
//
//   name ── reports that the table is of ──> run_figures | attack_figures (pure)
//        └─ or what it is of alone: agreement, right answers, noise ... ──> LoneNumbers
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "query/corpus/copies.h"
#include "query/study/abstention.h"
#include "query/study/corrected_rates.h"
#include "query/study/noise.h"
#include "query/study/open_claims.h"
#include "query/study/span_confusion.h"
#include "query/study/task_accuracy.h"
#include "verbs/report.h"
#include "verbs/tables/agreement.h"
#include "verbs/tables/criteria.h"
#include "verbs/tables/table_names.h"

namespace residue::verbs {

struct TableOptions {
  std::string table;               // a name (table_names.h)
  query::ReportOptions what;       // `dataset` empty: the only one, of agreement all; attack tables: no attacker is all
  bool less_precise_half = false;  // as ReportOptions has it
  bool published = false;          // the papers' figures are wanted, too
  double absent_share = 0.5;       // open-world: of the targets, in thousandths
  std::string where = {};          // as ReportOptions has it
  Gates gates;
};

// Of tables that are of no report, by name: agreement, task, corrected, noise, abstention, open-world, copies, spans.
using LoneNumbers = std::variant<std::monostate, std::vector<AgreementFigures>, std::vector<query::TaskAccuracy>,
                                 query::CorrectedRates, query::Noise, query::Abstention, std::vector<query::OpenClaims>,
                                 std::vector<query::RunCopies>, std::vector<query::RunSpans>>;

struct TableResult {
  TableKind kind = TableKind::kLone;
  query::ReportOptions what;            // as it was understood
  ReportResult report;                  // of all kinds but kLone: what run_figures() and attack_figures() are made of
  LoneNumbers lone = {};                // of kind kLone
  std::vector<Criteria> criteria = {};  // of the table criteria: by report
  double absent_share = 0.5;            // of the table open-world
};

// What table() refuses whatever the store holds; `table` empty is a report without a table. Throws Error{usage}.
void check(const TableOptions& options);

// Holds the texts while it reads lone numbers. Throws as check(), find_table(), report(), and what the functions of
// query/study throw; Error{not found} where the table would be empty.
TableResult table(storage::Store& store, const TableOptions& options);

}  // namespace residue::verbs
