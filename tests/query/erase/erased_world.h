// A store full of canaries, and what its user knows of it: random commands change both alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/files/purge.h"
#include "storage/store.h"
#include "tests/query/erase/canaries.h"
#include "tests/query/history/history_dice.h"

namespace residue::query::testing {

class ErasedWorld {
 public:
  // In the new directory `dir`. The first records are enough to train a dictionary on.
  ErasedWorld(const std::filesystem::path& dir, std::uint32_t seed);

  // One random command. Those that remove for good are followed by expect_erased().
  void step();

  void add_records(std::size_t count);
  void edit_records();
  void make_run();
  void evaluate_some(bool whole = false);
  void label_some();
  void rate_some();
  void ask_some();
  void remove_something();
  void purge_something();
  void purge_removed();
  void purge_dataset();
  void collect();
  void back_up();
  void reopen();

  // The store is that in this directory from now on, a copy of the one before.
  void move_to(const std::filesystem::path& dir);
  void close() { store_.reset(); }

  // A person with several records, whom the model forgets with everything of theirs: the caller purges.
  ingest::PurgeTarget forget_somebody();

  // No canary of what is gone is in any byte of the store, nor of a backup made now; those of the texts that are there
  // are found, so the search sees.
  void expect_erased();

  // All numbers are those of a fresh store.
  void expect_proof();

  [[nodiscard]] storage::Store& store() { return *store_; }
  [[nodiscard]] std::uint64_t searches() const { return searches_; }
  // Of the searches: those after which purge does not say that nothing is left.
  [[nodiscard]] std::uint64_t unsaid() const { return unsaid_; }
  [[nodiscard]] std::uint64_t dictionaries() const { return dictionaries_; }
  [[nodiscard]] const std::set<std::string>& alive() const { return alive_; }

 private:
  struct Record {
    std::string text, person, meta, claim, category;
    std::optional<std::string> label;
    bool rated = false;                // a rating by a judge elsewhere names its texts
    std::vector<std::string> answers;  // of models, about its text
  };
  std::string word();
  std::string filler(std::size_t words);
  std::string person();
  void store_records(const std::set<std::string>& keys, bool claims);
  void keep_paid(const std::string& key);
  void forget(const std::string& key, bool paid_too);
  void leave_traces();
  void remember_keys();
  void look();  // what is alive now
  std::string some_key();

  std::filesystem::path dir_;
  Dice dice_;
  std::unique_ptr<storage::Store> store_;
  std::uint64_t words_ = 0, files_ = 0, searches_ = 0, dictionaries_ = 0, unsaid_ = 0;
  std::map<std::string, Record> records_;
  std::vector<std::string> persons_;
  std::map<std::string, std::map<std::string, std::string>> runs_;  // name -> key -> text
  bool evaluated_ = false, edited_ = false;
  std::set<std::string> ever_, alive_, kept_;  // kept: paid for, and not purged
  Keys keys_;
};

}  // namespace residue::query::testing
