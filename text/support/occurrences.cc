#include "text/support/occurrences.h"

#include <algorithm>
#include <bit>

namespace residue::text {

void Occurrences::clear() {
  entries_.clear();
  keys_.clear();
  slots_.clear();
  places_.clear();
}

std::size_t Occurrences::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = key & mask;
  while (slots_[slot] != 0 && keys_[slots_[slot] - 1].key != key) slot = (slot + 1) & mask;
  return slot;
}

void Occurrences::finish() {
  slots_.assign(std::bit_ceil(std::max<std::size_t>(entries_.size() * 2, 16)), 0);
  for (Entry& entry : entries_) {
    std::uint32_t& number = slots_[slot_of(entry.key)];
    if (number == 0) {
      keys_.push_back({entry.key, 0, 0});
      number = static_cast<std::uint32_t>(keys_.size());
    }
    entry.number = number - 1;
    ++keys_[entry.number].count;
  }
  std::uint32_t begin = 0;
  for (Key& key : keys_) {
    key.begin = begin;
    begin += key.count;
    key.count = 0;
  }
  places_.resize(entries_.size());
  for (const Entry& entry : entries_) {
    Key& key = keys_[entry.number];
    places_[key.begin + key.count++] = entry.place;
  }
}

Places Occurrences::of(std::uint64_t key) const {
  if (keys_.empty()) return {};
  const std::uint32_t number = slots_[slot_of(key)];
  if (number == 0) return {};
  return Places(places_).subspan(keys_[number - 1].begin, keys_[number - 1].count);
}

Places between(Places places, std::uint32_t from, std::uint32_t to) {
  const auto begin = std::lower_bound(places.begin(), places.end(), from);
  auto end = begin;
  if (places.end() - begin <= 16) {  // most words occur once or twice
    while (end != places.end() && *end < to) ++end;
  } else {
    end = std::lower_bound(begin, places.end(), to);
  }
  return {begin, end};
}

}  // namespace residue::text
