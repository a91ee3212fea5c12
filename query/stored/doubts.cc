#include "query/stored/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "query/metric/slice.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {
namespace {

constexpr double kJudgeMayErr = 0.8;  // share of records whose claims must stand in their own texts
constexpr std::int64_t kFewLinks = 20;

std::optional<Unsupported> under(storage::Db& db, DatasetId dataset, RunId none, const ProtocolSpec& spec,
                                 std::uint64_t sample, JudgeId judge) {
  storage::Statement find = db.prepare(storage::sql::kProtocolIdByNameAndSample);
  if (!find.bind(dataset, spec.name(), static_cast<std::int64_t>(sample)).step()) return std::nullopt;
  const auto evaluation = current_evaluation(db, none, Tier::kJudge, find.id<ProtocolId>(0), judge);
  if (!evaluation) return std::nullopt;
  storage::Statement value = db.prepare(storage::sql::kMetricValuesAndCounts);
  const auto look = [&](MetricId metric, const std::string& slice) {
    value.reset();
    return value.bind(evaluation->id, static_cast<std::int64_t>(metric), slice).step();
  };
  Unsupported counts;
  if (!look(MetricId::kSemanticDistance, "")) return std::nullopt;
  counts.records = value.integer(2);
  if (look(MetricId::kDistanceHistogram, Slice(Slice::Bin{kBins - 1}).name()) && !value.is_null(1)) {
    counts.unsupported = static_cast<std::int64_t>(value.real(1));  // without failed records
  }
  return counts;
}

}  // namespace

bool Unsupported::too_many(double coverage) const {
  return many() &&
         static_cast<double>(records - unsupported) < std::min(coverage, kJudgeMayErr) * static_cast<double>(records);
}

std::optional<Unsupported> unsupported_claims(storage::Db& db, DatasetId dataset, const std::string& dataset_name,
                                              const ProtocolSpec& protocol, std::uint64_t sample, JudgeId judge) {
  if (find_claim_set(db, dataset, dataset_name, protocol.claim_set).outside) return std::nullopt;
  const std::vector<RunHead> runs = list_runs(db, dataset);
  const auto none = std::ranges::find(runs, RunKind::kNone, &RunHead::kind);
  if (none == runs.end()) return std::nullopt;
  if (auto counts = under(db, dataset, none->id, control_of(protocol, LinkerRole::kOracle), sample, judge)) {
    return counts;
  }
  return under(db, dataset, none->id, protocol, sample, judge);
}

std::string unsupported_note(const std::optional<Unsupported>& counts) {
  if (!counts || !counts->many()) return {};
  return fmt::format(
      "the claims of {} of {} records are not in their own originals, as the judge reads them: an attack with them "
      "says little about a release (ingest claims --outside, if they are from elsewhere)",
      counts->unsupported, counts->records);
}

bool Scattered::misplaced() const { return linked >= kFewLinks && distinct * 10 > linked * 9 && right * 10 < linked; }

std::optional<Scattered> scattered_links(storage::Db& db, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  if (spec.linker->control()) return std::nullopt;
  storage::Statement meant = db.prepare(storage::sql::kRunTextsAreMeant);
  if (meant.bind(run).step() && meant.integer(0) != 0) return std::nullopt;
  storage::Statement count = db.prepare(storage::sql::kLinkScatterOfAlignedRun);
  if (!count.bind(run, protocol).step()) return std::nullopt;
  return Scattered{count.integer(0), count.integer(1), count.integer(2)};
}

std::string misplaced_note(const std::string& run, const std::optional<Scattered>& links) {
  if (!links || !links->misplaced()) return {};
  return fmt::format(
      "the attack on {} finds {} different records for {} targets, {} of them right: its texts, or the "
      "claims, seem to stand under the ids of others (--texts-are-meant, if that is how they were made)",
      run, links->distinct, links->linked, links->right);
}

std::vector<std::string> doubts(storage::Db& db, const StoredAttack& attack, std::span<const RunHead> runs) {
  std::vector<std::string> notes;
  if (attack.spec.linker->control()) return notes;
  const auto add = [&](std::string note) {
    if (!note.empty()) notes.push_back(std::move(note));
  };
  add(unsupported_note(
      unsupported_claims(db, attack.dataset, attack.dataset_name, attack.spec, attack.sample, attack.judge)));
  for (const RunHead& run : runs) {
    if (!run.control()) add(misplaced_note(run.name, scattered_links(db, run.id, attack.protocol, attack.spec)));
  }
  return notes;
}

}  // namespace residue::query
