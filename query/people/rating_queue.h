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
#include "query/agree/given_labels.h"
#include "query/study/label_sample.h"
#include "storage/store.h"

namespace residue::query {

enum class RatingOrder : std::uint8_t { kSample, kDisagreements, kUnsure };
inline constexpr std::string_view kRatingOrders[] = {"sample", "disagreements", "unsure"};  // label_asked.chosen
std::string_view name_of(RatingOrder order);
std::optional<RatingOrder> rating_order(std::string_view name);

// Doubts are computed of so many pairs, drawn by the seed: a queue opens in seconds, however many there are.
inline constexpr std::size_t kDoubtsOf = 5'000;

struct RatingQueue {
  Lens lens;
  std::string run;
  RunId run_id;
  std::uint64_t seed = 42;
  bool stale = false;                // the run or its dataset changed since it was evaluated
  std::string content;               // contents_of_lens()
  std::vector<LabelItem> all;        // every judged pair, by record and n
  std::vector<std::size_t> sampled;  // places in `all`, in the order of the draw
  // Places in `all` of pairs that the judge may have meant otherwise, the most doubtful first: by the share of its
  // votes that dissent or failed, or by how near a threshold an embedded judge's score lies. Nothing: nobody knows.
  std::optional<std::vector<std::size_t>> by_doubt;
};

// Throws as draw_labels(). The caller holds Store::hold_texts().
RatingQueue make_queue(storage::Store& store, const LabelOptions& options);

struct Queued {
  const LabelItem* item = nullptr;
  std::uint64_t done = 0, left = 0;  // of the order: rated by this annotator, and not, this one among them
  std::vector<std::pair<std::string, std::uint8_t>> by_others;  // in order of names
};

// The next for an annotator, given all that people said; nothing: there is none. `passed_over`: pair_name()s. Throws
// Error{usage} for unsure pairs of a judge that keeps neither votes nor scores.
std::optional<Queued> next_of(const RatingQueue& queue, RatingOrder order, const std::vector<GivenLabel>& labels,
                              std::string_view annotator, const std::set<std::string>& passed_over);

// "r-12#2@4711": record, n, number of the passage; and back: null where the queue has none of this name.
std::string pair_name(const LabelItem& item);
const LabelItem* pair_named(const RatingQueue& queue, std::string_view name);

}  // namespace residue::query
