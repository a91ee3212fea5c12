// Which judged pair people should rate next, and why.
//
//   sample         as `label` draws them, the same draw for the same seed: the only order that is a sample of all
//   disagreements  pairs that people rated, and not as the judge or each other did: the furthest apart first
//   unsure         pairs that the judge was least sure of: by its votes, or by how near a threshold its score lies
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "query/study/label_sample.h"
#include "storage/store.h"

namespace residue::query {

enum class RatingOrder : std::uint8_t { kSample, kDisagreements, kUnsure };
inline constexpr std::string_view kRatingOrders[] = {"sample", "disagreements", "unsure"};  // label_asked.chosen
std::string_view name_of(RatingOrder order);
std::optional<RatingOrder> rating_order(std::string_view name);

// Of so many pairs, drawn by the seed, the doubts are computed: a queue opens in seconds, however many there are.
inline constexpr std::size_t kDoubtsOf = 5'000;

// A judged pair of one run under one attacker and judge.
struct QueuedPair {
  LabelItem item;
  double doubt = 0;  // of the judge: 1 it might as well have said something else, 0 nothing speaks for that
};

struct RatingQueue {
  Lens lens;
  std::string run;
  RunId run_id;
  bool original = false;              // the texts are the originals
  bool stale = false;                 // the run or its dataset changed since it was evaluated
  std::string content;                // what it was made from: another one, another queue
  std::uint64_t sample = 0;           // how many the sample has
  std::vector<QueuedPair> all;        // every judged pair, by record and n
  std::vector<std::size_t> sampled;   // places in `all`, in the order of the draw
  std::vector<std::size_t> by_doubt;  // those whose doubt was computed, the most doubtful first; ties by the seed
};

// Throws as draw_labels(). The caller holds Store::hold_texts().
RatingQueue make_queue(storage::Store& store, const LabelOptions& options);

// Throws Error{try again} where it is of other contents than the store has.
void require_current(storage::Db& db, const RatingQueue& queue);

// What a person said of a pair, from whatever source.
struct GivenLabel {
  std::string annotator;  // empty: nobody named one
  std::string record;
  TextId claim, passage;  // 0: the store has no such text any more
  std::uint8_t rating = 3;
};
std::vector<GivenLabel> given_labels(storage::Store& store, const std::string& dataset);

struct Queued {
  const QueuedPair* pair = nullptr;
  std::uint64_t done = 0, left = 0;  // of the order
  std::vector<std::pair<std::string, std::uint8_t>> by_others;
};

// The next for an annotator who has rated what `labels` say; nothing: there is none. `passed_over`: names as name_of().
std::optional<Queued> next_of(const RatingQueue& queue, RatingOrder order, const std::vector<GivenLabel>& labels,
                              std::string_view annotator, const std::set<std::string>& passed_over);

// "r-12#2@4711": record, n, number of the passage; and back: nothing where the queue has none of this name.
std::string name_of(const LabelItem& item);
const QueuedPair* pair_named(const RatingQueue& queue, std::string_view name);

}  // namespace residue::query
