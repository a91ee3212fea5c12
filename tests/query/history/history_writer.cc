#include "tests/query/history/history_writer.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/atomize/atomize.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {

using ingest::ClaimsRow;
using ingest::RecordRow;
using ingest::VariantRow;
using ingest::testing::VectorSource;

RecordRow row_of(const std::string& key, const Record& record) {
  RecordRow row = ingest::testing::record(key, record.text);
  row.person = record.person;
  row.task = R"({"answer":"A","options":{"A":"yes","B":"no"},"question":"Is it?"})";
  return row;
}

VariantRow row_of(const std::string& key, const std::optional<std::string>& text) {
  VariantRow row;
  row.key = key;
  if (text) {
    row.text = *text;
    if (text->size() % 2 == 0) row.substitutions = R"([["Ann","zebra"],["Köln","45"]])";
  } else {
    row.error = "refused";
  }
  return row;
}

Writer::Writer(storage::Store* store, Dice& dice, std::string name) : store_(store), name_(std::move(name)) {
  options_.batch_rows = dice.one_in(2) ? 20'000 : 1 + dice.below(4);
  path_ = fmt::format("/data/{}.jsonl", dice.below(1'000'000));
}

Writer& Writer::append() {
  options_.append = true;
  return *this;
}

void Writer::records(std::vector<RecordRow> rows) {
  if (store_ == nullptr || rows.empty()) return;  // an empty input is an error
  VectorSource<RecordRow> source(std::move(rows));
  ingest::ingest_dataset(*store_, name_, source, ingest::testing::file(path_), options_);
}

void Writer::claims(std::vector<ClaimsRow> rows) {
  if (store_ == nullptr) return;
  VectorSource<ClaimsRow> source(std::move(rows));
  ingest::ingest_claims(*store_, name_, "claims", source, ingest::testing::file(path_), options_);
}

void Writer::run(const std::string& run, const Run& kind, std::vector<VariantRow> rows) {
  if (store_ == nullptr) return;
  ingest::RunSpec spec;
  spec.synthetic = kind.synthetic;
  spec.removes_everything = kind.removes_everything;
  VectorSource<VariantRow> source(std::move(rows));
  ingest::ingest_run(*store_, name_, run, spec, source, ingest::testing::file(path_), options_);
}

void Writer::atomize() {
  if (store_ != nullptr) ingest::atomize_dataset(*store_, name_, ingest::kSentenceSet, 2, options_);
}

void Writer::scrub() {
  if (store_ != nullptr) ingest::sanitize_dataset(*store_, name_, "scrubbed", {"scrub", {}, {}, {}}, 2, options_);
}

}  // namespace residue::query::testing
