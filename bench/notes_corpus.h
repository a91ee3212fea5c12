// Notes in made-up words, and eleven sanitized runs of them, for the benches of evaluation and of a store in use.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ingest/atomize/atomize.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "storage/store.h"

namespace residue::bench {

// Notes of about 110 words in sentences of 6 to 14, from a vocabulary of 5,000 pronounceable words with a Zipf-like
// use.
class Texts {
 public:
  explicit Texts(std::uint64_t seed) : random_(seed) {
    const std::string consonants = "bcdfglmnprstv", vowels = "aeiou";
    for (int i = 0; i < 5000; ++i) {
      std::string word;
      for (std::uint64_t j = 0, n = 2 + random_() % 3; j < n; ++j) {
        word += consonants[random_() % consonants.size()];
        word += vowels[random_() % vowels.size()];
      }
      words_.push_back(word);
    }
  }
  std::string word() {
    const double u = static_cast<double>(random_() % 1'000'000) / 1e6;
    return words_[static_cast<std::size_t>(u * u * u * static_cast<double>(words_.size()))];
  }
  std::string note() {
    std::string text;
    for (int s = 0; s < 11; ++s) {
      std::string sentence = word();
      sentence[0] = static_cast<char>(sentence[0] - 32);
      for (std::uint64_t i = 0, n = 6 + random_() % 9; i < n; ++i) sentence += " " + word();
      text += (s == 0 ? "" : " ") + sentence + ".";
    }
    return text;
  }
  // Every word is replaced with a chance of `share`.
  std::string sanitized(const std::string& text, double share) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const bool redact = static_cast<double>(random_() % 1'000'000) / 1e6 < share;
      out += (out.empty() ? "" : " ") + (redact ? std::string("[REDACTED]") : text.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

template <class Row>
class Rows : public ingest::RowSource<Row> {
 public:
  explicit Rows(std::vector<Row> rows) : rows_(std::move(rows)) {}
  ingest::RowResult next(Row& row, ingest::RowError&) override {
    if (at_ == rows_.size()) return ingest::RowResult::kEnd;
    row = rows_[at_++];
    row.line = at_;
    return ingest::RowResult::kRow;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_.size(); }

 private:
  std::vector<Row> rows_;
  std::size_t at_ = 0;
};

struct Data {
  std::vector<std::string> originals;
  std::vector<std::vector<std::string>> runs;
};

inline Data make_data(std::size_t records, int runs = 11) {
  Texts texts(7);
  Data data;
  for (std::size_t i = 0; i < records; ++i) data.originals.push_back(texts.note());
  for (int run = 0; run < runs; ++run) {
    data.runs.emplace_back();
    for (const std::string& original : data.originals)
      data.runs.back().push_back(texts.sanitized(original, 0.05 * (run + 1)));
  }
  return data;
}

inline void ingest_originals(storage::Store& store, const Data& data) {
  std::vector<ingest::RecordRow> rows(data.originals.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = fmt::format("r-{}", i);
    rows[i].text = data.originals[i];
  }
  Rows<ingest::RecordRow> source(std::move(rows));
  ingest::ingest_dataset(store, "d", source, {"originals", 1, 1, 0});
  ingest::atomize_dataset(store, "d", "sentences", 2);
}

inline void ingest_variants(storage::Store& store, const std::string& run, const std::vector<std::string>& texts) {
  std::vector<ingest::VariantRow> rows(texts.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = fmt::format("r-{}", i);
    rows[i].text = texts[i];
  }
  Rows<ingest::VariantRow> source(std::move(rows));
  ingest::ingest_run(store, "d", run, {}, source, {"run", 1, 1, 0});
}

}  // namespace residue::bench
