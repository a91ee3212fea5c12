// Columns of what a statement answers, filled value by value, and what type each turns out to have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/sql/packed_values.h"

namespace residue::python {

// SQLite's values have types, its columns have none: the type of a column is that of its values.
enum class ColumnType : std::uint8_t {
  kEmpty,  // no value but NULL
  kWhole,
  kReal,  // reals, or reals and whole numbers
  kText,
  kBlob,
  kMixed,  // texts or blobs beside others
};

class Column {
 public:
  explicit Column(std::string name) : name_(std::move(name)) {}

  void add(const query::PackedValue& value) {
    tags_ += value.type;
    switch (value.type) {
      case 'i':
        whole_.push_back(value.whole);
        break;
      case 'r':
        real_.push_back(value.real);
        break;
      case 't':
      case 'b':
        bytes_ += value.text;
        ends_.push_back(bytes_.size());
        break;
      default:
        break;
    }
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t size() const { return tags_.size(); }
  [[nodiscard]] ColumnType type() const;
  [[nodiscard]] bool has_null() const;

  // All values from the first: f(query::PackedValue).
  template <class Function>
  void each(const Function& f) const {
    Reader reader(*this);
    for (std::size_t i = 0; i < size(); ++i) f(reader.next());
  }

  // Values one after another; the column outlives it and does not change.
  class Reader {
   public:
    explicit Reader(const Column& column) : column_(column) {}
    query::PackedValue next() {
      query::PackedValue value;
      value.type = column_.tags_[at_++];
      if (value.type == 'i') {
        value.whole = column_.whole_[whole_++];
      } else if (value.type == 'r') {
        value.real = column_.real_[real_++];
      } else if (value.type != 'n') {
        const std::size_t end = column_.ends_[text_++];
        value.text = std::string_view(column_.bytes_).substr(begin_, end - begin_);
        begin_ = end;
      }
      return value;
    }

   private:
    const Column& column_;
    std::size_t at_ = 0, whole_ = 0, real_ = 0, text_ = 0, begin_ = 0;
  };

  // Where every value is a whole number, or a real one.
  [[nodiscard]] const std::vector<std::int64_t>& all_whole() const { return whole_; }
  [[nodiscard]] const std::vector<double>& all_real() const { return real_; }

 private:
  std::string name_;
  std::string tags_;  // a type for each row
  std::vector<std::int64_t> whole_;
  std::vector<double> real_;
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of texts and blobs in `bytes_`
};

}  // namespace residue::python
