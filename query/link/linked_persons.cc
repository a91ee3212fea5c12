#include "query/link/linked_persons.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "query/metric/contribution.h"
#include "query/inputs/sort_unique.h"
#include "text/characters/without_space.h"

namespace residue::query {
namespace {

}  // namespace

std::vector<std::size_t> equal_originals(const storage::Store& store, const DatasetView& dataset) {
  const std::vector<RecordView>& records = dataset.records;
  std::vector<std::uint64_t> hashes(records.size());
  parallel_ranges(records.size(), 64, [&](const auto& range) {
    const auto texts = store.facts().read();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      hashes[i] = hash_of(0, text::as_read_without_space(texts->text(records[i].text)));
    }
  });
  const auto texts = store.facts().read();
  const auto equal = [&](std::size_t a, std::size_t b) {
    if (records[a].text == records[b].text) return true;
    return text::as_read_without_space(texts->text(records[a].text)) ==
           text::as_read_without_space(texts->text(records[b].text));
  };
  std::unordered_multimap<std::uint64_t, std::size_t> firsts;
  std::vector<std::size_t> result(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    result[i] = i;
    if (records[i].empty) continue;
    const auto [begin, end] = firsts.equal_range(hashes[i]);
    const auto found = std::find_if(begin, end, [&](const auto& first) { return equal(first.second, i); });
    if (found == end) {
      firsts.emplace(hashes[i], i);
    } else {
      result[i] = found->second;
    }
  }
  return result;
}

LinkedPersons::LinkedPersons(const DatasetView& dataset, const RunView& run,
                             const std::vector<std::size_t>& equal_originals)
    : dataset_(dataset), run_(run), equal_(equal_originals) {
  std::unordered_map<TextId, std::size_t> first;
  const auto add = [&](TextId text, std::size_t record) {
    Holders& holders = holders_[text];
    holders.persons.push_back(dataset.records[record].unit);
    holders.originals.push_back(equal_originals[record]);
  };
  for (std::size_t i = 0; i < run.variants.size(); ++i) {
    const TextId text = run.variants[i].text;
    if (!run.variants[i].ok || text.value == 0) continue;
    const auto [known, is_new] = first.emplace(text, i);
    if (is_new) continue;
    if (holders_.count(text) == 0) add(text, known->second);
    add(text, i);
  }
  for (auto& [text, holders] : holders_) {
    sort_unique(holders.persons);
    sort_unique(holders.originals);
  }
}

std::int64_t LinkedPersons::share(std::size_t record, const LinkView& link) const {
  if (link.linked.value == 0) return 0;
  const auto place = dataset_.position.find(RecordId{link.linked.value});
  if (place == dataset_.position.end()) return 0;
  const std::size_t found = place->second;
  const std::uint64_t person = dataset_.records[record].unit;
  if (person == dataset_.records[found].unit || equal_[record] == equal_[found]) return kOne;
  const auto known = holders_.find(run_.variants[found].text);
  if (known == holders_.end()) return 0;
  const Holders& holders = known->second;
  const bool has = std::binary_search(holders.persons.begin(), holders.persons.end(), person) ||
                   std::binary_search(holders.originals.begin(), holders.originals.end(), equal_[record]);
  return has ? fixed(1, static_cast<std::int64_t>(holders.persons.size())) : 0;
}

}  // namespace residue::query
