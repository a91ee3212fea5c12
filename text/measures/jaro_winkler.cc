#include "text/measures/jaro_winkler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "text/characters/id_map.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kMaxPrefix = 4;
constexpr double kPrefixWeight = 0.1;
constexpr double kBoostAbove = 0.7;
constexpr std::size_t kWord = 64;

// What a similarity is made of.
struct Counts {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t common = 0;
  std::size_t misplaced = 0;  // common characters whose partner in order is another one: two make a transposition
};

double similarity(const Counts& n) {
  if (n.common == 0) return 0;
  const auto common = static_cast<double>(n.common);
  double sum = common / static_cast<double>(n.a);
  sum += common / static_cast<double>(n.b);
  sum += (common - static_cast<double>(n.misplaced / 2)) / common;
  return sum / 3.0;
}

double boosted(double jaro, std::size_t prefix) {
  return jaro > kBoostAbove ? jaro + static_cast<double>(prefix) * kPrefixWeight * (1.0 - jaro) : jaro;
}

// True if no pair with so many common characters and so long a prefix can reach the cutoff. The inequality of the
// similarity without its divisions; the slack is for their rounding.
bool out_of_reach(const Counts& n, std::size_t prefix, double cutoff) {
  const auto product = static_cast<double>(n.a * n.b);
  const double boost = static_cast<double>(prefix) * kPrefixWeight;
  const double reached = (static_cast<double>(n.common * (n.a + n.b)) + product) * (1 - boost);
  return reached < (3 * (cutoff - boost) - 1e-9) * product;
}

// How far apart common characters may be. Not for two texts of one character.
std::size_t window(std::size_t a, std::size_t b) {
  const std::size_t half = std::max(a, b) / 2;
  return half == 0 ? 0 : half - 1;
}

std::uint64_t letter(unsigned char c) { return std::uint64_t{1} << (c % kWord); }

template <class Text>
std::size_t common_prefix(const Text& a, const Text& b, std::size_t at_most) {
  std::size_t prefix = 0;
  while (prefix < at_most && a[prefix] == b[prefix]) ++prefix;
  return prefix;
}

// Which letters a text has, and whether all are ASCII.
struct Letters {
  std::uint64_t set = 0;
  bool ascii = true;
};

Letters letters_of(std::string_view text) {
  Letters out;
  unsigned all = 0;
  for (const char c : text) {
    all |= static_cast<unsigned char>(c);
    out.set |= letter(static_cast<unsigned char>(c));
  }
  out.ascii = all < 0x80;
  return out;
}

std::size_t count_in(std::string_view text, std::uint64_t letters) {
  std::size_t count = 0;
  for (const char c : text) count += (letters >> (static_cast<unsigned char>(c) % kWord)) & 1;
  return count;
}

// Both ASCII, of 1 to 64 characters. Bit i of a mask is character i of `a`.
double of_ascii(std::string_view a, const Letters& letters_a, std::string_view b, const Letters& letters_b,
                bool winkler, double cutoff) {
  Counts n{a.size(), b.size(), 0, 0};
  const std::size_t prefix = winkler ? common_prefix(a, b, std::min({n.a, n.b, kMaxPrefix})) : 0;
  if (cutoff > 0) {
    // Each common character of one text is some character of the other.
    n.common = std::min(n.a, n.b);
    if (out_of_reach(n, prefix, cutoff)) return 0;
    n.common = std::min(count_in(b, letters_a.set), count_in(a, letters_b.set));
    if (out_of_reach(n, prefix, cutoff)) return 0;
  }
  std::array<std::uint64_t, 128> places;  // NOLINT: only what the loops below write is read
  for (const char c : b) places[static_cast<unsigned char>(c)] = 0;
  for (const char c : a) places[static_cast<unsigned char>(c)] = 0;
  for (std::size_t i = 0; i < n.a; ++i) places[static_cast<unsigned char>(a[i])] |= std::uint64_t{1} << i;
  const std::size_t reach = window(n.a, n.b);
  std::uint64_t near = (std::uint64_t{2} << reach) - 1;
  std::uint64_t taken_of_a = 0;
  std::uint64_t taken_of_b = 0;
  for (std::size_t j = 0; j < n.b; ++j) {
    const std::uint64_t free = places[static_cast<unsigned char>(b[j])] & near & ~taken_of_a;
    taken_of_a |= free & (~free + 1);
    taken_of_b |= static_cast<std::uint64_t>(free != 0) << j;
    near = (near << 1) | static_cast<std::uint64_t>(j < reach);
  }
  n.common = static_cast<std::size_t>(std::popcount(taken_of_a));
  if (n.common == 0 || (cutoff > 0 && out_of_reach(n, prefix, cutoff))) return 0;
  for (; taken_of_b != 0; taken_of_b &= taken_of_b - 1, taken_of_a &= taken_of_a - 1) {
    n.misplaced += static_cast<std::size_t>(a[static_cast<std::size_t>(std::countr_zero(taken_of_a))] !=
                                            b[static_cast<std::size_t>(std::countr_zero(taken_of_b))]);
  }
  return winkler ? boosted(similarity(n), prefix) : similarity(n);
}

using Characters = std::vector<std::uint32_t>;

// Any texts that are not both empty. The places of each character are a list that is walked once: the window only moves
// forward, and takes the first free place. Linear.
double of_any(const Characters& a, const Characters& b, bool winkler) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Counts n{a.size(), b.size(), 0, 0};
  if (a.empty() || b.empty()) return 0;
  IdMap ids;
  ids.reset(a.size());
  std::vector<std::uint32_t> next_place;  // of a character, the first that is not behind the window or taken
  std::vector<std::uint32_t> last_place;
  std::vector<std::uint32_t> following(a.size(), kNone);  // of a place, the next of the same character
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const std::uint32_t id = ids.add(a[i]);
    if (id == next_place.size()) {
      next_place.push_back(place);
      last_place.push_back(place);
    } else {
      following[last_place[id]] = place;
      last_place[id] = place;
    }
  }
  const std::size_t reach = window(a.size(), b.size());
  std::vector<bool> taken(a.size(), false);
  Characters common_of_b;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const std::uint32_t id = ids.find(b[j]);
    if (id == IdMap::kNone) continue;
    std::uint32_t& place = next_place[id];
    while (place != kNone && place + reach < j) place = following[place];
    if (place == kNone || place > j + reach) continue;
    taken[place] = true;
    place = following[place];
    common_of_b.push_back(b[j]);
  }
  n.common = common_of_b.size();
  for (std::size_t i = 0, k = 0; i < a.size(); ++i) {
    if (taken[i]) n.misplaced += static_cast<std::size_t>(a[i] != common_of_b[k++]);
  }
  const std::size_t prefix = winkler ? common_prefix(a, b, std::min({n.a, n.b, kMaxPrefix})) : 0;
  return boosted(similarity(n), prefix);
}

Characters decoded(std::string_view text) {
  Characters out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    out.push_back(c.value);
    at += c.bytes;
  }
  return out;
}

double compare(std::string_view a, std::string_view b, bool winkler, double cutoff) {
  if (a.empty() && b.empty()) return 1;
  if (a.empty() || b.empty()) return 0;
  if (a.size() <= kWord && b.size() <= kWord) {
    const Letters letters_a = letters_of(a);
    const Letters letters_b = letters_of(b);
    if (letters_a.ascii && letters_b.ascii) return of_ascii(a, letters_a, b, letters_b, winkler, cutoff);
  }
  return of_any(decoded(a), decoded(b), winkler);
}

}  // namespace

double jaro(std::string_view a, std::string_view b) { return compare(a, b, false, 0); }

double jaro_winkler(std::string_view a, std::string_view b, double cutoff) { return compare(a, b, true, cutoff); }

}  // namespace residue::text
