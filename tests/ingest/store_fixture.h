// A store in a folder of its own, rows without files, and the store's content as text.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/batches/progress.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest::testing {

template <class Row>
class VectorSource final : public RowSource<Row> {
 public:
  explicit VectorSource(std::vector<Row> rows) : rows_(std::move(rows)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].line == 0) rows_[i].line = i + 1;
    }
  }
  // The row at `at` (from 0) cannot be read.
  VectorSource& spoil(std::size_t at) {
    bad_at_ = at;
    return *this;
  }
  RowResult next(Row& row, RowError& bad) override {
    if (at_ == rows_.size()) return RowResult::kEnd;
    row = rows_[at_++];
    if (at_ - 1 != bad_at_) return RowResult::kRow;
    bad = {row.line, "field \"text\" is missing", "name the field with --text"};
    return RowResult::kBad;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_.size(); }

 private:
  std::vector<Row> rows_;
  std::size_t at_ = 0;
  std::size_t bad_at_ = static_cast<std::size_t>(-1);
};

inline RecordRow record(std::string key, std::string text) {
  RecordRow row;
  row.key = std::move(key);
  row.text = std::move(text);
  return row;
}

inline VariantRow variant(std::string key, std::string text) {
  VariantRow row;
  row.key = std::move(key);
  row.text = std::move(text);
  return row;
}

inline ClaimsRow claims(std::string record, const std::vector<std::string>& texts) {
  ClaimsRow row;
  row.record = std::move(record);
  row.replaces = true;
  for (const auto& text : texts) row.claims.push_back({text, std::nullopt, std::nullopt});
  return row;
}

inline SourceIdentity file(std::string name = "/data/rows.jsonl", std::uint64_t size = 1) {
  return {std::move(name), size, 7, 0};
}

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    // Memory is enough: processes die here, the machine does not, and syncing a disk takes the time of these tests.
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    const auto parent = memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string name = (parent / "residue-ingest-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    storage::Store::create(dir_);
    open();
  }
  ~StoreTest() override {
    store_.reset();
    std::filesystem::remove_all(dir_);
  }
  void open() { store_ = std::make_unique<storage::Store>(dir_ / ".residue"); }

  storage::Store& store() { return *store_; }

  // Every row of a query, cells joined by '|'; a column "T:..." holds the id of a text and shows the text.
  std::vector<std::string> rows(const char* sql) {
    std::vector<std::string> result;
    storage::Statement statement = store().db().prepare(sql);
    const auto texts = store().facts().read();
    while (statement.step()) {
      std::string line;
      for (int i = 0; i < statement.columns(); ++i) {
        if (i > 0) line += '|';
        const auto id = statement.integer_or_null(i);
        const bool text = statement.column_name(i).rfind("T:", 0) == 0;
        line += text && id ? texts->text(TextId{*id}) : std::string(statement.text(i));
      }
      result.push_back(line);
    }
    return result;
  }

  // All that users gave, by keys and texts: equal for equal stores whatever their ids.
  std::vector<std::string> dump() {
    std::vector<std::string> all;
    for (const char* sql :
         {"SELECT 'record', name, key, text_id AS 'T:t', person, label, task_id AS 'T:k', meta_id AS 'T:m'"
          " FROM record JOIN dataset d ON d.id = dataset_id ORDER BY name, key",
          "SELECT 'set', d.name, s.name, source FROM claim_set s JOIN dataset d ON d.id = dataset_id ORDER BY 2, 3",
          "SELECT 'claim', s.name, r.key, n, c.text_id AS 'T:t', category FROM claim c JOIN claim_set s"
          " ON s.id = claim_set_id JOIN record r ON r.id = record_id ORDER BY s.name, r.key, n",
          "SELECT 'run', name, kind, removes_everything, sanitizer, params, seed, grp FROM run ORDER BY name",
          "SELECT 'variant', u.name, coalesce(v.key, r.key) AS k, v.text_id AS 'T:t', error FROM variant v"
          " JOIN run u ON u.id = run_id LEFT JOIN record r ON r.id = record_id ORDER BY u.name, k",
          "SELECT 'label', kind, r.key, annotator, payload_id AS 'T:p' FROM label JOIN record r ON r.id = record_id"
          " ORDER BY 2, 3, payload_id",
          "SELECT 'progress', target, path, lines FROM ingest_progress ORDER BY target, path"}) {
      for (std::string& row : rows(sql)) all.push_back(std::move(row));
    }
    return all;
  }

  // The catalog's rows with their ids and fingerprints: equal only if nothing was written.
  std::vector<std::string> catalog() {
    std::vector<std::string> all;
    for (const char* sql :
         {"SELECT id, name, hex(content) FROM dataset ORDER BY id",
          "SELECT id, key, text_id, person, label, task_id, meta_id FROM record ORDER BY id",
          "SELECT id, name, source, hex(content) FROM claim_set ORDER BY id",
          "SELECT claim_set_id, record_id, n, text_id, category FROM claim ORDER BY 1, 2, 3",
          "SELECT id, name, kind, params, hex(content) FROM run ORDER BY id",
          "SELECT id, run_id, record_id, key, text_id, error FROM variant ORDER BY id",
          "SELECT id, run_id, name, source, hex(content), hex(made_from) FROM run_claim_set ORDER BY id",
          "SELECT id, set_id, variant_id, n, text_id FROM run_claim ORDER BY id",
          "SELECT id, kind, record_id, payload_id FROM label ORDER BY id",
          "SELECT * FROM ingest_progress ORDER BY target, path"}) {
      for (std::string& row : rows(sql)) all.push_back(std::move(row));
    }
    return all;
  }

  std::filesystem::path dir_;
  std::unique_ptr<storage::Store> store_;
};

// The code of the Error that `work` throws, and its message; {0, ""} if it throws none.
template <class Work>
std::pair<int, std::string> error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {0, ""};
}

}  // namespace residue::ingest::testing
