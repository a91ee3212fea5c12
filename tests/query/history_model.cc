#include "tests/query/history_model.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <sstream>

#include "base/hash.h"
#include "ingest/atomize.h"
#include "ingest/claims.h"
#include "ingest/dataset.h"
#include "ingest/remove.h"
#include "ingest/run.h"
#include "ingest/sanitize.h"
#include "tests/ingest/store_fixture.h"
#include "tests/query/child.h"

namespace residue::query::testing {
namespace {

using ingest::ClaimsRow;
using ingest::RecordRow;
using ingest::VariantRow;
using ingest::testing::VectorSource;

constexpr std::size_t kMaxRecords = 20;

// Few words, so that ties, equal texts and shared claims are common.
constexpr std::array kWords = {"Ann", "nurse", "45", "Köln", "lives", "diabetes", "naïve", "日本", "the", "zebra"};

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed + 1) {}
  std::uint64_t below(std::uint64_t n) { return mix(++state_ * 0x9e3779b97f4a7c15ULL) % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  std::string words(std::uint64_t least, std::uint64_t most) {
    std::string text;
    const std::uint64_t count = least + below(most - least + 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      text += (i == 0 ? "" : " ") + std::string(kWords[below(kWords.size())]);
    }
    return text;
  }
  std::string text() { return one_in(8) ? "" : words(2, 5) + ". " + words(1, 4) + "."; }
  template <class Rows>
  void shuffle(Rows& rows) {
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[below(i)]);
  }
  template <class Map>
  auto pick(const Map& map) {
    return std::next(map.begin(), static_cast<std::ptrdiff_t>(below(map.size())));
  }

 private:
  std::uint64_t state_;
};

std::string new_key(const Dataset& dataset, Dice& dice) {
  std::string key;
  do {
    key = fmt::format("{}{}", dice.one_in(5) ? "ä" : "r", dice.below(1000));
  } while (dataset.records.count(key) != 0);
  return key;
}

Record new_record(Dice& dice) {
  Record record{dice.text(), std::nullopt};
  if (dice.one_in(3)) record.person = fmt::format("p{}", dice.below(3));
  return record;
}

RecordRow row_of(const std::string& key, const Record& record) {
  RecordRow row = ingest::testing::record(key, record.text);
  row.person = record.person;
  return row;
}

VariantRow row_of(const std::string& key, const std::optional<std::string>& text) {
  VariantRow row;
  row.key = key;
  if (text) {
    row.text = *text;
  } else {
    row.error = "refused";
  }
  return row;
}

// Writes nothing where there is no store.
class Writer {
 public:
  Writer(storage::Store* store, Dice& dice, std::string name) : store_(store), name_(std::move(name)) {
    options_.batch_rows = dice.one_in(2) ? 20'000 : 1 + dice.below(4);
    path_ = fmt::format("/data/{}.jsonl", dice.below(1'000'000));
  }
  Writer& append() {
    options_.append = true;
    return *this;
  }
  void records(std::vector<RecordRow> rows) {
    if (store_ == nullptr) return;
    VectorSource<RecordRow> source(std::move(rows));
    ingest::ingest_dataset(*store_, name_, source, ingest::testing::file(path_), options_);
  }
  void claims(std::vector<ClaimsRow> rows) {
    if (store_ == nullptr) return;
    VectorSource<ClaimsRow> source(std::move(rows));
    ingest::ingest_claims(*store_, name_, "claims", source, ingest::testing::file(path_), options_);
  }
  void run(const std::string& run, const Run& kind, std::vector<VariantRow> rows) {
    if (store_ == nullptr) return;
    ingest::RunSpec spec;
    spec.synthetic = kind.synthetic;
    spec.removes_everything = kind.removes_everything;
    VectorSource<VariantRow> source(std::move(rows));
    ingest::ingest_run(*store_, name_, run, spec, source, ingest::testing::file(path_), options_);
  }
  void atomize() {
    if (store_ != nullptr) ingest::atomize_dataset(*store_, name_, ingest::kSentenceSet, 2, options_);
  }
  void scrub() {
    if (store_ != nullptr) ingest::sanitize_dataset(*store_, name_, "scrubbed", {"scrub", {}, {}, {}}, 2, options_);
  }

 private:
  storage::Store* store_;
  std::string name_, path_;
  ingest::IngestOptions options_;
};

void change_records(Dataset& dataset, Dice& dice, Writer& writer, bool edit) {
  std::vector<RecordRow> rows;
  if (edit) {
    for (auto& [key, record] : dataset.records) {
      if (!dice.one_in(4)) continue;
      if (dice.one_in(3)) {
        record.person = dice.one_in(2) ? std::nullopt : std::optional(fmt::format("p{}", dice.below(3)));
      } else {
        record.text = dice.text();
      }
      rows.push_back(row_of(key, record));
    }
  }
  const std::uint64_t fresh = 1 + dice.below(5);
  for (std::uint64_t i = 0; i < fresh && dataset.records.size() < kMaxRecords; ++i) {
    const std::string key = new_key(dataset, dice);
    rows.push_back(row_of(key, dataset.records[key] = new_record(dice)));
  }
  dice.shuffle(rows);
  if (!edit) writer.append();
  writer.records(std::move(rows));
}

void change_claims(Dataset& dataset, Dice& dice, Writer& writer, bool arrays) {
  std::vector<ClaimsRow> rows;
  for (const auto& [key, record] : dataset.records) {
    if (dice.one_in(2)) continue;
    auto& claims = dataset.claims[key];
    ClaimsRow row;
    row.record = key;
    row.replaces = arrays;
    if (arrays) {
      claims.clear();
      const std::uint64_t count = dice.below(6);
      for (std::uint64_t i = 0; i < count; ++i) {
        row.claims.push_back(
            {claims[static_cast<std::uint32_t>(i + 1)] = dice.words(1, 3), std::nullopt, std::nullopt});
      }
    } else {  // Positions may leave gaps.
      const auto n = static_cast<std::uint32_t>(1 + dice.below(6));
      row.claims.push_back({claims[n] = dice.words(1, 3), n, std::nullopt});
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  dataset.ingested_claims = true;
  dice.shuffle(rows);
  writer.claims(std::move(rows));
}

void change_aligned(Dataset& dataset, Dice& dice, Writer& writer) {
  const std::string name = fmt::format("run{}", dice.below(3));
  const bool fresh = dataset.runs.count(name) == 0;
  Run& run = dataset.runs[name];
  if (fresh) run.removes_everything = dice.one_in(4);
  dataset.before[name] = run;
  std::vector<VariantRow> rows;
  for (const auto& [key, record] : dataset.records) {
    if (dice.one_in(fresh ? 8 : 2)) continue;
    std::optional<std::string> text;
    switch (dice.below(6)) {
      case 0:
        break;
      case 1:
        text = "";
        break;
      case 2:
      case 3:
        text = record.text;
        break;
      default:
        text = dice.words(1, 5);
    }
    rows.push_back(row_of(key, text));
    run.variants[key] = text && text->empty() && !run.removes_everything ? std::nullopt : text;
  }
  if (rows.empty()) {
    if (fresh) dataset.runs.erase(name);
    return;
  }
  dice.shuffle(rows);
  writer.run(name, run, std::move(rows));
}

// An input with the rows as they were; rows that were not there then stay.
void restore_run(Dataset& dataset, Dice& dice, Writer& writer) {
  if (dataset.before.empty()) return;
  const auto& [name, old] = *dice.pick(dataset.before);
  const auto found = dataset.runs.find(name);
  if (found == dataset.runs.end() || old.variants.empty()) return;
  std::vector<VariantRow> rows;
  for (const auto& [key, text] : old.variants) {
    rows.push_back(row_of(key, text));
    found->second.variants[key] = text;
  }
  writer.run(name, found->second, std::move(rows));
}

void change_synthetic(Dataset& dataset, Dice& dice, Writer& writer) {
  const std::string name = fmt::format("synthetic{}", dice.below(2));
  Run& run = dataset.runs[name];
  run.synthetic = true;
  dataset.before[name] = run;
  const bool keyed = dice.one_in(2);
  std::vector<VariantRow> rows;
  std::set<std::string> used;
  const std::uint64_t count = 1 + dice.below(8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string key = keyed ? fmt::format("s{}", dice.below(12)) : std::to_string(rows.size() + 1);
    if (!used.insert(key).second) continue;
    auto text = dice.one_in(6) ? std::nullopt : std::optional(dice.words(1, 5));
    rows.push_back(row_of(key, text));
    if (!keyed) rows.back().key.reset();
    run.variants[key] = text;
  }
  writer.run(name, run, std::move(rows));
}

std::vector<std::string> claim_sets(const Dataset& dataset) {
  std::vector<std::string> sets;
  if (dataset.ingested_claims) sets.emplace_back("claims");
  if (dataset.atomized) sets.emplace_back("sentences");
  return sets;
}

void evaluate_one(storage::Store* store, const std::string& dataset, const std::optional<std::string>& run,
                  const Asked& asked, std::size_t keep_from) {
  if (store == nullptr) return;
  EvalOptions options;
  options.protocols = {parse_protocol(asked.protocol)};
  options.judge = asked.judge;
  options.sample = asked.sample;
  options.keep_replicates_from = keep_from;
  evaluate(*store, {{dataset, run}}, options);
}

void evaluate_some(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store) {
  const auto sets = claim_sets(dataset);
  if (sets.empty()) return;
  constexpr std::array kAttacks = {"bm25/random:3", "bm25/random:2@7", "bm25/first:1",
                                   "bm25/last:2",   "bm25/all",        "bm25[analyzer=plain]/first:2"};
  Asked asked;
  // Mostly an attack that has been tried before: histories live from evaluating again.
  if (!dataset.asked.empty() && !dice.one_in(3)) {
    asked = *dice.pick(dataset.asked);
    if (dice.one_in(4)) asked.judge = asked.judge == "rouge" ? "lexical" : "rouge";
  } else {
    asked = {fmt::format("{}/{}", kAttacks[dice.below(kAttacks.size())], sets[dice.below(sets.size())]),
             dice.one_in(3) ? "rouge" : "lexical", dice.one_in(3) ? 1 + dice.below(6) : 0};
  }
  if (dataset.asked.size() >= 4 && dataset.asked.count(asked) == 0) asked = *dice.pick(dataset.asked);
  dataset.asked.insert(asked);
  std::optional<std::string> run;
  if (dice.one_in(3)) run = dataset.runs.empty() ? "none" : dice.pick(dataset.runs)->first;
  constexpr std::array<std::size_t, 3> kKeep = {0, 6, kReplicatesKeptFrom};
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 1 + dice.below(3));
  evaluate_one(store, name, run, asked, kKeep[dice.below(kKeep.size())]);
}

void remove_run(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store) {
  if (dataset.runs.empty()) return;
  const std::string run = dice.pick(dataset.runs)->first;
  dataset.runs.erase(run);
  dataset.before.erase(run);
  if (store == nullptr) return;
  try {
    ingest::remove_run(*store, name, run);
  } catch (const Error& error) {  // The killed child had removed it.
    if (error.code() != Code::kNotFound) throw;
  }
}

}  // namespace

std::string encode(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& c : commands) text += fmt::format("{} {} {} ", static_cast<int>(c.action), c.seed, c.fault);
  return text;
}

std::vector<Command> decode(const std::string& text) {
  std::vector<Command> commands;
  std::istringstream in(text);
  int action = 0;
  Command command;
  while (in >> action >> command.seed >> command.fault) {
    command.action = static_cast<Action>(action);
    commands.push_back(command);
  }
  return commands;
}

History::History(std::string dir) : dir_(std::move(dir)) {
  if (!dir_.empty()) store_ = std::make_unique<storage::Store>(dir_ + "/.residue");
}

void History::act(const Command& command) {
  Dice dice(command.seed);
  const std::string name = dice.one_in(8) ? "e" : "d";
  Dataset& dataset = datasets_[name];
  storage::Store* store = store_.get();
  Writer writer(store, dice, name);
  const bool first = dataset.records.empty();
  switch (first && command.action < Action::kGarbage ? Action::kRecords : command.action) {
    case Action::kRecords:
      change_records(dataset, dice, writer, true);
      break;
    case Action::kAppend:
      change_records(dataset, dice, writer, false);
      break;
    case Action::kClaims:
      change_claims(dataset, dice, writer, true);
      break;
    case Action::kSingleClaims:
      change_claims(dataset, dice, writer, false);
      break;
    case Action::kRun:
      change_aligned(dataset, dice, writer);
      break;
    case Action::kSynthetic:
      change_synthetic(dataset, dice, writer);
      break;
    case Action::kEvaluate:
      if (claim_sets(dataset).empty()) change_claims(dataset, dice, writer, true);
      evaluate_some(name, dataset, dice, store);
      break;
    case Action::kAtomize:
      dataset.atomized = true;
      writer.atomize();
      break;
    case Action::kScrub:
      dataset.scrubbed = true;
      writer.scrub();
      break;
    case Action::kRemoveRun:
      remove_run(name, dataset, dice, store);
      break;
    case Action::kRestoreRun:
      restore_run(dataset, dice, writer);
      break;
    case Action::kGarbage:
      if (store != nullptr) store->collect_garbage();
      break;
    case Action::kReopen:
    case Action::kCount:
      if (store == nullptr) break;
      store_.reset();
      store_ = std::make_unique<storage::Store>(dir_ + "/.residue");
      break;
  }
}

void History::replay(const std::string& dir, const std::vector<Command>& commands) {
  History history("");
  for (std::size_t i = 0; i + 1 < commands.size(); ++i) history.act(commands[i]);
  history.store_ = std::make_unique<storage::Store>(dir + "/.residue");
  history.dir_ = dir;
  history.act(commands.back());
}

void History::execute(const Command& command) {
  done_.push_back(command);
  if (command.fault > 0 && !dir_.empty()) {
    store_.reset();
    const int status = run_child("History.EndsWithTheNumbersOfAFreshStore",
                                 {"RESIDUE_HISTORY_DIR=" + dir_, "RESIDUE_HISTORY=" + encode(done_),
                                  fmt::format("RESIDUE_FAULT={}", command.fault)});
    if (!killed(status) && !succeeded(status)) throw std::runtime_error("the child failed by itself");
    store_ = std::make_unique<storage::Store>(dir_ + "/.residue");
  }
  act(command);
}

void History::evaluate_all() {
  Dice dice(7);
  for (auto& [name, dataset] : datasets_) {
    if (dataset.records.empty()) continue;
    Writer writer(store_.get(), dice, name);
    if (dataset.atomized) writer.atomize();
    if (dataset.scrubbed) writer.scrub();
    for (const Asked& asked : dataset.asked) evaluate_one(store_.get(), name, std::nullopt, asked, 6);
  }
}

std::unique_ptr<storage::Store> History::fresh(const std::string& dir, std::uint32_t seed) const {
  storage::Store::create(dir);
  auto store = std::make_unique<storage::Store>(dir + "/.residue");
  Dice dice(seed);
  for (auto at = datasets_.rbegin(); at != datasets_.rend(); ++at) {
    const auto& [name, dataset] = *at;
    if (dataset.records.empty()) continue;
    std::vector<RecordRow> records;
    for (const auto& [key, record] : dataset.records) records.push_back(row_of(key, record));
    dice.shuffle(records);
    Writer(store.get(), dice, name).records(std::move(records));

    std::vector<std::string> runs;
    for (const auto& [run, _] : dataset.runs) runs.push_back(run);
    dice.shuffle(runs);
    for (const std::string& run : runs) {
      std::vector<VariantRow> rows;
      for (const auto& [key, text] : dataset.runs.at(run).variants) rows.push_back(row_of(key, text));
      dice.shuffle(rows);
      if (!rows.empty()) Writer(store.get(), dice, name).run(run, dataset.runs.at(run), std::move(rows));
    }
    std::vector<ClaimsRow> claims;
    for (const auto& [key, texts] : dataset.claims) {
      for (const auto& [n, text] : texts) {
        ClaimsRow row;
        row.record = key;
        row.claims.push_back({text, n, std::nullopt});
        claims.push_back(std::move(row));
      }
      if (texts.empty()) {
        ClaimsRow row;
        row.record = key;
        row.replaces = true;
        claims.push_back(std::move(row));
      }
    }
    dice.shuffle(claims);
    if (dataset.ingested_claims) Writer(store.get(), dice, name).claims(std::move(claims));
    if (dataset.scrubbed) Writer(store.get(), dice, name).scrub();
    if (dataset.atomized) Writer(store.get(), dice, name).atomize();
    for (const Asked& asked : dataset.asked) {
      evaluate_one(store.get(), name, std::nullopt, asked, kReplicatesKeptFrom);
    }
  }
  return store;
}

}  // namespace residue::query::testing
