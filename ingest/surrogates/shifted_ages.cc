#include "ingest/surrogates/shifted_ages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "ingest/surrogates/written_names.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::array<std::string_view, 20> kUnits{
    "",    "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens{"",      "ten",   "twenty",  "thirty", "forty",
                                                 "fifty", "sixty", "seventy", "eighty", "ninety"};

// A number of an age: bytes [begin, end), in digits or in words, and the least and the most that it may become.
struct Count {
  std::size_t begin = 0;
  std::size_t end = 0;
  int value = 0;
  int least = 1;
  int most = 99;

  [[nodiscard]] bool may_become(int moved) const { return moved >= least && moved <= most; }
};

// The end of the letters at `i`.
std::size_t word_end(std::string_view words, std::size_t i) {
  while (i < words.size() && residue::is_alpha(words[i])) ++i;
  return i;
}

// Of "forty-five" both words are one number; 0 is none.
Count count_in_words(std::string_view age, std::size_t begin) {
  Count count{begin, word_end(age, begin)};
  const std::string first = text::lower(age.substr(begin, count.end - begin));
  if (first == "hundred") count.value = 100;
  if (const auto* unit = std::ranges::find(kUnits, first); unit != kUnits.end() && !first.empty())
    count.value = static_cast<int>(unit - kUnits.begin());
  const auto* tens = std::ranges::find(kTens, first);
  if (tens == kTens.end() || tens < kTens.begin() + 2) return count;
  count.value = static_cast<int>(tens - kTens.begin()) * 10;
  if (count.end >= age.size() || age[count.end] != '-') return count;
  const std::size_t end = word_end(age, count.end + 1);
  const std::string second = text::lower(age.substr(count.end + 1, end - count.end - 1));
  const auto* unit = std::ranges::find(kUnits, second);
  if (second.empty() || unit >= kUnits.begin() + 10) return count;
  count.value += static_cast<int>(unit - kUnits.begin());
  count.end = end;
  return count;
}

std::vector<Count> counts_of(std::string_view age) {
  constexpr std::array kLeast{1, 10, 100};
  constexpr std::array kMost{9, 99, 129};
  std::vector<Count> counts;
  for (std::size_t i = 0; i < age.size();) {
    if (is_digit(age[i])) {
      std::size_t end = i;
      while (end < age.size() && is_digit(age[end])) ++end;
      const bool fraction = i > 1 && age[i - 1] == '.' && is_digit(age[i - 2]);
      const std::size_t size = std::min<std::size_t>(end - i, 3) - 1;
      if (!fraction)
        counts.push_back({i, end, std::atoi(std::string(age.substr(i, 3)).c_str()), kLeast[size], kMost[size]});
      i = end;
    } else if (residue::is_alpha(age[i])) {
      const Count count = count_in_words(age, i);
      if (count.value != 0) counts.push_back(count);
      i = count.end;
    } else {
      ++i;
    }
  }
  return counts;
}

// In words, with the first letter or all of them in capitals as `like` has them.
std::string in_words(int value, std::string_view like) {
  std::string words;
  if (value < 20) {
    words = kUnits[static_cast<std::size_t>(value)];
  } else {
    words = kTens[static_cast<std::size_t>(value / 10)];
    if (value % 10 != 0) words.append("-").append(kUnits[static_cast<std::size_t>(value % 10)]);
  }
  if (capital(like[0])) words[0] = static_cast<char>(words[0] - 32);
  return in_case(std::move(words), like);
}

}  // namespace

ShiftedAges::ShiftedAges(const Draws& draws) {
  steps_ = {1, 2, 3, 4, -1, -2, -3, -4};
  for (std::size_t left = steps_.size(); left > 1; --left)
    std::swap(steps_[left - 1], steps_[draws("ages", left) % left]);
}

void ShiftedAges::expect(std::string_view original) { expected_.emplace_back(original); }

int ShiftedAges::step(std::uint64_t attempt) {
  if (!chosen_) {
    const auto suits = [&](int step) {
      return std::ranges::all_of(expected_, [&](const std::string& age) {
        return std::ranges::all_of(counts_of(age), [&](const Count& one) { return one.may_become(one.value + step); });
      });
    };
    const auto* const at = std::ranges::find_if(steps_, suits);
    chosen_ = at == steps_.end() ? 0 : static_cast<std::size_t>(at - steps_.begin());
  }
  const int one = steps_[(*chosen_ + attempt) % steps_.size()];
  const int more = static_cast<int>(4 * (attempt / steps_.size()));
  return one < 0 ? one - more : one + more;
}

std::string ShiftedAges::moved(std::string_view original, std::uint64_t attempt) {
  const int far = step(attempt);
  std::string made;
  std::size_t done = 0;
  for (const Count& count : counts_of(original)) {
    int value = count.value + far;
    if (!count.may_become(value)) value = count.value - far;
    if (!count.may_become(value)) return {};
    made.append(original.substr(done, count.begin - done));
    const std::string_view written = original.substr(count.begin, count.end - count.begin);
    made += is_digit(written[0]) ? fmt::format("{}", value) : in_words(value, written);
    done = count.end;
  }
  return made.append(original.substr(done));
}

}  // namespace residue::ingest
