// The tables behind the views judgments, leaks and scores (views.sql): they read what belongs to a record together, and
// go from record to record in order, where joins would find each row of each table anew.
//
//   link, record, variant, auxiliary_query, scored, claim, judgment ──> judged_claims(run, protocol, judge [, 1])
//   scored, record, metric_definition, cut ──> record_scores(evaluation, dataset, tier, definitions)
#pragma once

struct sqlite3;

namespace residue::query {

// Makes both known to a connection whose main database is a catalog. Their rows are of the transaction of the statement
// that asks. They return SQLite's code.
//
// judged_claims(run, protocol, judge [, leaks]), ids: record, n, rating, known, outcome, counts, category, claim_text
// and linked_text as the view judgments says; with `leaks` 1 only what the attacker learned. In order of record ids and
// n.
int attach_judged_claims(sqlite3* db);

// record_scores(evaluation, dataset, tier, definitions), ids and the evaluation's own words: record, metric, state,
// outcome, value, weight and slice as the view scores says. In order of record ids.
int attach_record_scores(sqlite3* db);

}  // namespace residue::query
