#include "tests/query/erase/erased_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/judgments.h"
#include "ingest/files/labels.h"
#include "ingest/files/remove.h"
#include "ingest/files/remove_record.h"
#include "ingest/files/run.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/recompute.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {
namespace {

namespace fs = std::filesystem;
using ingest::testing::VectorSource;

constexpr std::size_t kFirstRecords = 330;  // of some 850 bytes: more than a dictionary is trained on
constexpr std::size_t kRunRecords = 25;

ingest::SourceIdentity new_file(std::uint64_t number) {
  return ingest::testing::file(fmt::format("/data/{}.jsonl", number));
}

// The words of a text that are canaries.
void add_words(std::string_view text, std::set<std::string>& words) {
  for (const auto& [word, where] : seek_canaries_in(text, "", {})) words.insert(word);
}

}  // namespace

ErasedWorld::ErasedWorld(const fs::path& dir, std::uint32_t seed) : dir_(dir), dice_(seed) {
  storage::Store::create(dir_);
  reopen();
  words_ = std::uint64_t{seed} << 20U;
  add_records(kFirstRecords);
}

std::string ErasedWorld::word() {
  std::string word = canary(words_++);
  ever_.insert(word);
  return word;
}

std::string ErasedWorld::filler(std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t number = dice_.below(400);
    text += fmt::format("{}{}{} ", kWords[number % kWords.size()], "aeiou"[number % 5], number / 5);
  }
  return text;
}

std::string ErasedWorld::person() {
  if (persons_.empty() || dice_.one_in(12)) persons_.push_back("person " + word());
  return persons_[dice_.below(persons_.size())];
}

void ErasedWorld::store_records(const std::set<std::string>& keys, bool claims) {
  std::vector<ingest::RecordRow> rows;
  std::vector<ingest::ClaimsRow> facts;
  for (const std::string& key : keys) {
    const Record& record = records_.at(key);
    ingest::RecordRow row = ingest::testing::record(key, record.text);
    row.person = record.person;
    row.meta = record.meta;
    rows.push_back(row);
    ingest::ClaimsRow said;
    said.record = key;
    said.replaces = true;
    said.claims.push_back({record.claim, std::nullopt, record.category});
    said.claims.push_back({"He lives in Graz.", std::nullopt, "[]"});
    facts.push_back(std::move(said));
  }
  ingest::IngestOptions options;
  options.batch_rows = 1000;
  VectorSource<ingest::RecordRow> source(rows);
  ingest::ingest_dataset(*store_, "d", source, new_file(++files_), options);
  if (!claims) return;
  VectorSource<ingest::ClaimsRow> claim_source(facts);
  ingest::ingest_claims(*store_, "d", "claims", claim_source, new_file(++files_), options);
}

void ErasedWorld::add_records(std::size_t count) {
  std::set<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = "r-" + word();
    Record& record = records_[key];
    record.text = filler(60) + word() + " " + filler(55);
    record.person = person();
    record.meta = fmt::format(R"({{"ward":"{}"}})", word());
    record.claim = "Somebody has " + word() + ".";
    record.category = dice_.one_in(20) ? fmt::format(R"(["{}"])", word()) : R"(["Health"])";
    keys.insert(key);
  }
  store_records(keys, true);
}

void ErasedWorld::edit_records() {
  std::set<std::string> keys;
  for (int i = 0; i < 4; ++i) {
    const std::string key = some_key();
    Record& record = records_.at(key);
    keep_paid(key);  // what was paid for keeps the wording as it was
    record.rated = false;
    record.answers.clear();
    record.text = filler(40) + word() + " " + filler(70);
    record.claim = "Somebody had " + word() + ".";
    keys.insert(key);
  }
  if (!keys.empty()) store_records(keys, true);
  edited_ = true;
}

void ErasedWorld::make_run() {
  const std::string name = fmt::format("run{}", dice_.below(3));
  std::vector<ingest::VariantRow> rows;
  auto& texts = runs_[name];
  std::size_t left = kRunRecords;
  for (const auto& [key, record] : records_) {
    if (left-- == 0) break;
    keys_.originals.insert(record.text);
    std::string& text = texts[key];
    if (record.rated) add_words(text, kept_);
    text = record.text.substr(0, record.text.size() / 2) + word() + " masked";
    rows.push_back(ingest::testing::variant(key, text));
  }
  VectorSource<ingest::VariantRow> source(rows);
  ingest::ingest_run(*store_, "d", name, {}, source, new_file(++files_));
}

void ErasedWorld::evaluate_some(bool whole) {
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:1/claims")};
  options.judge = "lexical";
  const bool all = whole || runs_.empty() || dice_.one_in(2);
  evaluate(*store_, {{"d", all ? std::nullopt : std::optional(runs_.begin()->first)}}, options);
  evaluated_ = true;
}

void ErasedWorld::label_some() {
  std::vector<ingest::LabelRow> rows;
  for (int i = 0; i < 5; ++i) {
    const std::string key = some_key();
    Record& record = records_.at(key);
    if (record.label) continue;
    ingest::LabelRow row;
    row.line = rows.size() + 1;
    row.record = key;
    row.annotator = "anno " + word();
    const std::string value = word();
    const nlohmann::json payload = {
        {"attribute", "job"}, {"value", value}, {"certainty", 3}, {"hardness", 3}, {"annotator", *row.annotator}};
    row.payload = payload.dump();
    record.label = row.payload;
    rows.push_back(row);
  }
  if (rows.empty()) return;
  VectorSource<ingest::LabelRow> source(rows);
  ingest::ingest_labels(*store_, "d", "attribute", std::nullopt, source, new_file(++files_));
}

// By a judge elsewhere: paid for.
void ErasedWorld::rate_some() {
  if (runs_.empty()) return;
  auto& [name, texts] = *dice_.pick(runs_);
  std::vector<ingest::JudgmentRow> rows;
  for (int i = 0; i < 3 && !texts.empty(); ++i) {
    const auto& [key, text] = *dice_.pick(texts);
    Record& record = records_.at(key);
    if (record.rated) continue;
    ingest::JudgmentRow row;
    row.line = rows.size() + 1;
    row.judge = "x";
    row.claim = record.claim;
    row.passage = text;
    record.rated = true;
    rows.push_back(row);
  }
  if (rows.empty()) return;
  VectorSource<ingest::JudgmentRow> source(rows);
  ingest::ingest_judgments(*store_, std::nullopt, "", source, new_file(++files_));
}

// What a model answered about a record's text, and quoted, as model/asking saves it.
void ErasedWorld::ask_some() {
  const std::string key = some_key();
  Record& record = records_.at(key);
  record.answers.push_back("The text says " + word());
  const VoteKey vote(TaggedHash("test").field("answer", record.answers.back()).bytes());
  model::Sender sender{"local", "d", model::parse_server_url("http://127.0.0.1:1/v1", "host")};
  const auto batch = store_->write();
  const std::uint32_t n = model::record_sending(batch->db(), sender, {vote, 0, "{}"}, 1);
  const std::vector<std::string_view> texts = {record.text};
  model::record_texts(*store_, *batch, vote, texts);
  batch->facts().put_answer(
      vote, n, model::encode({200, "http://127.0.0.1:1/v1", 1, 1, false, record.answers.back(), 0, false}));
  model::Outgoing fate;
  fate.vote = vote;
  fate.attempt = n;
  fate.fate = model::Fate::kSaved;
  model::record_fate(batch->db(), fate);
  batch->commit();
}

std::string ErasedWorld::some_key() { return dice_.pick(records_)->first; }

// The canaries that stay with what was paid for: an answer; rated texts.
void ErasedWorld::keep_paid(const std::string& key) {
  const Record& record = records_.at(key);
  for (const std::string& answer : record.answers) add_words(answer, kept_);
  if (!record.rated) return;
  add_words(record.claim, kept_);
  for (const auto& [name, texts] : runs_) {
    if (const auto found = texts.find(key); found != texts.end()) add_words(found->second, kept_);
  }
}

void ErasedWorld::forget(const std::string& key, bool paid_too) {
  if (!paid_too) keep_paid(key);
  for (auto& [name, texts] : runs_) texts.erase(key);
  records_.erase(key);
}

void ErasedWorld::remove_something() {
  if (dice_.one_in(3) && !runs_.empty()) {
    const auto run = dice_.pick(runs_);
    for (const auto& [key, text] : run->second) {
      if (records_.at(key).rated) add_words(text, kept_);
    }
    ingest::remove_run(*store_, "d", run->first);
    runs_.erase(run);
    return;
  }
  const std::string key = some_key();
  ingest::remove_record(*store_, "d", key);
  forget(key, false);
}

void ErasedWorld::purge_something() {
  const std::uint64_t what = dice_.below(4);
  if (what == 3) return purge_removed();
  ingest::PurgeTarget target;
  target.dataset = "d";
  if (what == 0 && !runs_.empty()) {
    const auto run = dice_.pick(runs_);
    target = {ingest::PurgeKind::kRun, "d", run->first};
    runs_.erase(run);
  } else if (what == 1 && !persons_.empty()) {
    target = {ingest::PurgeKind::kPerson, "d", records_.at(some_key()).person};
    std::vector<std::string> keys;
    for (const auto& [key, record] : records_) {
      if (record.person == target.name) keys.push_back(key);
    }
    if (keys.size() == records_.size()) return;
    for (const std::string& key : keys) forget(key, true);
    std::erase(persons_, target.name);
  } else {
    target = {ingest::PurgeKind::kRecord, "d", some_key()};
    forget(target.name, true);
  }
  remember_keys();
  (void)ingest::purge_rows(*store_, target);
  collect();
}

void ErasedWorld::purge_removed() {
  remember_keys();
  // What attackers were taken to know names replaced claims until then.
  if (edited_ && evaluated_) evaluate_some(true);
  (void)ingest::purge_rows(*store_, {ingest::PurgeKind::kRemoved, "", ""});
  collect();
  EXPECT_TRUE(kept_.empty());
}

void ErasedWorld::purge_dataset() {
  remember_keys();
  (void)ingest::purge_rows(*store_, {ingest::PurgeKind::kDataset, "d", ""});
  records_.clear();
  runs_.clear();
  persons_.clear();
  collect();
  EXPECT_TRUE(kept_.empty()) << "the only dataset had every earlier wording";
}

void ErasedWorld::collect() {
  // What attackers were taken to know names replaced claims until then.
  if (edited_ && evaluated_ && !records_.empty()) evaluate_some(true);
  edited_ = false;
  remember_keys();
  const auto gone = store_->collect_garbage();
  leave_traces();
  dictionaries_ += gone.dictionaries;
  EXPECT_EQ(gone.left, std::vector<std::string>());
  EXPECT_EQ(gone.lacking_bytes, 0U);
  const bool left = ingest::paid_left(*store_, "d").any();
  unsaid_ += left ? 1 : 0;
  if (!left) kept_.clear();  // purge would say that nothing is left
  expect_erased();
}

void ErasedWorld::back_up() {
  const fs::path file = dir_ / fmt::format("backup-{}.tar", ++files_);
  store_->backup(file);
}

void ErasedWorld::reopen() {
  store_.reset();
  store_ = std::make_unique<storage::Store>(dir_ / ".residue");
  leave_traces();
}

// Not every build of the engine overwrites what it deletes: a plain removal leaves it in the pages.
void ErasedWorld::leave_traces() { store_->db().run("PRAGMA secure_delete=OFF"); }

void ErasedWorld::move_to(const fs::path& dir) {
  store_.reset();
  dir_ = dir;
  reopen();
}

ingest::PurgeTarget ErasedWorld::forget_somebody() {
  remember_keys();
  // Of the records that have a run's text, ratings and answers: these come first.
  const ingest::PurgeTarget target{ingest::PurgeKind::kPerson, "d", records_.begin()->second.person};
  std::vector<std::string> keys;
  for (const auto& [key, record] : records_) {
    if (record.person == target.name) keys.push_back(key);
  }
  for (const std::string& key : keys) forget(key, true);
  std::erase(persons_, target.name);
  return target;
}

void ErasedWorld::remember_keys() {
  for (const auto cls : {storage::PrivacyClass::kOriginal, storage::PrivacyClass::kSanitized}) {
    for (std::string& bytes : store_->facts().dictionaries(cls)) keys_.dictionaries.insert(std::move(bytes));
  }
}

void ErasedWorld::look() {
  alive_ = kept_;
  for (const auto& [key, record] : records_) {
    for (const std::string& text :
         {key, record.text, record.person, record.meta, record.claim, record.category, record.label.value_or("")}) {
      add_words(text, alive_);
    }
    for (const std::string& answer : record.answers) add_words(answer, alive_);
  }
  for (const auto& [name, texts] : runs_) {
    for (const auto& [key, text] : texts) add_words(text, alive_);
  }
}

void ErasedWorld::expect_erased() {
  ++searches_;
  look();
  remember_keys();
  Found found = seek_canaries(dir_ / ".residue", keys_);
  const fs::path next = dir_ / "next.tar";
  store_->backup(next);
  for (const auto& [word, where] : seek_canaries(next, keys_)) found[word].insert(where.begin(), where.end());
  fs::remove(next);
  std::size_t shown = 0;
  for (const auto& [word, where] : found) {
    if (alive_.count(word) != 0 || ever_.count(word) == 0) continue;  // bytes may look like a word by chance
    for (const std::string& place : where) ADD_FAILURE() << word << " is gone, and in " << place;
    if (++shown == 5) break;
  }
  for (const auto& [key, record] : records_) {
    std::set<std::string> words;
    add_words(record.text + record.claim, words);
    for (const std::string& word : words) EXPECT_EQ(found.count(word), 1U) << "the search is blind";
  }
}

void ErasedWorld::expect_proof() {
  if (!evaluated_ || records_.empty()) return;
  evaluate_some(true);
  const fs::path scratch = dir_ / fmt::format("proof{}", ++files_);
  EXPECT_TRUE(recompute(*store_, scratch, {}).differences.empty());
}

void ErasedWorld::step() {
  if (records_.size() < 5) add_records(20);
  switch (dice_.below(12)) {
    case 0:
      return add_records(10);
    case 1:
      return edit_records();
    case 2:
    case 3:
      return make_run();
    case 4:
      return evaluate_some();
    case 5:
      return label_some();
    case 6:
      return rate_some();
    case 7:
      return ask_some();
    case 8:
      return remove_something();
    case 9:
      return purge_something();
    case 10:
      return dice_.one_in(2) ? collect() : back_up();
    default:
      return reopen();
  }
}

}  // namespace residue::query::testing
