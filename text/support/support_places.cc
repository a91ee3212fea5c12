#include "text/support/support_places.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace residue::text {
namespace {

constexpr std::uint32_t kNearWords = 8;     // So many words of the passage apart is near,
constexpr std::size_t kNearNeighbours = 3;  // and so many words of weight of the claim.
constexpr std::size_t kPlaces = 64;         // More places of one word are not looked at.

// The windows that some word is in, and what they are worth so far.
struct Windows {
  std::vector<std::int64_t> worth;  // 0 but for those that were touched
  std::vector<std::uint32_t> touched;

  void clear(std::size_t count) {
    for (const std::uint32_t window : touched) worth[window] = 0;
    touched.clear();
    if (worth.size() < count) worth.resize(count, 0);
  }
};

bool is_of_a_later_word(std::span<const PlacedWord> words, std::size_t n, std::uint32_t place) {
  return std::any_of(words.begin() + static_cast<std::ptrdiff_t>(n) + 1, words.end(), [&](const PlacedWord& word) {
    return std::binary_search(word.places.begin(), word.places.end(), place);
  });
}

}  // namespace

// Rare words first: once no window that lacks them all can win, the frequent ones are sought in the others only.
BestWindow best_window(std::span<const PlacedWord> words, std::span<const std::uint32_t> sentence_of,
                       std::span<const std::uint32_t> first_word, std::uint32_t length) {
  thread_local Windows windows;
  thread_local std::vector<std::uint32_t> order;
  const auto sentences = static_cast<std::uint32_t>(first_word.size() - 1);
  const std::uint32_t count = sentences > length ? sentences - length + 1 : 1;
  windows.clear(count);
  order.clear();
  std::int64_t left = 0;  // what the words that were not looked at are worth
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    if (words[i].places.empty() || words[i].worth == 0) continue;
    order.push_back(i);
    left += words[i].worth;
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    const auto key = [&](std::uint32_t i) { return std::pair(words[i].places.size(), i); };
    return key(one) < key(other);
  });

  std::int64_t most = 0;
  std::size_t looked = 0;
  for (; looked < order.size() && most <= left; ++looked) {
    const PlacedWord& word = words[order[looked]];
    left -= word.worth;
    std::uint32_t next = 0;
    for (const std::uint32_t place : word.places) {
      const std::uint32_t sentence = sentence_of[place];
      next = std::max(next, sentence >= length - 1 ? sentence - (length - 1) : 0);
      for (; next <= sentence && next < count; ++next) {
        if (windows.worth[next] == 0) windows.touched.push_back(next);
        windows.worth[next] += word.worth;
        most = std::max(most, windows.worth[next]);
      }
    }
  }

  BestWindow best;
  for (const std::uint32_t window : windows.touched) {
    const std::uint32_t from = first_word[window], to = first_word[std::min(window + length, sentences)];
    std::int64_t worth = windows.worth[window], more = left;
    for (std::size_t i = looked; i < order.size() && worth + more >= most; ++i) {
      const PlacedWord& word = words[order[i]];
      more -= word.worth;
      if (!between(word.places, from, to).empty()) worth += word.worth;
    }
    most = std::max(most, worth);
    if (worth > best.worth || (worth == best.worth && window < best.sentence)) best = {window, worth};
  }
  return best;
}

bool stands_near(std::span<const PlacedWord> words, std::size_t n) {
  const std::size_t first = n - std::min(n, kNearNeighbours);
  const std::size_t last = std::min(n + kNearNeighbours, words.size() - 1);
  std::int64_t around = 0;
  for (std::size_t other = first; other <= last; ++other) around += other == n ? 0 : words[other].weight;
  if (around == 0) return false;
  const Places places = words[n].places;
  for (const std::uint32_t place : places.first(std::min(places.size(), kPlaces))) {
    std::int64_t there = 0;
    for (std::size_t other = first; other <= last; ++other) {
      if (other == n) continue;
      const Places near = between(words[other].places, place - std::min(place, kNearWords), place + kNearWords + 1);
      const bool its_own = std::any_of(near.begin(), near.end(),
                                       [&](std::uint32_t at) { return !is_of_a_later_word(words, other, at); });
      if (its_own) there += words[other].weight;
    }
    if (there * 3 >= around) return true;
  }
  return false;
}

}  // namespace residue::text
