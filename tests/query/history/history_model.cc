#include "tests/query/history/history_model.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <array>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/atomize/atomize_run.h"
#include "model/server/endpoint.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/inputs/snapshot.h"
#include "tests/query/child.h"
#include "tests/query/history/history_answers.h"
#include "tests/query/history/history_edits.h"
#include "tests/query/history/history_judgments.h"
#include "tests/query/history/history_labels.h"
#include "tests/query/history/history_vectors.h"

namespace residue::query::testing {
namespace {

using ingest::ClaimsRow;
using ingest::RecordRow;
using ingest::VariantRow;

std::vector<std::string> claim_sets(const Dataset& dataset) {
  std::vector<std::string> sets;
  if (dataset.ingested_claims) sets.emplace_back("claims");
  if (dataset.atomized) sets.emplace_back("sentences");
  return sets;
}

// Claims of the runs, for attackers whose claims vote.
void atomize_runs(storage::Store& store, const std::string& dataset) {
  for (const RunHead& run : list_runs(store.db(), storage::find_dataset(store.db(), dataset))) {
    if (run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll) continue;
    ingest::atomize_run(store, dataset, run.name, ingest::kSentenceSet, 2);
  }
}

EvalCounts evaluate_one(storage::Store* store, const std::string& dataset, const std::optional<std::string>& run,
                        const Asked& asked, std::size_t keep_from, bool with_claims = true) {
  if (store == nullptr) return {};
  EvalOptions options;
  options.protocols = {parse_protocol(asked.protocol)};
  if (with_claims && !options.protocols[0].run_claims().empty()) atomize_runs(*store, dataset);
  options.judge = asked.judge;
  options.sample = asked.sample;
  options.keep_replicates_from = keep_from;
  return evaluate(*store, {{dataset, run}}, options);
}

void add(LinkTotals& totals, const EvalCounts& counts) {
  totals.computed += counts.links;
  totals.searched += counts.links_searched;
  totals.ranked += counts.links_ranked;
}

void add_model(storage::Store& store, const std::string& server) {
  if (server.empty()) return;
  model::Endpoint endpoint;
  endpoint.name = "model";
  endpoint.asking.model = "m";
  endpoint.votes = 1;
  endpoint.claims_per_request = 3;
  endpoint.canaries = false;
  endpoint.transport.url = server;
  const auto batch = store.write();
  model::save_endpoint(batch->db(), endpoint);
  batch->commit();
}

EvalCounts evaluate_some(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store,
                         const std::string& usual, const std::string& other) {
  const auto sets = claim_sets(dataset);
  if (sets.empty()) return {};
  constexpr std::array kAttacks = {"bm25/random:3", "bm25/random:2@7", "bm25/first:1", "bm25/last:2", "bm25/all",
                                   "bm25[analyzer=plain]/first:2", "rouge-l/first:2", "rouge-l-recall/last:1",
                                   "bm25[lengths=lucene]/first:1", "bm25-vote/first:2", "bm25-vote/all",
                                   // with a further claim set
                                   "bm25/given:{}", "bm25/first:2~{}"};
  Asked asked;
  // Mostly an attack that has been tried before: histories live from evaluating again.
  if (!dataset.asked.empty() && !dice.one_in(3)) {
    asked = *dice.pick(dataset.asked);
    if (dice.one_in(4)) asked.judge = asked.judge == other ? usual : other;
    if (!dataset.judgments.empty() && dice.one_in(3)) asked.judge = "x";
  } else {
    const std::string attack =
        fmt::format(fmt::runtime(kAttacks[dice.below(kAttacks.size())]), sets[dice.below(sets.size())]);
    asked = {fmt::format("{}/{}", attack, sets[dice.below(sets.size())]), dice.one_in(3) ? other : usual,
             dice.one_in(3) ? 1 + dice.below(6) : 0};
  }
  if (dataset.asked.size() >= 4 && dataset.asked.count(asked) == 0) asked = *dice.pick(dataset.asked);
  dataset.asked.insert(asked);
  std::optional<std::string> run;
  if (dice.one_in(3)) run = dataset.runs.empty() ? "none" : dice.pick(dataset.runs)->first;
  constexpr std::array<std::size_t, 3> kKeep = {0, 6, kReplicatesKeptFrom};
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 1 + dice.below(3));
  const std::size_t keep = kKeep[dice.below(kKeep.size())];
  const bool with_claims = !dice.one_in(4);
  try {
    return evaluate_one(store, name, run, asked, keep, with_claims);
  } catch (const Error& error) {  // Claims of a run are missing, or older than the run.
    if (with_claims || (error.code() != Code::kNotFound && error.code() != Code::kBadInput)) throw;
  }
  return {};
}

// Those that need nobody's vectors.
void evaluate_texts(storage::Store* store, const std::string& dataset, const std::optional<std::string>& run = {}) {
  if (store == nullptr) return;
  CorpusOptions options;
  options.metrics = {MetricId::kTopicDistance,   MetricId::kDetectability,     MetricId::kRarePhraseDensity,
                     MetricId::kRarePhraseShare, MetricId::kSamePersonLinkage, MetricId::kSamePersonLinkageNet};
  options.phrase_memory_bytes = 1;
  options.embedder = kNoEmbedder;
  evaluate_corpus(*store, {{dataset, run}}, options);
}

// By vectors of an epoch, after which all that was asked for is compared.
void compare_some(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store) {
  if (dataset.records.empty()) return;
  dataset.embedded = true;
  const bool with_claims = !dice.one_in(3);
  const std::uint64_t epoch = dice.below(3);
  if (store == nullptr) return;
  if (with_claims) atomize_runs(*store, name);
  embed_claims(*store, name, epoch);
  for (const Asked& asked : dataset.asked) {
    if (with_claims) evaluate_one(store, name, std::nullopt, asked, 6);
    compare_claims(*store, name, asked);
  }
}

void compare_all(const std::string& name, const Dataset& dataset, storage::Store& store) {
  if (!dataset.embedded) return;
  atomize_runs(store, name);
  embed_claims(store, name, 0);
  for (const Asked& asked : dataset.asked) compare_claims(store, name, asked);
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

History::History(std::string dir, std::string server) : dir_(std::move(dir)), server_(std::move(server)) {
  if (dir_.empty()) return;
  store_ = std::make_unique<storage::Store>(dir_ + "/.residue");
  add_model(*store_, server_);
}

void History::act(const Command& command) {
  Dice dice(command.seed);
  const std::string name = dice.one_in(8) ? "e" : "d";
  Dataset& dataset = datasets_[name];
  storage::Store* store = store_.get();
  Writer writer(store, dice, name);
  const bool first = dataset.records.empty();
  switch (first && (command.action < Action::kGarbage || command.action > Action::kReopen) ? Action::kRecords
                                                                                           : command.action) {
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
      add(links_, evaluate_some(name, dataset, dice, store, server_.empty() ? "lexical" : "model",
                                server_.empty() ? "rouge" : "lexical"));
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
    case Action::kAnswers:
      change_answers(name, dataset, dice, store);
      break;
    case Action::kLabels:
      change_labels(name, dataset, dice, store);
      break;
    case Action::kCorpus:
      dataset.corpus = true;
      evaluate_texts(
          store, name,
          dice.one_in(2) && !dataset.runs.empty() ? std::optional(dice.pick(dataset.runs)->first) : std::nullopt);
      break;
    case Action::kVectors:
      compare_some(name, dataset, dice, store);
      break;
    case Action::kJudgments:
      change_judgments(dataset, dice, store);
      break;
    case Action::kRemoveRecord:
      remove_record(name, dataset, dice, store);
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

void History::replay(const std::string& dir, const std::vector<Command>& commands, const std::string& server) {
  History history("", server);
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
                                  "RESIDUE_HISTORY_SERVER=" + server_, fmt::format("RESIDUE_FAULT={}", command.fault)});
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
    for (const Asked& asked : dataset.asked) add(links_, evaluate_one(store_.get(), name, std::nullopt, asked, 6));
    compare_all(name, dataset, *store_);
  }
  // Vectors that come later may be of originals.
  for (auto& [name, dataset] : datasets_) {
    if (!dataset.records.empty() && dataset.corpus) evaluate_texts(store_.get(), name);
  }
}

std::unique_ptr<storage::Store> History::fresh(const std::string& dir, std::uint32_t seed) const {
  storage::Store::create(dir);
  auto store = std::make_unique<storage::Store>(dir + "/.residue");
  add_model(*store, server_);
  Dice dice(seed);
  for (const auto& [name, dataset] : datasets_) put_judgments(*store, dataset.judgments, dice);
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
    copy_answers(*store_, *store, name, dice);
    copy_labels(*store_, *store, name, dice);
    for (const Asked& asked : dataset.asked) {
      evaluate_one(store.get(), name, std::nullopt, asked, kReplicatesKeptFrom);
    }
    compare_all(name, dataset, *store);
  }
  for (const auto& [name, dataset] : datasets_) {
    if (!dataset.records.empty() && dataset.corpus) evaluate_texts(store.get(), name);
  }
  return store;
}

}  // namespace residue::query::testing
