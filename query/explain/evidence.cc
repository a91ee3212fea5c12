#include "query/explain/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "query/inputs/texts.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/lookup.h"
#include "text/encodings/decoded.h"

namespace residue::query {
namespace {

std::vector<index::Query> asked(const std::string& query) { return {{query, "", {}}}; }

ReleaseShare share_of(const std::string& run, const index::Bm25Linker& linker, const std::string& query,
                      CandidateId candidate) {
  ReleaseShare share{run, 0, linker.explain(query, candidate).value_or(std::vector<index::TermScore>())};
  std::map<std::string_view, double> ascending;
  for (const index::TermScore& term : share.terms) ascending[term.term] = term.score;
  for (const auto& [term, score] : ascending) share.score += score;
  return share;
}

class Bm25Attack final : public OneAttack {
 public:
  Bm25Attack(std::string run, const index::Bm25Linker& linker, std::string query)
      : run_(std::move(run)), linker_(linker), query_(std::move(query)) {
    found(linker_.top(asked(query_), kMaxHits).front());
  }
  Bm25Attack(std::string run, std::unique_ptr<index::Bm25Linker> linker, std::string query)
      : Bm25Attack(std::move(run), *linker, std::move(query)) {
    owned_ = std::move(linker);
  }

  Evidence evidence(CandidateId candidate) const override {
    return {{share_of(run_, linker_, query_, candidate)}, {}, {}};
  }

 private:
  Place place_beyond(CandidateId candidate) const override {
    return {share_of(run_, linker_, query_, candidate).score, linker_.rank_of(query_, candidate), std::nullopt};
  }

  std::string run_;
  std::unique_ptr<index::Bm25Linker> owned_;
  const index::Bm25Linker& linker_;
  std::string query_;
};

// BM25 summed over releases.
class CombinedAttack final : public OneAttack {
 public:
  CombinedAttack(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol, std::string query,
                 IndexUse use)
      : query_(std::move(query)) {
    std::vector<std::unique_ptr<index::Linker>> linkers;
    for (const RunView* run : by_name(attacked.releases())) {
      auto linker =
          open_index(store, attacked.dataset().name, *run, candidates_of(attacked.dataset(), *run), protocol, use);
      releases_.emplace_back(run->name, linker.get());
      linkers.push_back(std::move(linker));
    }
    sum_ = combine(std::move(linkers), attacked.candidates());
    found(sum_->top(asked(query_), attacked.candidates().ids.size()).front());
  }

  Evidence evidence(CandidateId candidate) const override {
    Evidence evidence;
    for (const auto& [run, linker] : releases_) {
      evidence.releases.push_back(share_of(run, *linker, query_, candidate));
    }
    return evidence;
  }

 private:
  std::string query_;
  std::vector<std::pair<std::string, const index::Bm25Linker*>> releases_;  // owned by the sum
  std::unique_ptr<index::Linker> sum_;
};

class RougeAttack final : public OneAttack {
 public:
  RougeAttack(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol, std::string query)
      : store_(store),
        candidates_(attacked.candidates()),
        recall_(protocol.linker->measure == Measure::kRougeRecall),
        query_(std::move(query)),
        linker_(open_rouge(store, candidates_, protocol)) {
    found(linker_->top(asked(query_), kMaxHits).front());
  }

  Evidence evidence(CandidateId candidate) const override {
    const TextId id = candidates_.texts[position_of(candidates_, candidate)];
    const std::string text = load_texts(store_, std::span(&id, 1)).front();
    text::RougeTokenizer tokenizer(true);
    std::string query_store, text_store;
    const std::vector<std::uint32_t> known = tokenizer.tokens(text::compared(query_, query_store));
    const std::vector<std::uint32_t> said = tokenizer.tokens(text::compared(text, text_store));
    CommonWords common;
    common.places = text::lcs_places(known, said);
    common.counts = {common.places.size(), known.size(), said.size()};
    common.measures = text::prf(common.counts);
    return {{}, std::move(common), {}};
  }
  std::vector<std::string> words() const override {
    std::string store;
    return text::rouge_tokens(text::compared(query_, store), false);
  }

 private:
  Place place_beyond(CandidateId candidate) const override {
    const text::Prf measures = text::prf(linker_->explain(query_, candidate).value_or(text::Overlap()));
    return {recall_ ? measures.r : measures.f, linker_->rank_of(query_, candidate), std::nullopt};
  }

  storage::Store& store_;
  const RunCandidates& candidates_;
  bool recall_;
  std::string query_;
  std::unique_ptr<index::RougeLinker> linker_;
};

RunHead head_of(storage::Store& store, const DatasetView& dataset, const std::string& run) {
  const RunId id = storage::find_run(store.db(), dataset.name, run);
  for (const RunHead& head : list_runs(store.db(), dataset.id)) {
    if (head.id == id) return head;
  }
  throw Error(Code::kTryAgain, "the run was removed just now", "residue status lists all runs");
}

void require_held(const ProtocolSpec& protocol, const std::string& dataset, const std::string& run) {
  const std::vector<std::string> held = protocol.runs();
  if (held.empty() || std::find(held.begin(), held.end(), run) != held.end()) return;
  throw Error(Code::kUsage,
              fmt::format("the attacker {} does not hold run {}/{}", protocol.linker_name(), dataset, run),
              fmt::format("ask about {}/{}, or name the run in --combine", dataset, held.front()));
}

// The control `none` has the judged claims, and messages about vectors name their set.
DatasetView load_for(storage::Store& store, const std::string& dataset, const std::string& run,
                     const ProtocolSpec& protocol) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const EvidenceKind kind = evidence_kind(protocol);
  const bool looks = kind == EvidenceKind::kVotes || kind == EvidenceKind::kCosine;
  ClaimSetHead claims;
  if (looks && (run == "none" || !protocol.claim_set.empty())) {
    claims = find_claim_set(store.db(), id, dataset, protocol.claim_set);
  }
  return load_dataset(store, id, dataset, claims);
}

}  // namespace

EvidenceKind evidence_kind(const ProtocolSpec& protocol) {
  if (protocol.linker->votes) return EvidenceKind::kVotes;
  switch (protocol.linker->measure) {
    case Measure::kTerms:
      return EvidenceKind::kTerms;
    case Measure::kCosine:
      return EvidenceKind::kCosine;
    case Measure::kRougeF:
    case Measure::kRougeRecall:
      return EvidenceKind::kWords;
    case Measure::kNothing:
      break;
  }
  return EvidenceKind::kNothing;
}

std::span<const index::Hit> OneAttack::top(std::size_t k) const {
  return std::span(hits_).first(std::min({k, kMaxHits, hits_.size()}));
}

Place OneAttack::place_of(CandidateId candidate) const {
  const auto hit = std::find_if(hits_.begin(), hits_.end(), [&](const auto& h) { return h.candidate == candidate; });
  if (hit == hits_.end()) return place_beyond(candidate);
  return {hit->score, static_cast<std::size_t>(hit - hits_.begin()) + 1, hit->tied};
}

AttackedRun::AttackedRun(storage::Store& store, const std::string& dataset, const std::string& run,
                         const ProtocolSpec& protocol)
    : dataset_(load_for(store, dataset, run, protocol)),
      head_((require_held(protocol, dataset, run), head_of(store, dataset_, run))),
      run_(load_evaluated_run(store, dataset_, head_)),
      others_(store, dataset_, head_, protocol, OtherReleases::Hold::kNotLocked),
      candidates_(candidates_of(dataset_, releases())) {}

std::vector<RankedText> ranked(const OneAttack& attack, const RunCandidates& candidates, std::size_t k) {
  std::vector<RankedText> texts;
  for (const index::Hit& hit : attack.top(k)) {
    const Place place{hit.score, texts.size() + 1, hit.tied};
    texts.push_back({place, candidates.keys[position_of(candidates, hit.candidate)], attack.evidence(hit.candidate)});
  }
  return texts;
}

std::unique_ptr<OneAttack> open_attack(const OpenRun& run, std::string query) {
  return std::make_unique<Bm25Attack>(run.run.name, *run.linker, std::move(query));
}

std::unique_ptr<OneAttack> open_attack(storage::Store& store, const AttackedRun& attacked, const ProtocolSpec& protocol,
                                       const Said& said, IndexUse use) {
  switch (evidence_kind(protocol)) {
    case EvidenceKind::kWords:
      return std::make_unique<RougeAttack>(store, attacked, protocol, said.query);
    case EvidenceKind::kVotes:
      return open_vote(store, attacked, protocol, said, use);
    case EvidenceKind::kCosine:
      return open_dense(store, attacked, protocol, said);
    case EvidenceKind::kNothing:
      throw Error(Code::kUsage, fmt::format("the linker {} looks at no text", protocol.linker_name()),
                  fmt::format("bm25 does: --protocol {}", kDefaultProtocol));
    case EvidenceKind::kTerms:
      break;
  }
  if (!protocol.runs().empty()) {
    return std::make_unique<CombinedAttack>(store, attacked, protocol, said.query, use);
  }
  return std::make_unique<Bm25Attack>(
      attacked.run().name,
      open_index(store, attacked.dataset().name, attacked.run(), attacked.candidates(), protocol, use), said.query);
}

}  // namespace residue::query
