// A small dataset with claims and runs, and evaluations of it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/recompute.h"
#include "query/inputs/snapshot.h"
#include "query/report/report.h"
#include "storage/vectors.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {

using ingest::ClaimsRow;
using ingest::RecordRow;
using ingest::VariantRow;
using ingest::testing::claims;
using ingest::testing::record;
using ingest::testing::variant;
using ingest::testing::VectorSource;

class QueryStore : public ingest::testing::StoreTest {
 protected:
  void add_records(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest::ingest_dataset(store(), "d", source, ingest::testing::file());
  }
  void add_claims(std::vector<ClaimsRow> rows, const std::string& set = "claims") {
    VectorSource<ClaimsRow> source(std::move(rows));
    ingest::ingest_claims(store(), "d", set, source, ingest::testing::file());
  }
  // Tests give many records one text, because it is short.
  bool texts_are_meant_ = true;

  void add_run(const std::string& run, std::vector<VariantRow> rows, bool synthetic = false) {
    ingest::RunSpec spec;
    spec.synthetic = synthetic;
    spec.texts_are_meant = texts_are_meant_;
    VectorSource<VariantRow> source(std::move(rows));
    ingest::ingest_run(store(), "d", run, spec, source, ingest::testing::file());
  }

  // `count` records of ten words each, no two alike in more than four; claims of two words each.
  void add_many(std::size_t begin, std::size_t end) {
    std::vector<RecordRow> rows;
    std::vector<ClaimsRow> facts;
    for (std::size_t i = begin; i < end; ++i) {
      rows.push_back(record(fmt::format("r{}", i), text_of(i)));
      std::vector<std::string> texts;
      for (std::size_t j = 0; j < 5; ++j) texts.push_back(fmt::format("w{}x{} common{}", i, j, j));
      facts.push_back(claims(fmt::format("r{}", i), texts));
    }
    add_records(rows);
    add_claims(facts);
  }
  static std::string text_of(std::size_t i) {
    std::string text;
    for (std::size_t j = 0; j < 5; ++j) text += fmt::format("w{}x{} common{} ", i, j, j);
    return text;
  }

  EvalCounts evaluate_all(const std::vector<std::string>& protocols = {"bm25/first:2"},
                          const std::string& judge = "lexical", std::uint64_t sample = 0,
                          const std::optional<std::string>& run = std::nullopt) {
    EvalOptions options;
    for (const std::string& protocol : protocols) options.protocols.push_back(parse_protocol(protocol));
    options.judge = judge;
    options.sample = sample;
    return evaluate(store(), {{"d", run}}, options);
  }

  TextId put(const std::string& text) {
    const auto batch = store().write();
    const TextId id = batch->put_text(text, storage::PrivacyClass::kOriginal);
    batch->commit();
    return id;
  }
  void embed(const std::string& text, const std::vector<float>& values, const std::string& model = "toy") {
    const auto batch = store().write();
    storage::VectorWriter writer(batch->db(), model);
    writer.begin();
    writer.put(*batch, batch->put_text(text, storage::PrivacyClass::kOriginal), values);
    writer.end();
    batch->commit();
  }

  // Columns of the metric by the only judge that is asked.
  std::string asked_metric(const std::string& columns, const std::string& name = "semantic_distance") {
    const std::string sql = "SELECT " + columns +
                            " FROM metric m JOIN metric_definition f ON f.id = m.metric "
                            "JOIN evaluation e ON e.id = m.evaluation_id JOIN judge j ON j.id = e.judge_id "
                            "WHERE f.name = '" +
                            name + "' AND m.slice = '' AND NOT j.embedded";
    return rows(sql.c_str()).front();
  }

  // The run in a report on d; empty where it has none.
  ReportRun report_run(const std::string& run, ReportOptions options = {}) {
    options.dataset = "d";
    for (ReportRun& one : load_report(store(), options).runs) {
      if (one.run == run) return one;
    }
    return {};
  }

  std::vector<Difference> proof() {
    const std::filesystem::path scratch = dir_ / fmt::format("proof{}", proofs_++);
    return recompute(store(), scratch, {}).differences;
  }
  void expect_proven() {
    for (const Difference& one : proof()) ADD_FAILURE() << "- " << one.stored << "\n+ " << one.recomputed;
  }

  DatasetView dataset_view() {
    const DatasetId id = storage::find_dataset(store().db(), "d");
    return load_dataset(store(), id, "d", find_claim_set(store().db(), id, "d", ""));
  }
  RunView run_view(const DatasetView& dataset, const std::string& name) {
    for (const RunHead& head : list_runs(store().db(), dataset.id)) {
      if (head.name == name) return load_run(store(), dataset, head);
    }
    throw std::runtime_error("no such run");
  }
  std::int64_t number(const char* sql) {
    storage::Statement row = store().db().prepare(sql);
    return row.step() ? row.integer(0) : -1;
  }

 private:
  int proofs_ = 0;
};

}  // namespace residue::query::testing
