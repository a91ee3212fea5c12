// A store whose records people rate and look for: forty short notes, half of whose sentences a run keeps.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "storage/store.h"
#include "tests/verbs/scratch.h"
#include "verbs/eval.h"
#include "verbs/ingest.h"
#include "verbs/open.h"

namespace residue::verbs {

inline std::string refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " " + error.what();
  }
  return "nothing";
}

// Records n00 ... of dataset "d". Each says four things that no other says. n00 and n01 are of one person, all others
// of nobody else. Run "r" keeps the second half, that of n02 failed. Run "s" is synthetic.
class PeopleStore : public ::testing::Test {
 protected:
  static constexpr int kRecords = 40;

  PeopleStore() { reopen(true); }

  void reopen(bool fresh) {
    store_.reset();
    if (fresh) {
      const auto folder = scratch_.path() / ("s" + std::to_string(++stores_));
      init(folder);
      path_ = folder.string();
    }
    store_ = open_store(path_);
    if (fresh) fill();
  }

  static std::string key(int i) { return (i < 10 ? "n0" : "n") + std::to_string(i); }
  static std::string word(const char* stem, int i) {
    return stem + std::string(1, static_cast<char>('a' + i % 26)) + (i < 26 ? "on" : "ar");
  }
  static std::string kept(int i) {
    return "The " + word("bro", i) + " was painted. There is a " + word("kli", i) + " at home.";
  }
  static std::string original(int i) {
    return "Somebody lives in " + word("Vost", i) + ". They had " + word("mur", i) + " once. " + kept(i);
  }

  void fill() {
    std::vector<ingest::RecordRow> records;
    for (int i = 0; i < kRecords; ++i) {
      ingest::RecordRow record;
      record.key = key(i);
      record.text = original(i);
      record.person = "p-" + std::to_string(i < 2 ? 0 : i);
      records.push_back(record);
    }
    DatasetOptions dataset;
    dataset.dataset = "d";
    dataset.rows = records;
    ingest_dataset(*store_, dataset);
    ingest::atomize_dataset(*store_, "d", ingest::kSentenceSet, 1, {});
    add_run("r", {2});
  }

  // Of which records the run failed, and which have this text.
  void add_run(const std::string& name, const std::vector<int>& failed, int changed = -1) {
    std::vector<ingest::VariantRow> rows;
    for (int i = 0; i < kRecords; ++i) {
      ingest::VariantRow row;
      row.key = key(i);
      row.text = i == changed ? "Nothing of the kind was said of anybody here." : kept(i);
      for (const int one : failed) {
        if (one != i) continue;
        row.text.reset();
        row.error = "no answer";
      }
      rows.push_back(row);
    }
    RunOptions run;
    run.dataset = "d";
    run.run = name;
    run.rows = rows;
    ingest_run(*store_, run);
  }

  // Of all records; that of n02 fails.
  void add_texts(const std::vector<std::string>& texts) {
    std::vector<ingest::VariantRow> rows;
    for (int i = 0; i < kRecords; ++i) {
      ingest::VariantRow row;
      row.key = key(i);
      row.text = texts.at(static_cast<std::size_t>(i));
      if (i == 2) {
        row.text.reset();
        row.error = "no answer";
      }
      rows.push_back(row);
    }
    RunOptions run;
    run.dataset = "d";
    run.run = "r";
    run.rows = rows;
    ingest_run(*store_, run);
  }

  void add_synthetic() {
    std::vector<ingest::VariantRow> rows(2);
    rows[0].key = "1";
    rows[0].text = "Somebody lives somewhere.";
    rows[1].key = "2";
    rows[1].text = "They had something once.";
    RunOptions run;
    run.dataset = "d";
    run.run = "s";
    run.rows = rows;
    run.spec.synthetic = true;
    ingest_run(*store_, run);
  }

  void evaluate() {
    EvalOptions options;
    options.attack.protocols = query::parse_protocols("bm25/random:2");
    eval(*store_, options);
  }

  // Rows of a statement, cells with '|' between, rows with '\n'.
  std::string ask(const std::string& sql) {
    storage::Statement find = store_->db().prepare(sql);
    std::string all;
    while (find.step()) {
      for (int i = 0; i < find.columns(); ++i) all += (i > 0 ? "|" : "") + std::string(find.text(i));
      all += "\n";
    }
    return all;
  }

  ScratchFolder scratch_;
  std::string path_;
  int stores_ = 0;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace residue::verbs
