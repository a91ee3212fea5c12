// record_scores(evaluation, dataset, tier, definitions) for SQLite: what each record adds to each metric of one
// evaluation.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/metric/metrics.h"
#include "query/sql/rows/arguments.h"
#include "query/sql/rows/inner_statement.h"
#include "query/sql/rows/view_rows.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/table_function.h"

namespace residue::query {
namespace {

enum Column { kRecord, kMetric, kState, kOutcome, kValue, kWeight, kSlice, kEvaluation };

constexpr std::array<Given, 6> kGiven = {Given{kEvaluation, true},
                                         {kEvaluation + 1, true},
                                         {kEvaluation + 2, true},
                                         {kEvaluation + 3, true},
                                         {kRecord},
                                         {kMetric}};
constexpr int kOneRecord = 1 << 4, kOneMetric = 1 << 5;  // of the plan

constexpr char kMetrics[] = "SELECT id, name, unit, name LIKE 'attribute_accuracy%half' FROM main.metric_definition";
constexpr char kCuts[] = "SELECT id, name FROM main.cut";
constexpr char kRecordByKey[] = "SELECT id FROM main.record WHERE dataset_id = ?1 AND key = ?2";
// The plus keeps SQLite from the index by key: they are wanted in order of ids.
constexpr char kRecords[] = "SELECT id, key FROM main.record WHERE +dataset_id = ?1 AND id >= ?2 ORDER BY id";
constexpr char kScored[] =
    "SELECT record_id, scores FROM main.scored WHERE evaluation_id = ?1 AND record_id BETWEEN ?2 AND ?3 "
    "ORDER BY record_id";

struct Metric {
  std::string name;
  double unit = 1;
  // What the view shows of it where that is not numerator by denominator.
  enum class Value { kRate, kBin, kNone } value = Value::kRate;
  enum class Weight { kWhole, kBy65536, kQuarter, kHalf } weight = Weight::kWhole;
};

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  sqlite3* db;

  static constexpr int kSafety = SQLITE_VTAB_INNOCUOUS;  // of the views; without texts
  explicit Table(void* data) : db(static_cast<sqlite3*>(data)) {}
  [[nodiscard]] const char* schema() const {
    return "CREATE TABLE x (record TEXT, metric TEXT, state, outcome, value, weight, slice, evaluation_id HIDDEN, "
           "dataset_id HIDDEN, tier HIDDEN, definitions HIDDEN)";
  }

  [[nodiscard]] int plan(sqlite3_index_info& info) const {
    if (!choose_given(info, kGiven)) return SQLITE_CONSTRAINT;
    double rows = 3'000'000;
    if ((info.idxNum & kOneRecord) != 0) rows /= 100'000;
    if ((info.idxNum & kOneMetric) != 0) rows /= 30;
    info.estimatedRows = static_cast<sqlite3_int64>(rows);
    info.estimatedCost = rows + 10;
    return SQLITE_OK;
  }
};

// A metric is of one tier: under this program's definitions an evaluation of another one has none of its scores.
bool can_have(std::string_view metric, std::optional<std::string_view> tier,
              std::optional<std::string_view> definitions) {
  if (!tier || definitions != kDefinitions) return true;
  const auto all = metric_definitions();
  const auto named = std::ranges::find(all, metric, &MetricDefinition::name);
  return named == all.end() || tier_name(named->tier) == *tier;
}

struct Cursor {
  sqlite3_vtab_cursor base{};  // first

  int begin(Table& table, int plan, std::span<sqlite3_value*> values) {
    const auto given = given_values<kGiven.size()>(plan, values);
    end_ = true;
    if (!is_id(given[0]) || !is_id(given[1]) || is_null(given[4]) || is_null(given[5])) return SQLITE_OK;
    const auto metric = text_of(given[5]);
    if (metric && !can_have(*metric, text_of(given[2]), text_of(given[3]))) return SQLITE_OK;
    try {
      return open(table.db, sqlite3_value_int64(given[0]), sqlite3_value_int64(given[1]), text_of(given[4]), metric);
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }

  int next() {
    try {
      return advance();
    } catch (const Error&) {
      end_ = true;
      return SQLITE_CORRUPT_VTAB;
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }

  [[nodiscard]] bool at_end() const { return end_; }
  [[nodiscard]] std::int64_t row_id() const { return row_; }

  void column(const Table& /*table*/, sqlite3_context* context, int number) const {
    static constexpr std::array<std::string_view, 4> kStates = {"value", "failed", "missing", "not applicable"};
    static constexpr std::array<std::string_view, 4> kOutcomes = {"", "right", "wrong", "not_linked"};
    const auto fixed = [context](std::string_view text) {
      sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    };
    const auto words = [context](std::string_view text) {
      sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    };
    switch (number) {
      case kRecord:
        return words(key_);
      case kMetric:
        return words(metric_->name);
      case kState:
        return fixed(kStates[std::min<std::size_t>(score_.state, 3)]);
      case kOutcome:
        if (score_.slice != 0) fixed(kOutcomes[std::min<std::size_t>(score_.slice, 3)]);
        return;
      case kValue:
        return value(context);
      case kWeight:
        return weight(context);
      case kSlice: {
        const auto cut = cuts_.find(score_.cut);
        return cut == cuts_.end() ? fixed("") : words(cut->second);
      }
      default:  // arguments
        return;
    }
  }

 private:
  int open(sqlite3* db, std::int64_t evaluation, std::int64_t dataset, std::optional<std::string_view> key,
           std::optional<std::string_view> metric) {
    if (const int code = read_names(db); code != SQLITE_OK) return code;
    only_ = nullptr;
    if (metric) {
      const auto named = std::ranges::find_if(metrics_, [&](const Metric& one) { return one.name == *metric; });
      if (named == metrics_.end() || metric->empty()) return SQLITE_OK;
      only_ = &*named;
    }
    std::int64_t first = INT64_MIN, last = INT64_MAX;
    one_record_ = key.has_value();
    if (key) {
      bool found = false;
      if (const int code = find_record(dataset, *key, found); code != SQLITE_OK || !found) return code;
      first = last = record_;
    } else {
      records_.begin(dataset);
    }
    if (const int code = scored_.begin({evaluation, first, last}); code != SQLITE_OK) return code;
    row_ = 0;
    reader_ = storage::ScoreReader({});
    has_key_ = one_record_;
    end_ = false;
    return next();
  }

  // Metrics and parts, once: the cursor lives as long as its statement, which sees one moment.
  int read_names(sqlite3* db) {
    if (!metrics_.empty()) return SQLITE_OK;
    for (const auto& [statement, sql] : {std::pair{&metric_rows_, kMetrics},
                                         {&cut_rows_, kCuts},
                                         {&record_by_key_, kRecordByKey},
                                         {&scored_, kScored}}) {
      if (const int code = statement->prepare(db, sql); code != SQLITE_OK) return code;
    }
    if (const int code = records_.prepare(db, kRecords); code != SQLITE_OK) return code;
    int code = SQLITE_OK;
    while ((code = metric_rows_.next()) == SQLITE_ROW) {
      const auto place = static_cast<std::size_t>(metric_rows_.integer(0));
      if (place >= metrics_.size()) metrics_.resize(place + 1);
      metrics_[place] = metric_at_row();
    }
    if (code != SQLITE_DONE) return code;
    while ((code = cut_rows_.next()) == SQLITE_ROW) cuts_.emplace(cut_rows_.integer(0), cut_rows_.bytes(1));
    return code == SQLITE_DONE ? SQLITE_OK : code;
  }

  [[nodiscard]] Metric metric_at_row() const {
    Metric metric{std::string(metric_rows_.bytes(1)), metric_rows_.real(2), {}, {}};
    if (metric.name == "distance_histogram") metric.value = Metric::Value::kBin;
    if (metric.name == "category_preservation") metric.value = Metric::Value::kNone;
    if (metric.name == "token_precision_weighted") metric.weight = Metric::Weight::kBy65536;
    if (metric.name == "mean_certainty") metric.weight = Metric::Weight::kQuarter;
    if (metric_rows_.integer(3) != 0) metric.weight = Metric::Weight::kHalf;
    return metric;
  }

  // A statement that joins two evaluations by the record asks for each several times.
  int find_record(std::int64_t dataset, std::string_view key, bool& found) {
    found = found_ && dataset == dataset_ && key == key_;
    if (found) return SQLITE_OK;
    found_ = false;
    if (const int code = record_by_key_.begin({dataset}); code != SQLITE_OK) return code;
    if (const int code = record_by_key_.bind(2, key); code != SQLITE_OK) return code;
    const int code = record_by_key_.next();
    found_ = found = code == SQLITE_ROW;
    if (found) record_ = record_by_key_.integer(0);
    record_by_key_.reset();
    dataset_ = dataset;
    key_.assign(key);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
  }

  int advance() {
    for (;;) {
      while (reader_.next(score_)) {
        const auto place = static_cast<std::size_t>(score_.metric);
        if (place >= metrics_.size() || metrics_[place].name.empty()) continue;
        if (only_ != nullptr && only_ != &metrics_[place]) continue;
        metric_ = &metrics_[place];
        bool found = has_key_;
        if (!has_key_) {
          if (const int code = read_key(found); code != SQLITE_OK) return code;
        }
        if (!found) break;  // a record that is gone, or a text of a synthetic run
        ++row_;
        return SQLITE_OK;
      }
      const int code = scored_.next();
      if (code != SQLITE_ROW) {
        end_ = true;
        return code == SQLITE_DONE ? SQLITE_OK : code;
      }
      reader_ = storage::ScoreReader(scored_.bytes(1));  // lives until the next step
      has_key_ = one_record_;
    }
  }

  int read_key(bool& found) {
    if (const int code = records_.find(scored_.integer(0), found); code != SQLITE_OK || !found) return code;
    key_.assign(records_.row().bytes(1));
    found_ = false;
    has_key_ = true;
    return SQLITE_OK;
  }

  void value(sqlite3_context* context) const {
    if (score_.state != 0 || metric_->value == Metric::Value::kNone) return;
    if (metric_->value == Metric::Value::kBin) return sqlite3_result_int64(context, score_.num);
    if (score_.den == 0) return;
    sqlite3_result_double(context, static_cast<double>(score_.num) * metric_->unit / static_cast<double>(score_.den));
  }

  void weight(sqlite3_context* context) const {
    switch (metric_->weight) {
      case Metric::Weight::kBy65536:
        return sqlite3_result_double(context, static_cast<double>(score_.den) / 65536.0);
      case Metric::Weight::kQuarter:
        return sqlite3_result_int64(context, score_.den / 4);
      case Metric::Weight::kHalf:
        return sqlite3_result_int64(context, score_.den / 2);
      default:
        return sqlite3_result_int64(context, score_.den);
    }
  }

  std::vector<Metric> metrics_;  // by id; those that are not there have no name
  std::unordered_map<std::int64_t, std::string> cuts_;
  InnerStatement metric_rows_, cut_rows_, record_by_key_, scored_;
  RowsByRecord records_;

  storage::ScoreReader reader_{{}};
  storage::PackedScore score_;
  const Metric* metric_ = nullptr;
  const Metric* only_ = nullptr;  // null: all
  bool one_record_ = false;       // the record is given
  bool has_key_ = false;          // key_ is that of the scores that are read
  bool found_ = false;            // record_ is the one of key_ in dataset_
  std::int64_t dataset_ = 0, record_ = 0;
  std::string key_;
  std::int64_t row_ = 0;
  bool end_ = true;
};

}  // namespace

int attach_record_scores(sqlite3* db) {
  return sqlite3_create_module_v2(db, "record_scores", &storage::table_function<Table, Cursor>(), db, nullptr);
}

}  // namespace residue::query
