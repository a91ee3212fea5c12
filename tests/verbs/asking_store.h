// A small store with an invented model server behind the name "local", for verbs that ask.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/server/endpoint.h"
#include "storage/store.h"
#include "tests/stub/stub_server.h"
#include "tests/verbs/scratch.h"
#include "verbs/ingest.h"
#include "verbs/models/add_model.h"
#include "verbs/open.h"

namespace residue::verbs {

// The code of the error that `call` ends with, as the program's exit code, and what it says; 0: it does not.
inline std::pair<int, std::string> ended_with(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {0, ""};
}

// A dataset d with the records a and b, which have two sentences each, and add_claims() two claims.
class AskingStore : public ::testing::Test {
 protected:
  AskingStore() {
    init(scratch_.path());
    store_ = open_store(scratch_.path().string());
    std::vector<ingest::RecordRow> rows(2);
    rows[0].key = "a";
    rows[0].text = "Ann, 45, keeps bees. She has two dogs.";
    rows[1].key = "b";
    rows[1].text = "Bob repairs clocks. He is ill.";
    DatasetOptions records;
    records.dataset = "d";
    records.rows = rows;
    ingest_dataset(store(), records);
    add(server_, "local");
  }

  storage::Store& store() { return *store_; }

  void add(const stub::Server& server, const std::string& name, bool embeds = false) {
    ModelOptions options;
    options.endpoint.name = name;
    options.endpoint.asking.model = "m";
    options.endpoint.transport.url = server.url();
    options.endpoint.transport.price_in = 1;
    options.endpoint.votes = 1;
    if (embeds) options.endpoint.embedding.emplace();
    add_model(store(), endpoint_of(options));
  }
  void add_claims(const std::string& set) {
    std::vector<ingest::ClaimsRow> rows(2);
    rows[0].record = "a";
    rows[0].claims = {{"Ann keeps bees.", std::nullopt, std::nullopt},
                      {"She has two dogs.", std::nullopt, std::nullopt}};
    rows[1].record = "b";
    rows[1].claims = {{"Bob repairs clocks.", std::nullopt, std::nullopt}, {"He is ill.", std::nullopt, std::nullopt}};
    for (ingest::ClaimsRow& row : rows) row.replaces = true;
    ClaimsOptions options;
    options.dataset = "d";
    options.set = set;
    options.rows = rows;
    ingest_claims(store(), options);
  }
  // A run of texts as they are given, of a and b.
  void add_run(const std::string& run, const std::string& a, const std::string& b) {
    std::vector<ingest::VariantRow> rows(2);
    rows[0].key = "a";
    rows[0].text = a;
    rows[1].key = "b";
    rows[1].text = b;
    RunOptions options;
    options.dataset = "d";
    options.run = run;
    options.rows = rows;
    ingest_run(store(), options);
  }
  std::string file(const std::string& name, const std::string& lines) const {
    std::ofstream(scratch_.path() / name) << lines;
    return (scratch_.path() / name).string();
  }
  // All rows, cells joined by '|'; a column "T" holds the id of a text and shows the text.
  std::vector<std::string> rows(const char* sql) {
    std::vector<std::string> lines;
    storage::Statement statement = store().db().prepare(sql);
    const auto texts = store().facts().read();
    while (statement.step()) {
      std::string line;
      for (int i = 0; i < statement.columns(); ++i) {
        if (i > 0) line += '|';
        const auto id = statement.integer_or_null(i);
        line += statement.column_name(i) == "T" && id ? texts->text(TextId{*id}) : std::string(statement.text(i));
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }

  ScratchFolder scratch_;
  stub::Server server_;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace residue::verbs
