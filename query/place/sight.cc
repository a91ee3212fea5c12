#include "query/place/sight.h"

#include <algorithm>
#include <utility>

#include "index/rest.h"

namespace residue::query {
namespace {

using index::Hit;

// Searches that are about as deep are made together.
constexpr std::size_t kDeeperAtOnce = 2;

class Looking {
 public:
  Looking(const Seen& seen, Sight& sight) : seen_(seen), sight_(sight) {}

  // The hits up to here were looked at.
  void look(std::size_t hits) { sight_.looked = std::max(sight_.looked, hits); }
  void look_to_the_end() {
    look(seen_.hits.size());
    sight_.to_the_end = true;
  }
  void need(std::size_t hits) { sight_.needs = std::max(sight_.needs, hits); }

  Crowd crowd(const People& people, std::size_t record) {
    if (seen_.hits.empty()) {
      seen_.all ? look_to_the_end() : need(1);
      return {};
    }
    const std::size_t tied = std::size_t{seen_.hits.front().tied} + 1;
    if (tied > seen_.hits.size()) {
      need(tied);
      return {};
    }
    look(tied);
    std::vector<CandidateId> best;
    for (const Hit& hit : seen_.hits.first(tied)) best.push_back(hit.candidate);
    return people.crowd(best, record);
  }

  std::optional<Hit> best_of_rest(std::span<const CandidateId> left_out) {
    const index::Rest rest = index::best_of_rest(seen_.hits, seen_.hits.size() + (seen_.all ? 1 : 0), left_out);
    if (rest.needs > 0) {
      need(rest.needs);
    } else if (rest.best) {
      const auto end = seen_.hits.end();
      const auto found = std::ranges::find(seen_.hits, rest.best->candidate, &Hit::candidate);
      const auto after = std::find_if(found, end, [&](const Hit& hit) { return hit.score != found->score; });
      look(at(after));
    } else {
      look_to_the_end();
    }
    return rest.best;
  }

  std::optional<Sure> sure(const People& people, std::span<const CandidateId> left_out) {
    const auto counts = [&](const Hit& hit) {
      return !std::binary_search(left_out.begin(), left_out.end(), hit.candidate);
    };
    const auto end = seen_.hits.end();
    const auto best = std::find_if(seen_.hits.begin(), end, counts);
    if (best == end) {
      seen_.all ? look_to_the_end() : need(left_out.size() + 1);
      return std::nullopt;
    }
    look(at(best) + 1);
    if (best->score <= 0) return std::nullopt;
    const auto rival = std::find_if(
        best + 1, end, [&](const Hit& hit) { return counts(hit) && !people.same(hit.candidate, best->candidate); });
    if (rival != end) {
      look(at(rival) + 1);
      return Sure{fixed((best->score - std::max(rival->score, 0.0)) / best->score), false};
    }
    if (!seen_.all) {
      // All that may stand before a rival, and a rival.
      need(left_out.size() + people.same_at_most(best->candidate) + 1);
      return std::nullopt;
    }
    look_to_the_end();
    return Sure{kOne, true};
  }

 private:
  [[nodiscard]] std::size_t at(std::span<const Hit>::iterator hit) const {
    return static_cast<std::size_t>(hit - seen_.hits.begin());
  }

  const Seen& seen_;
  Sight& sight_;
};

struct Open {
  std::size_t place = 0;  // in `records`
  std::size_t needs = 0;
};

// The first of `open`, by needs, that are searched together: not much deeper than they need, and not too many.
std::vector<Open> next_of(std::vector<Open>& open) {
  std::sort(open.begin(), open.end(),
            [](const Open& a, const Open& b) { return a.needs != b.needs ? a.needs < b.needs : a.place < b.place; });
  std::size_t count = 0;
  while (count < open.size() && open[count].needs <= kDeeperAtOnce * open.front().needs &&
         (count == 0 || (count + 1) * open[count].needs <= index::kHitsAtOnce)) {
    ++count;
  }
  const auto end = open.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Open> now(open.begin(), end);
  open.erase(open.begin(), end);
  return now;
}

}  // namespace

Sight sight_of(const Seen& seen, std::size_t record, const Beside& beside) {
  Sight sight;
  Looking looking(seen, sight);
  if (beside.people != nullptr) {
    sight.crowd = looking.crowd(*beside.people, record);
    sight.sure = looking.sure(*beside.people, {});
  }
  if (beside.absence == nullptr) return sight;
  const auto left_out = beside.absence->left_out(record);
  sight.rest = looking.best_of_rest(left_out);
  if (sight.rest) sight.third = looking.best_of_rest(beside.absence->also_left_out(left_out, sight.rest->candidate));
  if (beside.people != nullptr) sight.rest_sure = looking.sure(*beside.people, left_out);
  return sight;
}

Sight sight_of_votes(std::span<const Hit> voted, const RestOfVotes& rest, std::size_t record, const Beside& beside) {
  Sight sight = sight_of({voted, true}, record, {nullptr, beside.people});
  if (beside.absence == nullptr) return sight;
  if (!rest.voted.empty()) sight.rest = rest.voted.front();
  sight.third = rest.third;
  if (beside.people == nullptr) return sight;
  Sight of_rest;
  const Seen seen{rest.voted, true};
  sight.rest_sure = Looking(seen, of_rest).sure(*beside.people, {});
  return sight;
}

std::vector<Sight> sights_of(std::span<const std::size_t> records, std::span<const std::vector<Hit>> hits,
                             std::size_t depth, const Beside& beside, const SearchDeeper& search) {
  std::vector<Sight> sights(records.size());
  std::vector<Open> open;
  const auto decide = [&](std::size_t place, std::span<const Hit> best, std::size_t deep) {
    sights[place] = sight_of({best, best.size() < deep}, records[place], beside);
    if (sights[place].needs > 0) open.push_back({place, sights[place].needs});
  };
  for (std::size_t j = 0; j < records.size(); ++j) decide(j, hits[j], depth);
  while (!open.empty()) {
    const std::vector<Open> now = next_of(open);
    std::vector<std::size_t> some;
    for (const Open& one : now) some.push_back(records[one.place]);
    const auto deeper = search(some, now.back().needs);
    // It may turn out only now how many are tied.
    for (std::size_t i = 0; i < now.size(); ++i) decide(now[i].place, deeper[i], now.back().needs);
  }
  return sights;
}

}  // namespace residue::query
