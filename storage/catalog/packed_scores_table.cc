// packed_scores(BLOB) for SQLite: a table without rows of its own, whose rows are those of its argument.
#include <sqlite3.h>

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/table_function.h"

namespace residue::storage {
namespace {

constexpr int kMetric = 0;
constexpr int kBytes = 7;  // the hidden column: the argument
// idxNum: which values come with xFilter.
constexpr int kNothing = 0;    // none: a table without rows
constexpr int kArgument = 1;   // the argument
constexpr int kOneMetric = 2;  // and the only metric looked for

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more

  // Reads its argument and nothing else: a view of the catalog's schema may use it.
  static constexpr int kSafety = SQLITE_VTAB_INNOCUOUS;
  explicit Table(void* /*data*/) {}
  [[nodiscard]] const char* schema() const {
    return "CREATE TABLE x (metric INTEGER, cut INTEGER, slice INTEGER, state INTEGER, num INTEGER, den INTEGER, "
           "best INTEGER, bytes HIDDEN)";
  }

  [[nodiscard]] int plan(sqlite3_index_info& info) const {
    int bytes = -1, metric = -1;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (constraint.iColumn == kBytes) {
        if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // no plan without its argument
        bytes = i;
      } else if (constraint.iColumn == kMetric && constraint.usable != 0) {
        metric = i;
      }
    }
    info.idxNum = kNothing;
    if (bytes < 0) return SQLITE_OK;
    info.aConstraintUsage[bytes].argvIndex = 1;
    info.aConstraintUsage[bytes].omit = 1;
    info.idxNum = kArgument;
    info.estimatedRows = 30;
    if (metric >= 0) {
      info.aConstraintUsage[metric].argvIndex = 2;  // not omitted: SQLite compares again, with its own idea of types
      info.idxNum = kOneMetric;
      info.estimatedRows = 1;
    }
    info.estimatedCost = 10;
    return SQLITE_OK;
  }
};

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  std::string bytes;
  ScoreReader reader{{}};
  PackedScore score;
  std::int64_t only = -1;  // metric; -1: all
  std::int64_t row = 0;
  bool end = true;

  int begin(Table& /*table*/, int plan, std::span<sqlite3_value*> values) {
    end = true;
    if (plan == kNothing) return SQLITE_OK;
    const void* given = sqlite3_value_blob(values[0]);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
    try {
      bytes.assign(given == nullptr ? "" : static_cast<const char*>(given), given == nullptr ? 0 : size);
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
    reader = ScoreReader(bytes);
    row = 0;
    const bool one = plan == kOneMetric && values.size() > 1 && sqlite3_value_type(values[1]) == SQLITE_INTEGER;
    only = one ? sqlite3_value_int64(values[1]) : -1;
    return next();
  }

  int next() {
    try {
      do {
        end = !reader.next(score);
        ++row;
      } while (!end && only >= 0 && score.metric != only);
      return SQLITE_OK;
    } catch (const Error&) {
      end = true;
      return SQLITE_CORRUPT_VTAB;  // sql tells these bytes from damaged pages
    }
  }

  [[nodiscard]] bool at_end() const { return end; }
  [[nodiscard]] std::int64_t row_id() const { return row; }

  void column(const Table& /*table*/, sqlite3_context* context, int number) const {
    const std::int64_t values[] = {score.metric, score.cut, score.slice, score.state, score.num, score.den, score.best};
    if (number < kBytes) {
      sqlite3_result_int64(context, values[number]);
    } else {
      sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
    }
  }
};

// has_score(BLOB, metric, cut, state): 1 if there is such a row, else 0; NULL of NULL. A join with packed_scores() for
// each claim of a record reads all its rows as often.
void has_score(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) != SQLITE_BLOB) return;
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const std::int64_t metric = sqlite3_value_int64(values[1]), cut = sqlite3_value_int64(values[2]);
  const std::int64_t state = sqlite3_value_int64(values[3]);
  try {
    ScoreReader reader(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
    bool found = false;
    for (PackedScore score; !found && reader.next(score);) {
      found = score.metric == metric && score.cut == cut && score.state == state;
    }
    sqlite3_result_int(context, found ? 1 : 0);
  } catch (const Error&) {
    sqlite3_result_error_code(context, SQLITE_CORRUPT_VTAB);
  }
}

}  // namespace

void attach_packed_scores(sqlite3* db) {
  constexpr int kHow = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  if (sqlite3_create_function_v2(db, "has_score", 4, kHow, nullptr, has_score, nullptr, nullptr, nullptr) !=
          SQLITE_OK ||
      sqlite3_create_module_v2(db, "packed_scores", &table_function<Table, Cursor>(), nullptr, nullptr) != SQLITE_OK) {
    throw Error(Code::kInternal, "catalog: a function could not be registered", "this is a bug of residue");
  }
}

}  // namespace residue::storage
