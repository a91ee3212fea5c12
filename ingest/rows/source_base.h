// What the four row sources share: a reader, and refusals turned into RowError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/read/row_reader.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

template <class Row>
class ReaderSource : public RowSource<Row> {
 public:
  explicit ReaderSource(std::unique_ptr<RowReader> reader) : reader_(std::move(reader)) {}

  RowResult next(Row& row, RowError& bad) override {
    try {
      if (pending(row)) return RowResult::kRow;
      while (reader_->next(input_)) {
        if (take(input_, row)) return RowResult::kRow;
      }
      return RowResult::kEnd;
    } catch (Refusal& refusal) {
      bad = {input_.line, std::move(refusal.cause), std::move(refusal.remedy)};
      return RowResult::kBad;
    }
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return reader_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return reader_->bytes_total(); }
  [[nodiscard]] bool whole() const override { return reader_->whole(); }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> all = reader_->notes();
    for (std::string& note : of_fields()) all.push_back(std::move(note));
    return all;
  }

 protected:
  [[nodiscard]] virtual std::vector<std::string> of_fields() const {
    return {};
  }                                                        // one line each: what was passed over
  virtual bool pending(Row&) { return false; }             // rows left over from the last input row
  virtual bool take(const InputRow& input, Row& row) = 0;  // false: the input row yields none

 private:
  std::unique_ptr<RowReader> reader_;
  InputRow input_;
};

}  // namespace residue::ingest
