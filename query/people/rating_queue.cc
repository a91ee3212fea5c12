#include "query/people/rating_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/hash.h"
#include "query/agree/unstable.h"
#include "query/inputs/texts.h"
#include "query/judge/lexical_judge.h"
#include "query/judge/rouge_judge.h"
#include "query/people/contents.h"
#include "query/report/judged_run.h"

namespace residue::query {
namespace {

// What a pair is to a person: the same words said of the same text, under whatever number.
using PairKey = std::tuple<std::string_view, TextId, TextId>;
PairKey key_of(const LabelItem& item) { return {item.record, item.claim_text, item.passage}; }

using Said = std::map<std::string_view, std::uint8_t>;  // by annotator; who has no name says nothing here
std::map<PairKey, Said> said_of(const std::vector<GivenLabel>& labels) {
  std::map<PairKey, Said> all;
  for (const GivenLabel& label : labels) {
    if (label.claim_id.value == 0 || label.passage_id.value == 0) continue;
    all[{label.record, label.claim_id, label.passage_id}][label.annotator] = label.rating;
  }
  return all;
}

// How far a judge's score is from the nearest threshold, turned round: 1 on it.
double nearness(double score, const std::array<double, 2>& thresholds) {
  return 1 - std::min(std::abs(score - thresholds[0]), std::abs(score - thresholds[1]));
}

std::optional<std::vector<double>> doubts_by_score(storage::Store& store, const RatingQueue& queue,
                                                   const std::vector<std::size_t>& which) {
  const auto judge = installed_judge(queue.lens.judge_name);
  const auto* lexical = dynamic_cast<const LexicalJudge*>(judge.get());
  if (judge == nullptr || (lexical == nullptr && dynamic_cast<const RougeJudge*>(judge.get()) == nullptr)) {
    return std::nullopt;
  }
  const auto thresholds = lexical != nullptr ? lexical->thresholds() : RougeJudge::thresholds();
  std::vector<TextId> claims, passages;
  for (const std::size_t i : which) {
    claims.push_back(queue.all[i].claim_text);
    passages.push_back(queue.all[i].passage);
  }
  const std::vector<std::string> claim_texts = load_texts(store, claims), passage_texts = load_texts(store, passages);
  std::vector<double> doubts;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Request request{passage_texts[i], {claim_texts[i]}};
    const auto rating = judge->rate({&request, 1})[0][0];
    doubts.push_back(rating ? nearness(rating->score, thresholds) : 1);
  }
  return doubts;
}

// A model judge doubts where its votes differ: the share of them that is not the most frequent rating. An answer that
// cannot be used counts as one that differs.
std::optional<std::vector<double>> doubts_by_votes(storage::Store& store, const RatingQueue& queue,
                                                   const std::vector<std::size_t>& which) {
  std::vector<std::pair<Pair, std::size_t>> sorted;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const LabelItem& item = queue.all[which[k]];
    sorted.emplace_back(Pair{item.passage, item.claim_text, item.request}, k);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<Pair> pairs;
  for (const auto& [pair, k] : sorted) pairs.push_back(pair);
  const std::vector<PairVotes> votes = saved_votes(store, queue.lens.judge, pairs);
  if (votes.size() != pairs.size()) return std::nullopt;
  std::vector<double> doubts(which.size());
  for (std::size_t i = 0; i < votes.size(); ++i) {
    const PairVotes& of = votes[i];
    const std::uint32_t answers = of.rated() + of.failed;
    const std::uint32_t most = *std::ranges::max_element(of.ratings);
    doubts[sorted[i].second] = answers == 0 ? 0 : static_cast<double>(answers - most) / answers;
  }
  return doubts;
}

std::optional<std::vector<std::size_t>> order_by_doubt(storage::Store& store, const RatingQueue& queue) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t i = 0; i < queue.all.size(); ++i) {
    drawn.emplace_back(hash_of(queue.seed, queue.all[i].record, queue.all[i].n), i);
  }
  std::sort(drawn.begin(), drawn.end());
  if (drawn.size() > kDoubtsOf) drawn.resize(kDoubtsOf);
  std::vector<std::size_t> which;
  for (const auto& [draw, i] : drawn) which.push_back(i);
  auto doubts = doubts_by_score(store, queue, which);
  if (!doubts) doubts = doubts_by_votes(store, queue, which);
  if (!doubts) return std::nullopt;
  std::vector<std::size_t> order(which.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return (*doubts)[a] > (*doubts)[b]; });
  for (std::size_t& place : order) place = which[place];
  return order;
}

// How far apart the ratings of a pair are: those of people and that of the judge. 0: nobody disagrees.
int spread_of(const LabelItem& item, const Said& said) {
  int least = item.rating, most = item.rating;
  for (const auto& [who, rating] : said) {
    least = std::min<int>(least, rating);
    most = std::max<int>(most, rating);
  }
  return most - least;
}

std::vector<std::size_t> disagreements(const RatingQueue& queue, const std::map<PairKey, Said>& said) {
  std::vector<std::tuple<int, std::uint64_t, std::size_t>> found;
  for (std::size_t i = 0; i < queue.all.size(); ++i) {
    const auto known = said.find(key_of(queue.all[i]));
    if (known == said.end()) continue;
    if (const int spread = spread_of(queue.all[i], known->second); spread > 0) {
      found.emplace_back(-spread, hash_of(queue.seed, queue.all[i].record, queue.all[i].n), i);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> order;
  for (const auto& [spread, draw, i] : found) order.push_back(i);
  return order;
}

}  // namespace

std::string_view name_of(RatingOrder order) { return kRatingOrders[static_cast<std::size_t>(order)]; }

std::optional<RatingOrder> rating_order(std::string_view name) {
  const auto* found = std::ranges::find(kRatingOrders, name);
  if (found == std::end(kRatingOrders)) return std::nullopt;
  return static_cast<RatingOrder>(found - std::begin(kRatingOrders));
}

RatingQueue make_queue(storage::Store& store, const LabelOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  RatingQueue queue;
  queue.lens = find_lens(db, options.dataset, options.protocol, options.judge);
  const JudgedRun run = judged_run(db, queue.lens, options.run);
  queue.run = options.run;
  queue.run_id = run.id;
  queue.seed = options.seed;
  queue.stale = run.stale;
  queue.content = contents_of_lens(db, queue.lens, run.id);
  queue.all = judged_items(db, queue.lens, run.id);
  std::sort(queue.all.begin(), queue.all.end(), [](const LabelItem& a, const LabelItem& b) {
    return std::tie(a.record, a.n, a.passage) < std::tie(b.record, b.n, b.passage);
  });
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < queue.all.size(); ++i) places.emplace(pair_name(queue.all[i]), i);
  for (const LabelItem& item : draw_items(queue.all, options.sample, options.seed)) {
    queue.sampled.push_back(places.at(pair_name(item)));
  }
  queue.by_doubt = order_by_doubt(store, queue);
  return queue;
}

std::optional<Queued> next_of(const RatingQueue& queue, RatingOrder order, const std::vector<GivenLabel>& labels,
                              std::string_view annotator, const std::set<std::string>& passed_over) {
  const std::map<PairKey, Said> said = said_of(labels);
  if (order == RatingOrder::kUnsure && !queue.by_doubt) {
    throw Error(Code::kUsage,
                fmt::format("judge {} keeps neither votes nor scores: nobody knows what it is unsure of",
                            queue.lens.judge_name),
                "rate a sample, or disagreements");
  }
  std::vector<std::size_t> found;
  if (order == RatingOrder::kDisagreements) found = disagreements(queue, said);
  const std::vector<std::size_t>& places = order == RatingOrder::kSample   ? queue.sampled
                                           : order == RatingOrder::kUnsure ? *queue.by_doubt
                                                                           : found;
  Queued next;
  std::set<PairKey> seen;  // two claims of a record may have the same words
  for (const std::size_t place : places) {
    const LabelItem& item = queue.all[place];
    if (!seen.insert(key_of(item)).second) continue;
    const auto known = said.find(key_of(item));
    if (known != said.end() && known->second.contains(annotator)) {
      ++next.done;
      continue;
    }
    ++next.left;
    if (next.item != nullptr || passed_over.contains(pair_name(item))) continue;
    next.item = &item;
    if (known == said.end()) continue;
    for (const auto& [who, rating] : known->second) next.by_others.emplace_back(who, rating);
  }
  if (next.item == nullptr) return std::nullopt;
  return next;
}

std::string pair_name(const LabelItem& item) {
  return fmt::format("{}#{}@{}", item.record, item.n, item.passage.value);
}

const LabelItem* pair_named(const RatingQueue& queue, std::string_view name) {
  const auto found = std::ranges::find_if(queue.all, [&](const LabelItem& item) { return pair_name(item) == name; });
  return found == queue.all.end() ? nullptr : &*found;
}

}  // namespace residue::query
