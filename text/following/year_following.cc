#include "text/following/year_following.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "text/characters/folding.h"
#include "text/identifiers/matchers.h"

namespace residue::text {

namespace {

// A year that stands in the text: bytes [begin, end) of the folded text, with the "/99" or "-04" behind it.
struct Year {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::array<int, 2> values{};  // of "1998-99" both, else twice the same
  bool known = false;           // an entity has it
  std::size_t chain = 0;        // of years that are joined
};

// Years that are joined: all of them are, or none.
struct Chain {
  std::size_t first = 0;
  std::size_t last = 0;
  bool commas = true;  // nothing else between them
  bool known = false;
};

// The end of "/99" or "-04" behind the year that ends at `end`, a later one of the same century or the next year; `end`
// where there is none.
std::size_t second_year(std::string_view t, std::size_t end, int first) {
  const char sign = match::peek(t, end);
  const std::size_t stop = match::digits(t, end + 1, 5);
  if ((sign != '/' && sign != '-') || stop != end + 3 || match::word_at(t, stop) || match::peek(t, stop) == sign)
    return end;
  const int second = match::value_of(t, end + 1, stop);
  return second > first % 100 || second == (first + 1) % 100 ? stop : end;
}

// What may stand between two years that are joined: its bytes, or 0.
std::size_t joint(std::string_view t, std::size_t at, bool& comma) {
  comma = false;
  for (const std::string_view between :
       match::words({" and ",  " to ",      ", and ", " or ",  ", or ", " & ",      " - ", "-",   "/",   " until ",
                     " till ", " through ", " bis ",  " und ", " et ",  " and/or ", " y ", " e ", " a ", "; "})) {
    if (match::continues(t, at, between)) return between.size();
  }
  comma = match::continues(t, at, ", ") || match::continues(t, at, ",\n");
  return comma ? 2 : 0;
}

// Is it a piece of a longer number or code? A low line or something that is replaced beside it parts it off: it is
// then a piece of a file name or a handle, and whole.
bool is_piece(std::string_view t, std::size_t begin, std::size_t end, bool replaced_before, bool replaced_behind) {
  const char before = begin > 0 ? t[begin - 1] : ' ';
  const char next = match::peek(t, end);
  const bool digit_before = begin > 1 && is_digit(t[begin - 2]);
  if (match::word_before(t, begin) && before != '_' && !replaced_before) return true;
  if (match::word_at(t, end) && next != '_' && !replaced_behind) return true;
  if ((before == '.' || before == ',' || before == ':') && digit_before) return true;
  return (next == '.' || next == ',' || next == ':') && is_digit(match::peek(t, end + 1));
}

// "the 1998 Act", "Act 1998".
bool says_a_law(std::string_view t, const Year& year) {
  constexpr auto kLaws = std::to_array<std::string_view>({"Act", "Law", "Ordinance", "Statute", "Regulations"});
  const std::string_view behind = match::word_behind(t, year.begin);
  return match::is_of_a_law(t, year.end) || std::ranges::find(kLaws, behind) != kLaws.end();
}

class Years {
 public:
  Years(std::string_view text, std::span<const Entity> found) : folded_(text), t_(folded_.text()), found_(found) {
    read();
    join();
    know();
  }

  std::vector<Entity> entities() const {
    std::vector<Entity> all;
    for (const Year& year : years_) {
      if (year.known || !chains_[year.chain].known) continue;
      const Span span = folded_.written({year.begin, year.end});
      all.push_back({span.begin, span.end, EntityType::kYear});
    }
    return all;
  }

 private:
  // All years, those of dates and those that are in no entity.
  void read() {
    std::size_t next = 0;
    for (std::size_t at = 0; at < t_.size(); ++at) {
      if (!is_digit(t_[at])) continue;
      const std::size_t run = match::digits(t_, at, t_.size());
      const std::size_t begin = at;
      at = run;
      if (run != begin + 4) continue;
      const int value = match::value_of(t_, begin, run);
      if (value < 1800 || value >= 2200) continue;
      const Span span = folded_.written({begin, run});
      while (next < found_.size() && found_[next].end <= span.begin) ++next;
      Year year{begin, second_year(t_, run, value), {value, value}};
      if (year.end != run) year.values[1] = value - value % 100 + match::value_of(t_, run + 1, year.end);
      if (year.values[1] < value) year.values[1] += 100;
      if (next < found_.size() && found_[next].begin < span.end) {
        const EntityType type = found_[next].type;
        if (type != EntityType::kDate && type != EntityType::kYear) continue;
        year.known = true;
      } else if (is_piece(t_, begin, year.end, next > 0 && found_[next - 1].end == span.begin,
                          replaced_from(next, year.end)) ||
                 match::unit_follows(t_, year.end) || says_a_law(t_, year)) {
        continue;
      }
      years_.push_back(year);
    }
  }

  // Does the next of what was found begin where a year ends?
  [[nodiscard]] bool replaced_from(std::size_t next, std::size_t end) const {
    return next < found_.size() && found_[next].begin == folded_.written({end - 1, end}).end;
  }

  // Puts years that are joined into one chain each.
  void join() {
    for (std::size_t i = 0; i < years_.size(); ++i) {
      bool comma = false;
      const std::size_t between = i > 0 ? joint(t_, years_[i - 1].end, comma) : 0;
      const bool joined = between != 0 && years_[i - 1].end + between == years_[i].begin;
      if (!joined) chains_.push_back({i, i});
      years_[i].chain = chains_.size() - 1;
      chains_.back().last = i;
      if (joined && !comma) chains_.back().commas = false;
    }
  }

  // "In 1998, 2000 soldiers": one comma joins no years before a word.
  [[nodiscard]] bool holds(const Chain& chain) const {
    if (!chain.commas || chain.last - chain.first != 1) return true;
    const std::size_t end = years_[chain.last].end;
    return match::peek(t_, end) != ' ' || !residue::is_lower(match::peek(t_, end + 1));
  }

  // What is known of one year of a chain is known of all, and of all chains that have one of their values.
  void know() {
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (holds(chains_[i])) continue;
      chains_.push_back({chains_[i].last, chains_[i].last});
      years_[chains_[i].last].chain = chains_.size() - 1;
      chains_[i].last = chains_[i].first;
    }
    std::unordered_map<int, std::vector<std::size_t>> having;
    for (const Year& year : years_) {
      for (const int value : year.values) having[value].push_back(year.chain);
    }
    std::vector<std::size_t> open;
    const auto take = [&](std::size_t chain) {
      if (!std::exchange(chains_[chain].known, true)) open.push_back(chain);
    };
    for (const Year& year : years_) {
      if (year.known) take(year.chain);
    }
    std::set<int> said;
    while (!open.empty()) {
      const Chain chain = chains_[open.back()];
      open.pop_back();
      for (std::size_t i = chain.first; i <= chain.last; ++i) {
        for (const int value : years_[i].values) {
          if (!said.insert(value).second) continue;
          for (const std::size_t other : having[value]) take(other);
        }
      }
    }
  }

  FoldedText folded_;
  std::string_view t_;
  std::span<const Entity> found_;
  std::vector<Year> years_;
  std::vector<Chain> chains_;
};

}  // namespace

std::vector<Entity> follow_years(std::string_view text, std::span<const Entity> found) {
  const bool any = std::ranges::any_of(
      found, [](const Entity& one) { return one.type == EntityType::kDate || one.type == EntityType::kYear; });
  return any ? Years(text, found).entities() : std::vector<Entity>();
}

}  // namespace residue::text
