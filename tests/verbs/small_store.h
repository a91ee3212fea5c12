// A store that verbs look at: three records with claims, two runs, evaluated under two attackers.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "tests/verbs/scratch.h"
#include "verbs/eval.h"
#include "verbs/ingest.h"
#include "verbs/open.h"

namespace residue::verbs {

// What the call's error says; "nothing" where there is none.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

// Dataset "d" has the records a, b and c, the claims of each are its four sentences. Run "half" leaves the first two
// out, run "failing" has no text of c.
class SmallStore : public ::testing::Test {
 protected:
  SmallStore() {
    init(scratch_.path() / "s");
    store_ = open_store((scratch_.path() / "s").string());
    std::vector<ingest::RecordRow> records;
    std::vector<ingest::VariantRow> half, failing;
    for (const auto& [key, text] : std::vector<std::pair<std::string, std::string>>{
             {"a", "Ann lives in Bergen. She has asthma. She owns a red boat. She sings in a choir."},
             {"b", "Bob lives in Oslo. He has gout. He drives a blue van. He plays the cello."},
             {"c", "Cem lives in Molde. He has no illness. He bakes bread. He walks to work."}}) {
      ingest::RecordRow record;
      record.key = key;
      record.text = text;
      record.person = "p-" + key;
      records.push_back(record);
      ingest::VariantRow variant;
      variant.key = key;
      variant.text = text.substr(text.find(". ", text.find(". ") + 1) + 2);
      half.push_back(variant);
      if (key == "c") variant.text.reset();
      if (key == "c") variant.error = "no answer";
      failing.push_back(variant);
    }
    DatasetOptions dataset;
    dataset.dataset = "d";
    dataset.rows = records;
    ingest_dataset(*store_, dataset);
    ingest::atomize_dataset(*store_, "d", ingest::kSentenceSet, 1, {});
    add_run("half", half);
    add_run("failing", failing);
  }

  void add_run(const std::string& name, const std::vector<ingest::VariantRow>& variants) {
    RunOptions run;
    run.dataset = "d";
    run.run = name;
    run.rows = variants;
    ingest_run(*store_, run);
  }

  EvalResult evaluate(const std::string& protocols = "bm25/random:1") {
    EvalOptions options;
    options.attack.protocols = query::parse_protocols(protocols);
    return eval(*store_, options);
  }

  ScratchFolder scratch_;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace residue::verbs
