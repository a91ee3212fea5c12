#include "ingest/surrogates/surrogates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "ingest/surrogates/like_numbers.h"
#include "ingest/surrogates/shifted_dates.h"
#include "ingest/surrogates/written_names.h"
#include "text/characters/folding.h"
#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"

namespace residue::ingest {
namespace {

using text::EntityType;

// What `words` are by themselves, without a word before them that says so; nothing where they are no one thing.
std::optional<EntityType> form_of(std::string_view words) {
  const auto found = text::recognize(words);
  if (found.size() != 1 || found[0].begin != 0 || found[0].end != words.size()) return std::nullopt;
  return found[0].type;
}

bool is_named(EntityType type) {
  using enum EntityType;
  return type == kName || type == kOrganisation || type == kStreet || type == kPlace;
}

}  // namespace

Surrogates::Surrogates(Draws draws, Consistency consistency, std::string_view text)
    : draws_(std::move(draws)),
      alone_(consistency == Consistency::kRecord),
      text_(text),
      names_(draws_, alone_, text),
      ages_(draws_) {}

void Surrogates::expect(EntityType type, std::string_view original) {
  if (type == EntityType::kPlace) places_.insert(text::lower(original));
  if (type == EntityType::kAge && alone_) ages_.expect(original);
  if (is_named(type)) names_.expect(original);
}

// A tag with a number that stands for this original.
std::string Surrogates::tag_of(EntityType type, std::string_view original) {
  const std::string_view tag = text::recognizer(type).tag;
  if (!alone_) return fmt::format("[{}_{}]", tag, draws_(original, 0) % 1'000'000);
  const std::string plain = names_.key_of(original);
  for (std::size_t number = made_.size();; ++number) {
    std::string made = fmt::format("[{}_{}]", tag, number);
    if (text_.find(made) == std::string_view::npos && given_.try_emplace(made, plain).second) return made;
  }
}

std::string Surrogates::of(EntityType type, std::string_view original) {
  const auto [at, fresh] = made_.try_emplace({type, std::string(original)});
  if (!fresh) return at->second;
  if (is_named(type)) names_.expect(original);
  at->second = type == EntityType::kOrganisation ? organisation(original) : other_than(type, original);
  return at->second;
}

// The same organisation in whatever letters and legal form: "Siemens AG", "SIEMENS".
std::string Surrogates::organisation(std::string_view original) {
  const std::string_view stem = original.substr(0, text::without_legal_form(original));
  const std::string known = names_.key_of(stem);
  if (known.empty()) return other_than(EntityType::kOrganisation, original);
  const auto [at, fresh] = firms_.try_emplace(known);
  if (fresh) {
    at->second = other_than(EntityType::kOrganisation, each_word(known, [](std::string_view word, bool) {
                              std::string title(word);
                              if (!stays_small(word) && small(title[0])) title[0] = static_cast<char>(title[0] - 32);
                              return title;
                            }));
  }
  const std::string& other = at->second;
  if (other.starts_with('[')) return other;
  return (begins_small(stem) ? text::lower(other) : in_case(other, stem)).append(original.substr(stem.size()));
}

std::string Surrogates::other_than(EntityType type, std::string_view original) {
  const auto& row = text::recognizer(type);
  const bool named = type == EntityType::kName || type == EntityType::kOrganisation || type == EntityType::kStreet;
  const std::uint64_t attempts = row.valid != nullptr ? 20'000 : named ? 20 : 200;
  std::string other;  // like words that are not found again by themselves
  const std::string plain = known_as(original), key = names_.key_of(original);
  const bool checked = row.valid != nullptr && row.valid(text::folded(original));
  const auto was = form_of(original);
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    names_.forget();  // a candidate that was none
    std::string candidate = made(type, original, attempt);
    const std::string lower = text::lower(candidate);
    if (candidate.empty() || known_as(lower) == plain) continue;
    if (checked && !row.valid(text::folded(candidate))) continue;
    if (const auto form = form_of(candidate); form != type && form != was) {
      if (named && attempt < 2) other = std::move(candidate);
      continue;
    }
    if ((named || type == EntityType::kPlace) && names_.is_of_record(candidate, original)) continue;
    if (taken(lower, key)) continue;
    names_.keep();
    return candidate;
  }
  if (!other.empty() && !names_.is_of_record(other, original) && !taken(text::lower(other), key)) return other;
  return tag_of(type, original);
}

bool Surrogates::taken(const std::string& surrogate, const std::string& original) {
  return alone_ && given_.try_emplace(surrogate, original).first->second != original;
}

std::string Surrogates::made(EntityType type, std::string_view original, std::uint64_t attempt) {
  using enum EntityType;
  // The same for all dates of the scope: more than a year, no whole weeks.
  const std::uint64_t far = draws_("days", 0);
  int days = static_cast<int>(366 + far % 1'460);
  if (days % 365 < 15) days += 30;  // nor whole years
  if (days % 7 == 0) ++days;
  if ((far >> 32U) % 2 == 1) days = -days;
  switch (type) {
    case kEmail:
      return email_like(draws_, original, attempt);
    case kUrl:
      return url_like(draws_, original, attempt);
    case kIp:
      return ip_like(draws_, original, attempt);
    case kDate:
    case kYear: {
      std::string moved = type == kYear ? shifted_years(original, days) : shifted_date(original, days);
      if (attempt == 0) return moved;
      // Where that is taken or is found as something else: other digits, of another year and month all the same.
      if (moved.empty()) moved = with_other_years(original, days);
      return shaped(draws_, moved, attempt, 0, Shape::kDates);
    }
    case kTime:
      if (attempt > 0) return shaped(draws_, original, attempt, 0, Shape::kDigits);
      return shifted_time(original, static_cast<int>(far % 719));
    case kAge:
      return ages_.moved(original, attempt);
    case kName:
      return names_.person(original, attempt);
    case kPlace:
      return place(original, attempt);
    case kOrganisation:
      return names_.organisation(original, attempt);
    case kStreet:
      return names_.street(original, attempt);
    case kIban:
      return shaped(draws_, original, attempt, 2);  // the country
    case kCard: {
      const bool few =
          original[0] == '1' || std::ranges::count_if(original, is_digit) == 12;  // such numbers begin alike
      return shaped(draws_, original, attempt, few ? 4 : 1);
    }
    case kPhone:
      return shaped(draws_, original, attempt, original[0] == '+' ? 3 : 1, Shape::kDigits);
    case kMoney:
      return shaped(draws_, original, attempt, 0, Shape::kDigits);
    case kMac:
      return shaped(draws_, original, attempt, 0, Shape::kHex);
    case kFile:
      return shaped(draws_, original, attempt, 0, Shape::kCapitals);
    default:
      return shaped(draws_, original, attempt, 0);
  }
}

// One of the place's country, or of what stands for that where it is replaced too.
std::string Surrogates::place(std::string_view original, std::uint64_t attempt) {
  std::string country;
  const text::PlacesOfCountry* row =
      text::row_of_country(original, true) == nullptr ? text::row_of_place(original) : nullptr;
  if (row != nullptr) {
    if (!alone_) country = row->country.front();
    for (const std::string& name : row->country) {
      if (country.empty() && places_.contains(text::lower(name))) country = name;
    }
  }
  return names_.place(original, attempt, country.empty() ? std::string() : of(EntityType::kPlace, country));
}

}  // namespace residue::ingest
