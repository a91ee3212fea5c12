// What each record adds to one metric of a run, column by column, so that a list of a million records is sorted and
// filtered at once: the rows of a statement, as bytes that are kept (page/serve/kept.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "page/answers/viewer.h"
#include "query/sql/functions/sql_value.h"

namespace residue::page {

class ScoreColumns {
 public:
  // What a statement must select.
  static constexpr std::string_view kSelected = "record, state, outcome, value, weight";
  enum class Order { kRecord, kValue, kWeight };
  // State and outcome of rows.
  using Kind = std::pair<query::SqlValue, query::SqlValue>;

  // The rows of a statement, which are of at most 256 kinds. Throws as rows() (page/answers/rows.h).
  static std::string bytes_of(const Viewer& viewer, const std::string& sql);

  // Of what bytes_of made, which is not copied.
  explicit ScoreColumns(std::string_view bytes);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  // Rows of each kind.
  [[nodiscard]] std::vector<std::int64_t> counts() const;

  // In the order of kSelected.
  [[nodiscard]] std::vector<query::SqlValue> row(std::uint32_t at) const;

  // The rows of the kinds that are `shown`, in the order of "record [DESC]", "value IS NULL, value [DESC], record" or
  // "weight [DESC], record": those from `offset` on, at most `limit`. Weights are sorted anew each time.
  [[nodiscard]] std::vector<std::uint32_t> sorted(Order order, bool descending, const std::vector<bool>& shown,
                                                  std::size_t offset, std::size_t limit) const;

 private:
  template <class Number>
  [[nodiscard]] Number number(const char* column, std::uint32_t at) const;
  [[nodiscard]] std::vector<std::uint32_t> all(Order order, bool descending) const;

  std::size_t size_ = 0;
  std::vector<Kind> kinds_;
  // double, double, where the key ends, the row of each place by value and by record; bytes: kind, traits, keys
  const char *values_ = nullptr, *weights_ = nullptr, *key_ends_ = nullptr, *by_value_ = nullptr, *by_record_ = nullptr,
             *kind_ = nullptr, *traits_ = nullptr, *keys_ = nullptr;
};

}  // namespace residue::page
