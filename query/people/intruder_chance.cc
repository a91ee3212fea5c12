#include "query/people/intruder_chance.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "query/inputs/sort_unique.h"
#include "query/link/linked_persons.h"
#include "query/metric/contribution.h"

namespace residue::query {
namespace {

using Places = std::vector<std::size_t>;

// Whose texts find a target: all of its person's, and of others' those that are word for word one of these.
class Finders {
 public:
  explicit Finders(const IntruderTest& test)
      : test_(test), persons_(test.dataset(), test.release.run, test.equal_originals()) {
    for (std::size_t i = 0; i < test.dataset().records.size(); ++i) {
      of_person_[test.record(i).unit].push_back(i);
      of_original_[test.equal_originals()[i]].push_back(i);
    }
    for (const CandidateId candidate : test.release.candidates.ids) {
      const std::size_t place = test.dataset().position.at(RecordId{candidate.value});
      of_text_[test.release.run.variants[place].text].push_back(place);
    }
  }

  // The sum over all released texts of what naming it finds, in units of 2^-32.
  [[nodiscard]] std::int64_t sum(std::size_t target) const {
    Places own = of_person_.at(test_.record(target).unit);
    const Places& equal = of_original_.at(test_.equal_originals()[target]);
    own.insert(own.end(), equal.begin(), equal.end());
    sort_unique(own);
    std::vector<TextId> texts;
    for (const std::size_t place : own) texts.push_back(test_.release.run.variants[place].text);
    sort_unique(texts);
    std::int64_t all = 0;
    for (const TextId text : texts) {
      const auto holders = of_text_.find(text);
      if (holders == of_text_.end()) continue;
      // All others who have this text are worth the same.
      std::int64_t others = 0, worth = 0;
      for (const std::size_t place : holders->second) {
        if (std::ranges::binary_search(own, place)) {
          all += kOne;
        } else if (others++ == 0) {
          worth = share(target, place);
        }
      }
      all += others * worth;
    }
    return all;
  }

 private:
  [[nodiscard]] std::int64_t share(std::size_t target, std::size_t named) const {
    LinkView link;
    link.linked = CandidateId{test_.record(named).id.value};
    return persons_.share(target, link);
  }

  const IntruderTest& test_;
  LinkedPersons persons_;
  std::unordered_map<std::uint64_t, Places> of_person_;
  std::unordered_map<std::size_t, Places> of_original_;
  std::unordered_map<TextId, Places> of_text_;  // of texts that can be named
};

}  // namespace

IntruderChance intruder_chance(const IntruderTest& test) {
  IntruderChance chance;
  chance.texts = test.release.candidates.ids.size();
  if (chance.texts == 0 || test.targets.empty()) return chance;
  const Finders finders(test);
  const auto texts = static_cast<double>(chance.texts);
  for (const IntruderTest::Target& target : test.targets) {
    chance.person += static_cast<double>(finders.sum(target.record)) / static_cast<double>(kOne) / texts;
  }
  chance.person /= static_cast<double>(test.targets.size());
  chance.own = 1 / texts;
  return chance;
}

}  // namespace residue::query
