#include "ingest/surrogates/like_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/surrogates/like_numbers.h"
#include "ingest/surrogates/written_names.h"
#include "text/characters/unicode.h"
#include "text/following/name_words.h"

namespace residue::ingest {
namespace {

using text::NameBits;

constexpr std::uint8_t kCountry = NameBits::kCountry | NameBits::kPlace;

const std::vector<std::string>& names(std::uint8_t kind) {
  static const auto first = text::own_names(NameBits::kFirst), last = text::own_names(NameBits::kLast),
                    place = text::own_names(NameBits::kPlace), firm = text::own_names(NameBits::kOrganisation);
  static const auto country = text::own_names(kCountry);
  if (kind == kCountry) return country;
  if (kind == NameBits::kPlace) return place;
  if (kind == NameBits::kOrganisation) return firm;
  return kind == NameBits::kFirst ? first : last;
}

// Another country of which cities are known; `number` says which.
const std::string& other_country(std::string_view country, std::uint64_t number) {
  static const std::vector<const text::PlacesOfCountry*> rows = [] {
    std::vector<const text::PlacesOfCountry*> made;
    for (const text::PlacesOfCountry& row : text::places_of_countries()) {
      if (row.cities) made.push_back(&row);
    }
    return made;
  }();
  const std::string known = text::lower(country);
  const auto is_it = [&](const std::string& name) { return text::lower(name) == known; };
  // Several rows may be of one ("UK").
  while (std::ranges::any_of(rows[number % rows.size()]->country, is_it)) ++number;
  return rows[number % rows.size()]->country.front();
}

}  // namespace

LikeNames::LikeNames(const Draws& draws, bool alone, std::string_view text)
    : draws_(draws), alone_(alone), text_(text) {}

std::string LikeNames::key_of(std::string_view words) const { return alone_ ? text::lower(words) : known_as(words); }

void LikeNames::expect(std::string_view original) {
  if (!alone_) return;
  each_word(original, [this](std::string_view word, bool) {
    if (word.size() > 2 && !stays_small(word)) real_.insert(known_as(word));
    return std::string();
  });
}

bool LikeNames::occurs(const std::string& known) {
  if (!alone_) return false;
  if (!std::exchange(read_, true)) {
    text::each_name_word(text_, [this](const text::NameWord& word) {
      if (word.written != text::WordCase::kSmall) expect(text_.substr(word.begin, word.end - word.begin));
    });
  }
  return real_.contains(known);
}

bool LikeNames::is_of_record(std::string_view candidate, std::string_view original) {
  if (!alone_) return false;
  std::vector<std::string> own;
  each_word(original, [&](std::string_view word, bool) { return own.emplace_back(known_as(word)); });
  bool is = false;
  each_word(candidate, [&](std::string_view word, bool) {
    const std::string known = known_as(word);
    is = is || (word.size() > 2 && !stays_small(word) && std::ranges::find(own, known) == own.end() && occurs(known));
    return std::string();
  });
  return is;
}

void LikeNames::forget() {
  for (const std::string& word : fresh_) words_.erase(word);
  fresh_.clear();
}

// The name that stands for a word of a name.
std::string LikeNames::drawn_name(std::string_view word, std::uint8_t kind, text::Gender gender) {
  const std::string plain = key_of(word);
  const auto [at, fresh] = words_.try_emplace(plain);
  if (fresh) fresh_.push_back(plain);
  std::string& name = at->second;
  const auto& list =
      kind == NameBits::kFirst && gender != text::Gender::kUnknown ? text::first_names_of(gender) : names(kind);
  const std::string own = known_as(word);
  for (std::uint64_t i = 0; name.empty() && i < list.size(); ++i) {
    const std::string& other = drawn(list, plain, i);
    const std::string known = known_as(other);
    if (known != own && !occurs(known) && (!alone_ || used_.insert(known).second)) name = other;
  }
  if (name.empty()) name = fmt::format("X{}", words_.size());  // a record of more names than there are
  return begins_small(word) ? text::lower(name) : in_case(name, word);
}

std::string LikeNames::person(std::string_view original, std::uint64_t attempt) {
  const std::size_t last = original.find_last_of(" \t\r\n");
  text::Gender titled = text::Gender::kUnknown;
  bool leads = last != std::string_view::npos;
  return each_word(original, [&](std::string_view word, bool stop) -> std::string {
    const auto& lists = text::NameLists::own();
    // Across records a name must not depend on who is called what in one of them.
    if (const auto gender = text::gender_of_title(word); alone_ && gender != text::Gender::kUnknown) titled = gender;
    const bool surname = last != std::string_view::npos && word.data() > original.data() + last;
    // "VAN DER BERG": no first names.
    if (!surname && capital(word[0]) && word.size() > 1 && text::is_particle(text::lower(word)) &&
        std::ranges::none_of(word, small))
      return std::string(word);
    // What says what a street is ("Hill", "Court") names a person.
    if ((!surname && text::is_title_word(text::lower(word))) || stays_small(word)) return std::string(word);
    if (text::code_points(word) == 1 && (stop || (capital(word[0]) && word.size() < original.size())))
      return std::string(1, static_cast<char>('A' + draws_(word, attempt) % 26));
    // What begins a name of several words is a first name, whether a list knows it or not.
    const bool first = !surname && (std::exchange(leads, false) || lists.bits_of(word).has(NameBits::kFirst));
    if (!first) return drawn_name(word, NameBits::kLast);
    const text::Gender known = text::gender_of(word);
    return drawn_name(word, NameBits::kFirst, known != text::Gender::kUnknown ? known : titled);
  });
}

std::string LikeNames::organisation(std::string_view original, std::uint64_t attempt) {
  const auto bits = text::NameLists::own().bits_of(original);
  for (const std::uint8_t kind : {kCountry, NameBits::kPlace, NameBits::kOrganisation}) {
    if ((bits.bits & kind) == kind) return in_case(drawn(names(kind), original, attempt), original);
  }
  // "Mayo-Walters Ltd", "University of Oslo": what it is stays, which one does not.
  bool says = false;
  std::string made = each_word(original, [&](std::string_view word, bool stop) -> std::string {
    const bool kind = text::is_organisation_word(word);
    says = says || kind;
    return kind || stays_small(word) || (stop && word == "St") ? std::string(word) : drawn_name(word, NameBits::kLast);
  });
  if (says && made != original) return made;
  const std::string& other = drawn(names(NameBits::kOrganisation), original, attempt);
  // "eBay" and "McDonald's" are found nowhere by themselves.
  return capital(other[0]) && other.find('\'') == std::string::npos ? in_case(other, original) : std::string();
}

std::string LikeNames::place(std::string_view original, std::uint64_t attempt, std::string_view country) {
  constexpr std::uint64_t kPatience = 100;
  if (attempt < kPatience) {
    if (text::row_of_country(original, true) != nullptr)
      return in_case(other_country(original, draws_(original, attempt)), original);
    if (const text::PlacesOfCountry* row = text::row_of_place(original)) {
      if (!country.empty()) {
        const text::PlacesOfCountry* there = text::row_of_country(country, row->cities);
        if (there == nullptr) there = text::row_of_country(country, true);
        if (there != nullptr) row = there;
      }
      if (!row->places.empty()) return in_case(drawn(row->places, original, attempt), original);
    }
  }
  const auto bits = text::NameLists::own().bits_of(original);
  for (const std::uint8_t kind : {kCountry, NameBits::kPlace, NameBits::kOrganisation}) {
    if ((bits.bits & kind) == kind) return in_case(drawn(names(kind), original, attempt), original);
  }
  return in_case(drawn(names(NameBits::kPlace), original, attempt), original);
}

std::string LikeNames::street(std::string_view original, std::uint64_t attempt) {
  constexpr auto kEndings = std::to_array<std::string_view>(
      {"straße", "strasse", "straat", "gracht", "vænget", "vangen", "bakken", "torget", "stigen", "vägen", "veien",
       "vegen",  "gatan",   "platz",  "allee",  "plein",  "gasse",  "stien",  "gade",   "gata",   "gate",  "gatu",
       "kuja",   "katu",    "utca",   "ring",   "laan",   "allé",   "weg",    "vej",    "tie",    "str",   "tn"});
  std::string words = each_word(original, [&](std::string_view word, bool) -> std::string {
    const auto at = static_cast<std::size_t>(word.data() - original.data());
    const std::size_t end = at + word.size();
    const bool joined = (at > 0 && original[at - 1] == '-') || (end < original.size() && original[end] == '-');
    const bool stays = joined ? stays_small(word) : small(word[0]);
    if (generic(word) || stays || word.size() == 1) return std::string(word);
    for (const std::string_view ending : kEndings) {
      if (word.size() <= ending.size() + 2 || !text::lower(word).ends_with(ending)) continue;
      const std::string_view stem = word.substr(0, word.size() - ending.size());
      return drawn_name(stem, NameBits::kLast).append(word.substr(stem.size()));
    }
    return drawn_name(word, NameBits::kLast);
  });
  return other_digits(draws_, original, attempt, std::move(words));
}

}  // namespace residue::ingest
