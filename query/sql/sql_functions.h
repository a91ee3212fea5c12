// What the table-valued functions of `residue sql` answer: bm25(run, query [, k]), link_terms(run, record [,
// protocol]).
//
//   before the rights are given up: runs that the statement names ──> open indexes
//   after:                          arguments ──> find_hits | explain_link ──> rows
//
// A confined statement can open no file and must write nothing. So only runs whose name stands in the statement, as
// 'DATASET/RUN', can be asked, and an index that is missing or outdated is an error, never built here.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/sql_shell.h"
#include "storage/store.h"

namespace residue::query {

// The functions of one statement. They work on the calling thread alone: another one would open the index again.
class SqlFunctions {
 public:
  static constexpr std::size_t kMaxArguments = 3;
  using Arguments = std::array<SqlValue, kMaxArguments>;  // NULL where not given
  using Rows = std::vector<std::vector<SqlValue>>;

  // Opens what `sql` may ask for: nothing if it names no function. `texts`: false refuses link_terms, whose terms are
  // words of claims, and so does a `level` below claims; texts of the control 'none' need originals. The caller holds
  // Store::hold_texts(); `store` outlives this. What cannot be opened is an error of the call that needs it. Cost:
  // open_run for each run named; it counts as time of the statement.
  SqlFunctions(storage::Store& store, std::string_view sql, bool texts, ReadLevel level);
  ~SqlFunctions();
  SqlFunctions(const SqlFunctions&) = delete;
  SqlFunctions& operator=(const SqlFunctions&) = delete;

  // Rows of (rank, record, score, tied, terms): `residue link`; terms as JSON, [{"term","score"}].
  Rows bm25(const Arguments& arguments);

  // Rows of (term, documents, winner_share, truth_share, difference, winner, truth_rank): `residue explain`. NULL where
  // there is no winner or no truth. Both throw Error{usage}, Error{not found}.
  Rows link_terms(const Arguments& arguments);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A function as SQL sees it: the columns of its rows, then its arguments as hidden columns.
struct SqlFunction {
  const char* name;
  const char* schema;
  int columns;
  int required;   // arguments that must be given
  int arguments;  // all
  const char* usage;
  SqlFunctions::Rows (SqlFunctions::*answer)(const SqlFunctions::Arguments& arguments);
};
std::span<const SqlFunction> sql_table_functions();

}  // namespace residue::query
