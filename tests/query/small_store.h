// A small evaluated store: two invented records with two claims, a run that leaks one claim and fails one record.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "query/evaluate/evaluate.h"
#include "storage/store.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {

class SmallStoreTest : public ::testing::Test {
 protected:
  SmallStoreTest() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-look-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    storage::Store::create(dir_);
    store_ = std::make_unique<storage::Store>(dir_ / ".residue");
    namespace from = ingest::testing;
    from::VectorSource<ingest::RecordRow> records(
        {from::record("a", "Maria keeps bees in Graz. She has asthma since childhood."),
         from::record("b", "Tom repairs clocks in Bern. He takes aspirin every morning.")});
    ingest::ingest_dataset(*store_, "d", records, from::file("/data/d"));
    ingest::ClaimsRow a = from::claims("a", {"Maria keeps bees in Graz.", "She has asthma since childhood."});
    a.claims[1].category = R"(["Health"])";
    from::VectorSource<ingest::ClaimsRow> claims(
        {a, from::claims("b", {"Tom repairs clocks in Bern.", "He takes aspirin every morning."})});
    ingest::ingest_claims(*store_, "d", "claims", claims, from::file("/data/c"));
    ingest::VariantRow failed;
    failed.key = "b";
    failed.error = "refused";
    from::VectorSource<ingest::VariantRow> variants(
        {from::variant("a", "A person keeps bees. She has asthma since childhood."), failed});
    ingest::ingest_run(*store_, "d", "r", {}, variants, from::file("/data/r"));
    evaluate("bm25/first:1");
  }
  ~SmallStoreTest() override {
    store_.reset();
    std::filesystem::remove_all(dir_);
  }

  storage::Store& store() { return *store_; }

  void evaluate(const char* protocol, std::uint32_t seeds = 1) {
    EvalOptions options;
    options.protocols = parse_protocols(protocol);
    options.seeds = seeds;
    query::evaluate(*store_, {{"d", std::nullopt}}, options);
  }
  // Edits the run's only text, without evaluating again.
  void edit_run(const std::string& text) {
    namespace from = ingest::testing;
    from::VectorSource<ingest::VariantRow> variants({from::variant("a", text)});
    ingest::ingest_run(*store_, "d", "r", {}, variants, from::file("/data/r2"));
  }

  std::filesystem::path dir_;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace residue::query::testing
