#include "page/answers/score_columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <variant>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/rows.h"
#include "query/sql/packed_values.h"

namespace residue::page {
namespace {

using query::PackedValue;
using query::SqlValue;

// Of a row.
enum Trait : std::uint8_t { kNoValue = 1, kWholeValue = 2, kNoWeight = 4, kWholeWeight = 8 };

SqlValue word_of(const PackedValue& value) {
  if (value.type == 't') return std::string(value.text);
  return {};
}

template <class Number>
void add(std::string& bytes, const std::vector<Number>& column) {
  bytes.append(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Number));
}

class Builder {
 public:
  void add_row(std::string_view row) {
    query::PackedValues values(row);
    const PackedValue key = next(values), state = next(values), outcome = next(values), value = next(values),
                      weight = next(values);
    std::uint8_t traits = 0;
    values_.push_back(number(value, kNoValue, kWholeValue, traits));
    weights_.push_back(number(weight, kNoWeight, kWholeWeight, traits));
    traits_.push_back(traits);
    kind_.push_back(kind(state, outcome));
    keys_ += key.text;
    key_ends_.push_back(static_cast<std::uint32_t>(keys_.size()));
  }

  [[nodiscard]] std::string bytes() const {
    const std::vector<std::uint32_t> by_record = sorted_by_record(), by_value = sorted_by_value(by_record);
    Json kinds = Json::array();
    for (const auto& [state, outcome] : kinds_) kinds.push_back(Json::array({json_of(state), json_of(outcome)}));
    const std::string head = kinds.dump();
    std::string bytes;
    bytes.reserve(32 + head.size() + values_.size() * 30 + keys_.size());
    add(bytes, std::vector<std::uint64_t>{values_.size(), head.size()});
    add(bytes, values_);
    add(bytes, weights_);
    add(bytes, key_ends_);
    add(bytes, by_value);
    add(bytes, by_record);
    add(bytes, kind_);
    add(bytes, traits_);
    return bytes + head + keys_;
  }

 private:
  static PackedValue next(query::PackedValues& values) {
    PackedValue value;
    if (!values.next(value)) query::garbled_answer();
    return value;
  }

  static double number(const PackedValue& value, Trait none, Trait whole, std::uint8_t& traits) {
    if (value.type == 'n') traits |= none;
    if (value.type == 'i') traits |= whole;
    return value.type == 'i' ? static_cast<double>(value.whole) : value.real;
  }

  std::uint8_t kind(const PackedValue& state, const PackedValue& outcome) {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const auto is = [](const SqlValue& kept, const PackedValue& seen) {
        const auto* const text = std::get_if<std::string>(&kept);
        return text == nullptr ? seen.type != 't' : seen.type == 't' && *text == seen.text;
      };
      if (is(kinds_[i].first, state) && is(kinds_[i].second, outcome)) return static_cast<std::uint8_t>(i);
    }
    if (kinds_.size() > 255) query::garbled_answer();
    kinds_.emplace_back(word_of(state), word_of(outcome));
    return static_cast<std::uint8_t>(kinds_.size() - 1);
  }

  [[nodiscard]] std::string_view key(std::uint32_t at) const {
    const std::size_t begin = at == 0 ? 0 : key_ends_[at - 1];
    return std::string_view(keys_).substr(begin, key_ends_[at] - begin);
  }

  [[nodiscard]] std::vector<std::uint32_t> sorted_by_record() const {
    std::vector<std::uint32_t> rows(values_.size());
    std::iota(rows.begin(), rows.end(), 0U);
    // Records mostly come as their keys run.
    const auto by_key = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
    if (!std::ranges::is_sorted(rows, by_key)) std::ranges::stable_sort(rows, by_key);
    return rows;
  }

  [[nodiscard]] std::vector<std::uint32_t> sorted_by_value(std::vector<std::uint32_t> rows) const {
    const auto without = [&](std::uint32_t at) { return (traits_[at] & kNoValue) != 0; };
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      if (without(a) || without(b)) return !without(a) && without(b);
      return values_[a] < values_[b];
    });
    return rows;
  }

  std::vector<double> values_, weights_;
  std::vector<std::uint32_t> key_ends_;
  std::vector<std::uint8_t> kind_, traits_;
  std::string keys_;
  std::vector<ScoreColumns::Kind> kinds_;
};

SqlValue number_of(double value, std::uint8_t traits, Trait none, Trait whole) {
  if ((traits & none) != 0) return {};
  if ((traits & whole) != 0) return static_cast<std::int64_t>(value);
  return value;
}

SqlValue word_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return {};
}

}  // namespace

std::string ScoreColumns::bytes_of(const Viewer& viewer, const std::string& sql) {
  Builder builder;
  each_row(viewer, sql, [&](std::string_view row) { builder.add_row(row); });
  return builder.bytes();
}

ScoreColumns::ScoreColumns(std::string_view bytes) {
  std::uint64_t head[2];
  std::memcpy(head, bytes.data(), sizeof head);
  size_ = head[0];
  const char* at = bytes.data() + sizeof head;
  const auto column = [&](std::size_t width) { return std::exchange(at, at + size_ * width); };
  values_ = column(sizeof(double));
  weights_ = column(sizeof(double));
  for (const char** const rows : {&key_ends_, &by_value_, &by_record_}) *rows = column(sizeof(std::uint32_t));
  kind_ = column(1);
  traits_ = column(1);
  const Json kinds = Json::parse(std::string_view(at, head[1])).value_or(Json::array());
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds_.emplace_back(word_of(kinds[i][0]), word_of(kinds[i][1]));
  keys_ = at + head[1];
}

template <class Number>
Number ScoreColumns::number(const char* column, std::uint32_t at) const {
  Number number{};
  std::memcpy(&number, column + at * sizeof number, sizeof number);
  return number;
}

std::vector<std::int64_t> ScoreColumns::counts() const {
  std::vector<std::int64_t> counts(256);
  for (std::size_t i = 0; i < size_; ++i) ++counts[static_cast<std::uint8_t>(kind_[i])];
  counts.resize(kinds_.size());
  return counts;
}

std::vector<SqlValue> ScoreColumns::row(std::uint32_t at) const {
  const std::size_t begin = at == 0 ? 0 : number<std::uint32_t>(key_ends_, at - 1);
  const std::size_t end = number<std::uint32_t>(key_ends_, at);
  const auto& [state, outcome] = kinds_.at(static_cast<std::uint8_t>(kind_[at]));
  const auto traits = static_cast<std::uint8_t>(traits_[at]);
  return {std::string(keys_ + begin, end - begin), state, outcome,
          number_of(number<double>(values_, at), traits, kNoValue, kWholeValue),
          number_of(number<double>(weights_, at), traits, kNoWeight, kWholeWeight)};
}

std::vector<std::uint32_t> ScoreColumns::all(Order order, bool descending) const {
  std::vector<std::uint32_t> rows(size_);
  if (size_ > 0) std::memcpy(rows.data(), order == Order::kValue ? by_value_ : by_record_, size_ * sizeof rows[0]);
  if (order == Order::kRecord) {
    if (descending) std::ranges::reverse(rows);
    return rows;
  }
  if (order == Order::kWeight) {
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      const auto left = number<double>(weights_, a), right = number<double>(weights_, b);
      return descending ? left > right : left < right;
    });
    return rows;
  }
  if (!descending) return rows;
  // Rows of one value stay as they are, and those without one stay behind.
  const auto end = std::ranges::find_if(
      rows, [&](std::uint32_t at) { return (static_cast<std::uint8_t>(traits_[at]) & kNoValue) != 0; });
  std::reverse(rows.begin(), end);
  for (auto begin = rows.begin(); begin != end;) {
    const auto value = number<double>(values_, *begin);
    const auto next = std::find_if(begin, end, [&](std::uint32_t at) { return number<double>(values_, at) != value; });
    std::reverse(begin, next);
    begin = next;
  }
  return rows;
}

std::vector<std::uint32_t> ScoreColumns::sorted(Order order, bool descending, const std::vector<bool>& shown,
                                                std::size_t offset, std::size_t limit) const {
  std::vector<std::uint32_t> found;
  std::size_t passed = 0;
  for (const std::uint32_t at : all(order, descending)) {
    if (found.size() == limit) break;
    if (!shown[static_cast<std::uint8_t>(kind_[at])]) continue;
    if (passed++ >= offset) found.push_back(at);
  }
  return found;
}

}  // namespace residue::page
