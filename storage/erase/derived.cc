#include "storage/erase/derived.h"

#include <map>
#include <utility>
#include <vector>

#include "storage/catalog/results/cut.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/results/indexed.h"

namespace residue::storage {
namespace {

std::vector<std::int64_t> numbers(Statement& statement) {
  std::vector<std::int64_t> found;
  while (statement.step()) found.push_back(statement.integer(0));
  return found;
}

// Erases `rows` but those of runs that another process is evaluating; returns how many went.
std::uint64_t erase_of_free(const std::map<std::int64_t, RunId>& rows, Statement& erase,
                            const std::function<bool(RunId)>& free, DerivedGone& gone) {
  std::uint64_t erased = 0;
  for (const auto& [row, run] : rows) {
    if (!free(run)) {
      ++gone.busy;
      continue;
    }
    erase.run(row);
    ++erased;
  }
  return erased;
}

void drop_segments(Db& db, const std::function<bool(RunId)>& free, DerivedGone& gone) {
  std::map<std::int64_t, RunId> segments;
  Statement rows = db.prepare(sql::kIndexedOutdated);
  while (rows.step()) segments.emplace(rows.integer(1), rows.id<RunId>(0));
  Statement erase = db.prepare(sql::kDeleteIndexSegmentById);
  gone.segments += erase_of_free(segments, erase, free, gone);
}

// The name of a part is a word of the user's: a category, an attribute, a type of entity.
void drop_cuts(Db& db, const std::function<bool(RunId)>& free, DerivedGone& gone) {
  Statement of_gone = db.prepare(sql::kCutsOfGone);
  Statement alive = db.prepare(sql::kCutExistsAlive);
  Statement with_it = db.prepare(sql::kEvaluationsOfCut);
  Statement erase_evaluation = db.prepare(sql::kDeleteEvaluation);
  for (const std::int64_t cut : numbers(of_gone)) {
    const bool used = alive.bind(cut).step();
    alive.reset();
    if (used) continue;
    std::map<std::int64_t, RunId> evaluations;
    with_it.bind(cut);
    while (with_it.step()) evaluations.emplace(with_it.integer(0), with_it.id<RunId>(1));
    gone.evaluations += erase_of_free(evaluations, erase_evaluation, free, gone);
  }
  Statement unused = db.prepare(sql::kCutsWithoutAggregate);
  Statement of_cut = db.prepare(sql::kEvaluationsOfCut);
  Statement erase = db.prepare(sql::kDeleteCut);
  for (const std::int64_t cut : numbers(unused)) {
    const bool summed = of_cut.bind(cut).step();
    of_cut.reset();
    const bool used = !summed && alive.bind(cut).step();
    alive.reset();
    if (!summed && !used) erase.run(cut);
  }
}

}  // namespace

DerivedGone drop_derived(Db& db, const std::function<bool(RunId)>& free) {
  DerivedGone gone;
  drop_segments(db, free, gone);
  drop_cuts(db, free, gone);
  return gone;
}

}  // namespace residue::storage
