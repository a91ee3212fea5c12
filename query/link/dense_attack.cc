#include "query/link/dense_attack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "index/voting.h"
#include "query/absent/rest.h"
#include "query/link/run_claims.h"
#include "storage/vectors.h"

namespace residue::query {
namespace {

bool is_zero(std::span<const float> row) {
  return std::all_of(row.begin(), row.end(), [](float value) { return value == 0; });
}

constexpr std::size_t kRecordsAtOnce = 4'096;

// The sum of the rows' directions: their mean but for the length, which a cosine does not see.
void add_directions(std::span<const float> rows, std::span<float> out) {
  std::vector<double> sum(out.size(), 0.0);
  for (std::size_t begin = 0; begin < rows.size(); begin += out.size()) {
    const auto row = rows.subspan(begin, out.size());
    double square = 0;
    for (const float value : row) square += static_cast<double>(value) * value;
    const double norm = std::sqrt(square);
    for (std::size_t j = 0; j < row.size(); ++j) sum[j] += row[j] / norm;
  }
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<float>(sum[j]);
}

bool all_there(std::span<const float> rows, std::size_t dimension) {
  for (std::size_t begin = 0; begin < rows.size(); begin += dimension) {
    if (is_zero(rows.subspan(begin, dimension))) return false;
  }
  return !rows.empty();
}

// Where a server makes the vectors, it makes those that are missing.
std::string remedy_by_server(const std::string& dataset, const std::string& run, const std::string& model) {
  return fmt::format("residue embed {}{}{} --with {}", dataset, run.empty() ? "" : "/", run, model);
}

// How to bring in what is missing, and a query of the views that lists it: messages name no record.
std::string remedy(const std::string& dataset, const std::string& model, const std::string& of, const std::string& list,
                   const std::string& text) {
  return fmt::format(
      "residue ingest vectors {} FILE --model {} --of {}; which ones: residue sql \"SELECT {} AND dataset = '{}' AND "
      "{} "
      "<> 0 AND {} NOT IN (SELECT vector_text FROM vectors WHERE model = '{}')\"",
      dataset, model, of, list, dataset, text, text, model);
}

std::string remedy_for_records(const std::string& dataset, const std::string& model) {
  return remedy(dataset, model, "record", "record FROM records WHERE true", "record_text");
}

std::string remedy_for_claims(const std::string& dataset, const std::string& set, const std::string& model) {
  return remedy(dataset, model, "claim --set " + set, fmt::format("record, n FROM claims WHERE claim_set = '{}'", set),
                "claim_text");
}

// `set`: of the run's claims; empty: its texts.
std::string remedy_for_run(const std::string& dataset, const std::string& run, const std::string& set,
                           const std::string& model) {
  if (set.empty()) {
    return remedy(dataset, model, "variant --run " + run,
                  fmt::format("coalesce(record, key) AS id FROM variants WHERE run = '{}'", run), "variant_text");
  }
  return remedy(
      dataset, model, fmt::format("claim --run {} --set {}", run, set),
      fmt::format("coalesce(record, key) AS id, n FROM run_claims WHERE run = '{}' AND claim_set = '{}'", run, set),
      "claim_text");
}

}  // namespace

void require_vectors(storage::Store& store, const DatasetView& dataset, const RunView& run, AuxiliaryView auxiliary,
                     const std::vector<bool>& sampled, const ProtocolSpec& protocol) {
  if (!protocol.linker->needs_vectors()) return;
  find_queries(store, auxiliary);
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (!sampled[i]) auxiliary.known[i].query = TextId{};
  }
  static_cast<void>(DenseAttack(store, dataset, run, auxiliary, protocol));
}

DenseAttack::DenseAttack(storage::Store& store, const DatasetView& dataset, const RunView& run,
                         const AuxiliaryView& auxiliary, const ProtocolSpec& protocol)
    : store_(store),
      dataset_(dataset),
      releases_({&run}),
      auxiliary_(auxiliary),
      protocol_(protocol),
      model_(protocol.options.at("model")),
      votes_(!protocol.run_claims().empty()),
      dimension_(storage::find_embedder(store.db(), model_).dimension),
      made_here_(storage::embedder_origin(store.db(), model_).has_value()) {
  const RunCandidates candidates =
      votes_ ? claim_candidates(store, dataset, run, protocol.run_claims()) : candidates_of(dataset, run);
  {
    const std::vector<float> values = load(model_, candidates.texts);
    require(run, candidates, values);
    index_.emplace(table_of(candidates), candidates.ids, values, dimension_);
  }
  load_queries();
  const RunCandidates texts = candidates_of(dataset, run);
  candidates_ = texts.ids.size();
  if (votes_) voted_ = table_of(texts);
}

std::vector<float> DenseAttack::load(const std::string& model, std::span<const TextId> texts) const {
  const storage::ReadTransaction snapshot(store_.db());
  const auto embedder = storage::embedder_named(store_.db(), model);
  if (!embedder) return std::vector<float>(texts.size() * dimension_);  // of none
  if (embedder->dimension != dimension_) {
    throw Error(Code::kBadInput,
                fmt::format("vectors of \"{}\" have {} dimensions where those of \"{}\" have {}", model,
                            embedder->dimension, model_, dimension_),
                "add the server again under another name, and embed with that");
  }
  return storage::load_vectors(store_.db(), *store_.facts().read(), *embedder, texts);
}

void DenseAttack::require(const RunView& run, const RunCandidates& candidates, std::span<const float> values) const {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < candidates.texts.size(); ++i) {
    // The empty text tells nothing: it needs no vector to be found by.
    const bool empty = candidates.texts[i].value == 0;
    missing += !empty && is_zero(values.subspan(i * dimension_, dimension_)) ? 1 : 0;
  }
  if (missing == 0) return;
  throw Error(
      Code::kBadInput,
      fmt::format("{} of {} {} of {}/{} have no vector of the model \"{}\": nobody could find them, and they "
                  "would look private",
                  missing, candidates.texts.size(), votes_ ? "claims" : "texts", dataset_.name, run.name, model_),
      made_here_                   ? remedy_by_server(dataset_.name, run.kind == RunKind::kNone ? "" : run.name, model_)
      : run.kind != RunKind::kNone ? remedy_for_run(dataset_.name, run.name, protocol_.run_claims(), model_)
      : votes_ ? remedy_for_claims(dataset_.name, claims_indexed(store_.db(), dataset_, run, ""), model_)
               : remedy_for_records(dataset_.name, model_));
}

void DenseAttack::load_queries() {
  const std::string model = storage::embedder_of_queries(store_.db(), model_);
  std::size_t missing = 0, attacked = 0;
  const std::size_t records = auxiliary_.known.size();
  first_.assign(records + 1, 0);
  for (std::size_t begin = 0; begin < records; begin += kRecordsAtOnce) {
    const std::size_t end = std::min(begin + kRecordsAtOnce, records);
    std::vector<TextId> queries, said;
    for (std::size_t i = begin; i < end; ++i) {
      const AuxiliaryView::Known& known = auxiliary_.known[i];
      queries.push_back(known.query);
      if (known.query.value != 0) said.insert(said.end(), known.said.begin(), known.said.end());
    }
    const std::vector<float> whole = votes_ ? std::vector<float>() : load(model, queries);
    const std::vector<float> claims = load(model, said);
    std::size_t at = 0;
    for (std::size_t i = begin; i < end; ++i) {
      first_[i] = queries_.size() / dimension_;
      if (auxiliary_.known[i].query.value == 0) continue;
      ++attacked;
      const auto mine = std::span(claims).subspan(at, auxiliary_.known[i].said.size() * dimension_);
      at += mine.size();
      const auto row = votes_ ? mine : std::span(whole).subspan((i - begin) * dimension_, dimension_);
      const bool there = all_there(row, dimension_);
      queries_.insert(queries_.end(), row.begin(), row.end());
      if (there) continue;
      if (votes_ || !all_there(mine, dimension_)) {
        ++missing;
      } else {
        add_directions(mine, std::span(queries_).last(dimension_));
      }
    }
  }
  first_[records] = queries_.size() / dimension_;
  if (missing == 0) return;
  const Policy& policy = protocol_.policy;
  const std::string& said = !policy.given.empty()   ? policy.given
                            : !policy.words.empty() ? policy.words
                                                    : dataset_.claim_set_name;
  throw Error(
      Code::kBadInput,
      fmt::format("of {} of {} records some auxiliary claim has no vector of the model \"{}\"", missing, attacked,
                  model_),
      made_here_ ? remedy_by_server(dataset_.name, "", model_) : remedy_for_claims(dataset_.name, said, model_));
}

std::vector<float> DenseAttack::rows_of(std::span<const std::size_t> records) const {
  std::vector<float> rows;
  for (const std::size_t i : records) {
    const auto mine = std::span(queries_).subspan(first_[i] * dimension_, (first_[i + 1] - first_[i]) * dimension_);
    rows.insert(rows.end(), mine.begin(), mine.end());
  }
  return rows;
}

// `hits`: of all the records' claims.
std::vector<std::vector<index::Hit>> DenseAttack::elected(std::span<const std::size_t> records,
                                                          std::span<const std::vector<index::Hit>> hits) const {
  std::vector<std::vector<index::Hit>> best;
  std::size_t at = 0;
  for (const std::size_t i : records) {
    const std::size_t claims = first_[i + 1] - first_[i];
    best.push_back(elect(hits.subspan(at, claims), *voted_, index::VoteRule::kNearBest));
    at += claims;
  }
  return best;
}

std::vector<std::vector<index::Hit>> DenseAttack::top(std::span<const std::size_t> records) const {
  if (!votes_) return index_->top(rows_of(records), kTopK);
  auto voted = elected(records, index_->top(rows_of(records), index::kVotingDepth));
  for (auto& one : voted) one.resize(std::min(one.size(), kTopK));
  return voted;
}

std::vector<Found> DenseAttack::look(std::span<const std::size_t> records, const Beside& beside) const {
  const std::vector<float> rows = rows_of(records);
  if (!votes_) {
    const auto hits = index_->top(rows, kTopK);
    const auto sights = sights_of(records, hits, kTopK, beside,
                                  [this](auto some, std::size_t depth) { return index_->top(rows_of(some), depth); });
    return found_of(
        hits, sights,
        beside.people == nullptr ? std::vector<std::optional<index::Place>>(records.size()) : places(records, hits));
  }
  auto hits = index_->top(rows, index::kVotingDepth);
  Voted voted{elected(records, hits), {}, candidates_};
  if (beside.absence != nullptr) {
    std::vector<std::size_t> asked;
    for (const std::size_t i : records) asked.push_back(first_[i + 1] - first_[i]);
    voted.rest = rest_of_votes(records, asked, hits, index::kVotingDepth, *beside.absence,
                               {owner_of_claim, *voted_, index::VoteRule::kNearBest},
                               [&](std::span<const std::size_t> places, std::size_t depth) {
                                 std::vector<float> some;
                                 for (const std::size_t place : places) {
                                   const auto row = std::span(rows).subspan(place * dimension_, dimension_);
                                   some.insert(some.end(), row.begin(), row.end());
                                 }
                                 return index_->top(some, depth);
                               });
  }
  return found_of(records, own_candidates(dataset_, releases_, records), std::move(voted), beside);
}

// From full rankings, some at a time, where the best hits do not tell.
std::vector<std::optional<index::Place>> DenseAttack::places(std::span<const std::size_t> records,
                                                             std::span<const std::vector<index::Hit>> best) const {
  std::vector<std::optional<index::Place>> places(records.size());
  std::vector<std::size_t> open, of;
  for (std::size_t j = 0; j < records.size(); ++j) {
    const CandidateId own = own_candidate(dataset_, releases_, records[j]);
    places[j] = told_place(best[j], best[j].size() < kTopK, own, candidates_);
    if (!places[j] && own.value != 0) open.push_back(records[j]), of.push_back(j);
  }
  const std::size_t at_once = std::max<std::size_t>(1, index::kHitsAtOnce / std::max<std::size_t>(1, candidates_));
  for (std::size_t begin = 0; begin < open.size(); begin += at_once) {
    const auto some = std::span(open).subspan(begin, std::min(at_once, open.size() - begin));
    const auto hits = index_->top(rows_of(some), std::max<std::size_t>(1, candidates_));
    for (std::size_t i = 0; i < some.size(); ++i) {
      places[of[begin + i]] = index::place_in(hits[i], own_candidate(dataset_, releases_, some[i]), candidates_);
    }
  }
  return places;
}

std::vector<std::vector<index::Hit>> DenseAttack::all(std::size_t record) const {
  return index_->top(rows_of(std::span(&record, 1)), std::max<std::size_t>(1, index_->candidates()));
}

}  // namespace residue::query
