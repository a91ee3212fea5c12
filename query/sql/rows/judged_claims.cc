// judged_claims(run, protocol, judge [, leaks]) for SQLite.
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>

#include "base/error.h"
#include "query/sql/rows/arguments.h"
#include "query/sql/rows/judged_walk.h"
#include "query/sql/rows/view_rows.h"
#include "storage/catalog/table_function.h"

namespace residue::query {
namespace {

enum Column { kRecord, kN, kRating, kKnown, kOutcome, kCounts, kCategory, kClaimText, kLinkedText, kRun };

constexpr std::array<Given, 5> kGiven = {
    Given{kRun, true}, {kRun + 1, true}, {kRun + 2, true}, {kRun + 3, true}, {kRecord}};
constexpr int kOneRecord = 1 << 4, kCategories = 1 << 5;  // of the plan

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  sqlite3* db;

  static constexpr int kSafety = SQLITE_VTAB_INNOCUOUS;  // of the views; without texts
  explicit Table(void* data) : db(static_cast<sqlite3*>(data)) {}
  [[nodiscard]] const char* schema() const {
    return "CREATE TABLE x (record TEXT, n INTEGER, rating INTEGER, known, outcome, counts, category TEXT, "
           "claim_text INTEGER, linked_text INTEGER, run_id HIDDEN, protocol_id HIDDEN, judge_id HIDDEN, leaks HIDDEN)";
  }

  [[nodiscard]] int plan(sqlite3_index_info& info) const {
    if (!choose_given(info, kGiven)) return SQLITE_CONSTRAINT;
    const bool one = (info.idxNum & kOneRecord) != 0;
    info.estimatedRows = one ? 10 : 1'000'000;
    info.estimatedCost = one ? 20 : 1'000'000;
    if ((info.colUsed & (1U << kCategory)) != 0) info.idxNum |= kCategories;
    return SQLITE_OK;
  }
};

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  JudgedWalk walk;
  std::int64_t row = 0;
  bool nothing = true;

  int begin(Table& table, int plan, std::span<sqlite3_value*> values) {
    const auto given = given_values<kGiven.size()>(plan, values);
    nothing = !is_id(given[0]) || !is_id(given[1]) || !is_id(given[2]) || is_null(given[4]);
    if (nothing) return SQLITE_OK;
    JudgedOf of;
    of.run = sqlite3_value_int64(given[0]);
    of.protocol = sqlite3_value_int64(given[1]);
    of.judge = sqlite3_value_int64(given[2]);
    of.only_leaks = given[3] != nullptr && sqlite3_value_int64(given[3]) != 0;
    of.categories = (plan & kCategories) != 0;
    of.key = text_of(given[4]);
    row = 0;
    return guarded([&] { return walk.begin(table.db, of); });
  }

  int next() {
    ++row;
    return guarded([&] { return walk.next(); });
  }

  [[nodiscard]] bool at_end() const { return nothing || walk.at_end(); }
  [[nodiscard]] std::int64_t row_id() const { return row; }

  void column(const Table& /*table*/, sqlite3_context* context, int number) const {
    const JudgedClaim& claim = walk.claim();
    const JudgedRecord& record = walk.record();
    switch (number) {
      case kRecord:
        return sqlite3_result_text64(context, record.key.data(), record.key.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      case kN:
        return sqlite3_result_int64(context, claim.n);
      case kRating:
        return sqlite3_result_int64(context, claim.rating);
      case kKnown:
        return sqlite3_result_int(context, claim.known ? 1 : 0);
      case kOutcome:
        if (walk.synthetic()) return;
        return sqlite3_result_text(context, record.right ? "right" : "wrong", 5, SQLITE_STATIC);
      case kCounts:
        return sqlite3_result_int(context, record.counts ? 1 : 0);
      case kCategory:
        if (!claim.category) return;
        return sqlite3_result_text64(context, claim.category->data(), claim.category->size(), SQLITE_TRANSIENT,
                                     SQLITE_UTF8);
      case kClaimText:
        return sqlite3_result_int64(context, claim.text);
      case kLinkedText:
        return sqlite3_result_int64(context, record.passage);
      default:  // arguments
        return;
    }
  }

 private:
  template <class Work>
  static int guarded(const Work& work) {
    try {
      return work();
    } catch (const Error&) {
      return SQLITE_CORRUPT_VTAB;  // packed scores
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }
};

}  // namespace

int attach_judged_claims(sqlite3* db) {
  return sqlite3_create_module_v2(db, "judged_claims", &storage::table_function<Table, Cursor>(), db, nullptr);
}

}  // namespace residue::query
