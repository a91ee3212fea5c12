// What the tests of other programs' files share: rows of a file, its notes, and the error that reading it ends with.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/open.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest::testing {

// Rows, refusals and notes of a file that is read to its end; `error` and `hint` of what reading threw instead.
template <class Row>
struct Outcome {
  std::vector<Row> rows;
  std::vector<RowError> bad;
  std::vector<std::string> notes;
  bool whole = false;
  int code = 0;
  std::string error, hint;
};

template <class Row, class Options>
Outcome<Row> outcome_of(const std::string& bytes, Options options, const std::string& ending,
                        std::unique_ptr<RowSource<Row>> (*open)(const Options&)) {
  const TempFile file(bytes, ending);
  options.path = file.path();
  Outcome<Row> outcome;
  try {
    const auto source = open(options);
    outcome.whole = source->whole();
    Row row;
    RowError bad;
    for (RowResult got = source->next(row, bad); got != RowResult::kEnd; got = source->next(row, bad)) {
      if (got == RowResult::kRow) outcome.rows.push_back(row);
      if (got == RowResult::kBad) outcome.bad.push_back(bad);
    }
    outcome.notes = source->notes();
  } catch (const Error& error) {
    outcome.code = static_cast<int>(error.code());
    outcome.error = error.what();
    outcome.hint = error.hint();
    // Names of temporary files differ.
    const std::string name = shown_name(options.path);
    for (std::string* words : {&outcome.error, &outcome.hint}) {
      if (const auto at = words->find(name); at != std::string::npos) words->replace(at, name.size(), "FILE");
    }
  }
  return outcome;
}

inline Outcome<VariantRow> run_of(const std::string& bytes, const std::string& preset,
                                  VariantSourceOptions options = {}, const std::string& ending = ".json") {
  options.preset = preset;
  return outcome_of<VariantRow>(bytes, std::move(options), ending, open_run);
}

inline Outcome<AnswerRow> answers_of(const std::string& bytes, const std::string& preset, AnswerSourceOptions options) {
  options.preset = preset;
  return outcome_of<AnswerRow>(bytes, std::move(options), ".json", open_answers_of);
}

inline Outcome<JudgmentRow> judgments_of(const std::string& bytes, const std::string& preset,
                                         JudgmentSourceOptions options = {}) {
  options.preset = preset;
  return outcome_of<JudgmentRow>(bytes, std::move(options), ".json", open_judgments_of);
}

// "id|text|error" of each row.
inline std::vector<std::string> shown(const std::vector<VariantRow>& rows) {
  std::vector<std::string> all;
  for (const VariantRow& row : rows) {
    all.push_back(row.key.value_or("-") + "|" + row.text.value_or("-") + "|" + row.error.value_or("-"));
  }
  return all;
}

}  // namespace residue::ingest::testing
