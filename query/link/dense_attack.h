// The linkers `dense` and `dense-vote`: exact cosines between what the attacker says and the run's texts or claims,
// over vectors that were brought in or made by a server (embedding.h).
//
//   vector of the query, else the common direction of its claims ──┐
//   vectors of the run's texts ────────────────────────────────────┴─> DenseIndex ──> hits          (dense)
//   vectors of the single claims, of the claims of the run's texts ──> DenseIndex ──> votes ──> hits (dense-vote)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/dense/dense_linker.h"
#include "query/link/attack.h"
#include "query/link/linking.h"

namespace residue::query {

class DenseAttack final : public Attack {
 public:
  // All texts (claims) of the run and all that the attacker says need vectors of the protocol's model: what has none
  // could never be found, and would look private. Throws Error{not found} for an unknown model, Error{bad input} that
  // counts those without a vector and says how to list them. The references must outlive it.
  DenseAttack(storage::Store& store, const DatasetView& dataset, const RunView& run, const AuxiliaryView& auxiliary,
              const ProtocolSpec& protocol);

  // The best hits of each record, at most kTopK; scores are cosines, or votes.
  [[nodiscard]] std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const override;

  [[nodiscard]] std::vector<Found> look(std::span<const std::size_t> records, const Beside& beside) const override;

  // All hits of one record, before any vote: one list, or one for each claim that is known.
  [[nodiscard]] std::vector<std::vector<index::Hit>> all(std::size_t record) const;

 private:
  void load_queries();
  void require(const RunView& run, const RunCandidates& candidates, std::span<const float> values) const;
  [[nodiscard]] std::vector<float> load(const std::string& model, std::span<const TextId> texts) const;
  [[nodiscard]] std::vector<float> rows_of(std::span<const std::size_t> records) const;
  [[nodiscard]] std::vector<std::vector<index::Hit>> elected(std::span<const std::size_t> records,
                                                             std::span<const std::vector<index::Hit>> hits) const;

  [[nodiscard]] std::vector<std::optional<index::Place>> places(std::span<const std::size_t> records,
                                                                std::span<const std::vector<index::Hit>> best) const;

  storage::Store& store_;
  const DatasetView& dataset_;
  Releases releases_;  // the run alone
  const AuxiliaryView& auxiliary_;
  const ProtocolSpec& protocol_;
  std::string model_;
  bool votes_;
  std::size_t dimension_ = 0;
  bool made_here_;  // by a server, that may be asked for more
  std::optional<index::DenseIndex> index_;
  std::vector<float> queries_;      // of each attacked record one row, or one for each claim
  std::vector<std::size_t> first_;  // by record: its first row, and one more
  std::size_t candidates_ = 0;      // texts of the run
  index::CandidateTable voted_;     // what is voted for
};

// For a plan: throws what the attack on the `sampled` records (empty: all) would. Nothing for other linkers. The
// auxiliary may be one that is not current.
void require_vectors(storage::Store& store, const DatasetView& dataset, const RunView& run, AuxiliaryView auxiliary,
                     const std::vector<bool>& sampled, const ProtocolSpec& protocol);

}  // namespace residue::query
