#include "query/export/trec.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "query/link/releases.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"

namespace residue::query {
namespace {

RunHead head_of(storage::Store& store, DatasetId dataset, const std::string& name, const std::string& run) {
  const RunId id = storage::find_run(store.db(), name, run);
  for (RunHead& head : list_runs(store.db(), dataset)) {
    if (head.id == id) return std::move(head);
  }
  throw Error(Code::kNotFound, "the run was removed meanwhile", "residue status lists the runs");
}

// The runs that the attacker holds must have the one that is asked for.
void require_held(const ProtocolSpec& protocol, const std::string& run) {
  const auto runs = protocol.runs();
  if (runs.empty() || std::find(runs.begin(), runs.end(), run) != runs.end()) return;
  throw Error(Code::kUsage, "the attacker of this protocol does not hold this run", "name one of its runs=A+B");
}

}  // namespace

std::string trec_word(std::string_view key) {
  std::string word;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte != 0x7f && c != '%';
    word += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return word.empty() ? "%" : word;  // no other key is written so
}

std::uint64_t trec_run(storage::Store& store, const std::string& dataset_name, const std::string& run_name,
                       const ProtocolSpec& protocol, TrecScore score, const ProgressFunction& progress,
                       const TrecLines& take) {
  require_attack(protocol);
  require_held(protocol, run_name);
  const DatasetId id = storage::find_dataset(store.db(), dataset_name);
  const RunHead head = head_of(store, id, dataset_name, run_name);
  const ClaimSetHead claims = find_claim_set(store.db(), id, dataset_name, protocol.claim_set);
  require_complete(store.db(), dataset_name, claims.name, run_name);
  const storage::Lock lock = store.lock_run(head.id);
  const DatasetView dataset = load_dataset(store, id, dataset_name, claims);
  const RunView run = load_run(store, dataset, head);
  const OtherReleases others(store, dataset, head, protocol);
  const Releases releases = others.with(run);
  AuxiliaryView auxiliary = sync_auxiliary(store, dataset, protocol.policy);
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    if (dataset.records[i].empty) auxiliary.known[i].query = TextId{};
  }
  std::unordered_map<std::int64_t, std::string> words;
  const RunCandidates candidates = candidates_of(dataset, releases);
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
    words.emplace(candidates.ids[i].value, trec_word(candidates.keys[i]));
  }
  const std::string tag = trec_word(run_name + "/" + protocol.name());
  std::uint64_t lines = 0;
  for_hits(store, dataset, releases, auxiliary, protocol, progress,
           [&](std::size_t record, const std::vector<index::Hit>& hits) {
             const std::string query = trec_word(dataset.records[record].key);
             std::string text;
             for (std::size_t i = 0; i < hits.size(); ++i) {
               const double value = score == TrecScore::kByRank ? 1.0 / static_cast<double>(i + 1) : hits[i].score;
               text += fmt::format("{} Q0 {} {} {} {}\n", query, words.at(hits[i].candidate.value), i + 1, value, tag);
             }
             lines += hits.size();
             take(text);
           });
  return lines;
}

std::uint64_t trec_qrels(storage::Store& store, const std::string& dataset_name, const TrecLines& take) {
  const DatasetId id = storage::find_dataset(store.db(), dataset_name);
  const storage::ReadTransaction snapshot(store.db());
  storage::Statement keys = store.db().prepare(storage::sql::kRecordsInIdOrderWithPerson);
  keys.bind(id);
  std::uint64_t lines = 0;
  for (; keys.step(); ++lines) {
    const std::string word = trec_word(keys.text(1));
    take(fmt::format("{} 0 {} 1\n", word, word));
  }
  return lines;
}

}  // namespace residue::query
