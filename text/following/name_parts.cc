#include "text/following/name_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/characters/unicode.h"
#include "text/following/names_in_use.h"
#include "text/identifiers/matchers.h"
#include "text/words/abbreviations.h"

namespace residue::text {

namespace {

bool one_of(std::string_view word, const auto& words) { return std::ranges::find(words, word) != words.end(); }

// After these words, a word in small letters is no name.
constexpr auto kBeforeWords = std::to_array<std::string_view>(
    {"a",   "an",    "the",  "this", "that",  "these", "those", "my",   "your",  "his",  "her",   "its",
     "our", "their", "some", "any",  "no",    "every", "each",  "to",   "i",     "you",  "he",    "she",
     "it",  "we",    "they", "will", "would", "can",   "could", "may",  "might", "must", "shall", "should",
     "not", "was",   "were", "is",   "are",   "be",    "been",  "very", "more",  "most", "too",   "so"});
// Endings of firms' names that people leave out in speech: "Ltd".
constexpr auto kFirmEnds = std::to_array<std::string_view>(
    {"inc",     "ltd",          "llc",     "llp",      "plc",   "gmbh", "corp", "corporation",
     "limited", "incorporated", "company", "holdings", "group", "bv",   "nv",   "spa",
     "sarl",    "srl",          "oy",      "pty",      "kg",    "co",   "ag"});
// Kinds of institutions that stand for one that was named: "the Ministry".
constexpr auto kHeads = std::to_array<std::string_view>(
    {"academy",   "agency",   "association", "bank",       "cathedral",  "centre",     "center",     "church",
     "clinic",    "college",  "company",     "department", "embassy",    "federation", "foundation", "hospice",
     "hospital",  "hotel",    "infirmary",   "institute",  "laboratory", "library",    "ministry",   "museum",
     "orchestra", "pharmacy", "school",      "society",    "theatre",    "trust",      "university"});

constexpr auto kOf = std::to_array<std::string_view>({"of", "for"});

// The second word of "ministry of justice ".
std::string_view kind_of_what(std::string_view kind) {
  kind.remove_prefix(kind.find(' ') + 1);
  return kind.substr(0, std::min(kind.find(' '), kind.size()));
}

std::string initial_of(std::string_view key) {
  std::string initial;
  append_utf8(initial, code_point_at(key, 0).value);
  return initial + '.';
}

}  // namespace

NameParts::NameParts(const RecordWords& record, const NameLists& lists) : lists_(lists) {
  add_found(record);
  for (const std::span<const RecordWord> name : names_in_use(record, lists)) add_person(name);
  add_small_names(record);
  if (parts_.empty()) return;
  const auto place_all = [this] {
    for (const auto& [key, part] : parts_) places_.set(place_of(key));
  };
  place_all();
  add_first_names(record);
  place_all();
  notice_plain_words(record);
}

std::size_t NameParts::place_of(std::string_view key) {
  if (key.empty()) return 0;
  const auto first = static_cast<unsigned char>(key.front());
  const auto last = static_cast<unsigned char>(key.back());
  return (first * 37U + last * 11U + key.size() * 131U + static_cast<unsigned char>(key[key.size() / 2])) % 4096U;
}

const NamePart* NameParts::find(std::string_view key) const {
  if (!places_.test(place_of(key))) return nullptr;
  const auto at = parts_.find(key);
  return at == parts_.end() ? nullptr : &at->second;
}

const EntityType* NameParts::whole(std::string_view phrase) const {
  const auto at = phrases_.find(phrase);
  return at == phrases_.end() ? nullptr : &at->second;
}

void NameParts::add_found(const RecordWords& record) {
  for (std::size_t i = 0; i < record.size();) {
    const std::size_t entity = record[i].entity;
    std::size_t end = i + 1;
    while (entity != kNoEntity && end < record.size() && record[end].entity == entity) ++end;
    const std::span<const RecordWord> name = record.words().subspan(i, end - i);
    i = end;
    if (entity == kNoEntity) continue;
    const EntityType type = record.entity_of(name[0]).type;
    if (type == EntityType::kName) add_person(name);
    if (type == EntityType::kOrganisation) add_organisation(name);
    if (type == EntityType::kPlace) add_whole(name, type);
  }
}

void NameParts::add_person(std::span<const RecordWord> name) {
  add_with_particles(name);
  std::string initials, first_initial;
  std::string_view last;
  std::size_t names = 0;
  for (const RecordWord& word : name) {
    if (word.initials) {
      if (std::ranges::count(word.key, '.') > 1) parts_[std::string(word.key)].named = true;
      initials += word.key;
      continue;
    }
    if (word.written == WordCase::kSmall || is_title_word(word.exact)) continue;
    const std::string initial = initial_of(word.key);
    initials_.insert(initial.substr(0, initial.size() - 1));
    if (initials.empty()) first_initial = initial;
    initials += initial;
    ++names;
    last = word.key;
    add_part(word.exact, EntityType::kName);
    add_without_mark(word.exact);
    if (word.key.find('-') == std::string_view::npos) continue;
    for (const std::string_view piece : hyphen_pieces(word.exact)) add_part(piece, EntityType::kName);
  }
  if (!last.empty()) {
    if (const auto at = parts_.find(last); at != parts_.end()) at->second.last = true;
  }
  if (names < 2 || first_initial.empty()) return;
  // "Frank K. Lee" is "F.K.L." and "F.L."
  parts_[initials].named = true;
  parts_[first_initial + initial_of(last)].named = true;
}

// "O'Brien" is "OBrien" and "O Brien" too.
void NameParts::add_without_mark(std::string_view exact) {
  const std::size_t mark = exact.find('\'');
  if (mark == std::string_view::npos || mark == 0) return;
  const std::string before(exact.substr(0, mark)), behind(exact.substr(mark + 1));
  if (code_points(behind) < 3) return;
  add_part(before + behind, EntityType::kName);
  std::string store;
  std::string phrase = before + " " + behind;
  phrases_.try_emplace(std::string(plain_name_key(phrase, store)), EntityType::kName);
  parts_[before].begins = true;
}

// "de la Cruz" is "De La Cruz" and "DE LA CRUZ" too, though a cruz may be something else.
void NameParts::add_with_particles(std::span<const RecordWord> name) {
  const auto is = [](const RecordWord& word) { return word.written == WordCase::kSmall && is_particle(word.key); };
  const auto first = std::ranges::find_if(name, is);
  if (first == name.end() || first + 1 == name.end() || name.back().written == WordCase::kSmall) return;
  add_whole(name.subspan(static_cast<std::size_t>(first - name.begin())), EntityType::kName);
}

void NameParts::add_part(std::string_view exact, EntityType type) {
  std::string store;
  const std::string_view key = plain_name_key(exact, store);
  if (code_points(key) < 2 || is_title_word(exact) || begins_sentences(key)) return;
  const NameBits bits = lists_.bits_of(exact);
  const bool listed = bits.has(NameBits::kFirst | NameBits::kLast) && type == EntityType::kName;
  if (is_role_word(exact) && !listed) return;
  NamePart& part = parts_[std::string(key)];
  if (key == exact) part.accented = false;
  if (part.named) return;
  part.named = true;
  part.accented = key != exact;
  part.type = type;
  part.calendar = match::is_calendar_word(key);
  const auto word = [&](std::string_view one) {
    return lists_.bits_of(one).has(NameBits::kWord) || is_role_word(one) || is_common_word(one);
  };
  part.common = part.calendar || code_points(key) < 3 || word(exact) || (part.accented && word(key));
}

void NameParts::add_whole(std::span<const RecordWord> name, EntityType type) {
  if (name.empty() || name.size() > kMostNameWords) return;
  if (name.size() == 1) {
    // "US" is not "us": lists find it where it stands.
    const bool acronym = name[0].written == WordCase::kCapitals && name[0].end - name[0].begin <= 5;
    if (!acronym && !name[0].initials) add_part(name[0].exact, type);
    return;
  }
  std::string phrase;
  for (const RecordWord& word : name) phrase.append(phrase.empty() ? "" : " ").append(word.key);
  phrases_.try_emplace(std::move(phrase), type);
  parts_[std::string(name[0].key)].begins = true;
}

void NameParts::add_organisation(std::span<const RecordWord> name) {
  add_whole(name, EntityType::kOrganisation);
  std::size_t kept = name.size();
  while (kept > 0 && one_of(name[kept - 1].key, kFirmEnds)) --kept;
  if (kept != name.size()) add_whole(name.first(kept), EntityType::kOrganisation);
  if (name.size() < 2) return;
  for (const RecordWord& word : name) {
    if (!one_of(word.key, kHeads)) continue;
    // "the Ministry" of a record that names two is neither.
    std::string kind;
    for (const RecordWord* next = &word; next != name.data() + name.size(); ++next) kind.append(next->key).append(" ");
    const auto [known, fresh] = heads_.try_emplace(std::string(word.key), kind);
    NamePart& part = parts_[known->first];
    part.head = fresh || ((known->second.starts_with(kind) || kind.starts_with(known->second)) && part.head);
    part.small_head = part.small_head || one_of(kind_of_what(kind), kOf);
  }
}

// "my name is borna jerković but everyone calls me borna": somebody who writes no capitals says the name again. A first
// name of the lists need not be said again.
void NameParts::add_small_names(const RecordWords& record) {
  const auto may_name = [&](std::size_t i) {
    if (i >= record.size()) return false;
    const RecordWord& word = record[i];
    const bool initial = record.text().substr(record[i - 1].end, word.begin - record[i - 1].end) == ". " &&
                         record[i - 1].key.size() == 1;
    if (!(initial || record.follows(i)) || word.entity != kNoEntity || word.written != WordCase::kSmall) return false;
    const NameBits bits = lists_.bits_of(word.exact);
    if (bits.bits != 0) return !bits.has(NameBits::kWord);
    return is_unknown_name(word, lists_) && !word.key.ends_with("ed") && !one_of(word.key, kBeforeWords);
  };
  for (std::size_t i = 1; i + 2 < record.size(); ++i) {
    if (record[i].key != "name" || record[i - 1].key != "my" || record[i + 1].key != "is") continue;
    std::size_t last = i + 3;  // behind "j." and "van"
    while (last < i + 5 && last + 1 < record.size() && (record[last].key.size() == 1 || is_particle(record[last].key)))
      ++last;
    const RecordWord& first = record[i + 2];
    if (!may_name(i + 2)) continue;
    const bool whole = may_name(last);
    if (!lists_.bits_of(first.exact).has(NameBits::kFirst)) {
      const auto rest = record.words().subspan(i + 3);
      if (!whole || std::ranges::find(rest, first.key, &RecordWord::key) == rest.end()) continue;
    }
    for (const std::size_t n : {i + 2, whole ? last : i + 2}) {
      add_part(record[n].exact, EntityType::kName);
      if (const auto at = parts_.find(record[n].key); at != parts_.end()) at->second.small = true;
    }
  }
}

// The first name before a known surname: "Cengiz" in "Cengiz Polat", where "Mr Polat" was found.
void NameParts::add_first_names(const RecordWords& record) {
  std::vector<std::string_view> fresh;
  for (std::size_t i = 0; record.size() > 0 && i + 1 < record.size(); ++i) {
    const RecordWord& word = record[i];
    const RecordWord& next = record[i + 1];
    if (word.entity != kNoEntity || word.written != WordCase::kTitle || word.initials) continue;
    if (next.entity != kNoEntity || next.written != WordCase::kTitle || !record.followed(i)) continue;
    const NamePart* part = find(next.key);
    if (part != nullptr && part->last && !part->common && is_unknown_name(word, lists_) &&
        !(record.begins_sentence(i) && word.key.ends_with("ed")))
      fresh.push_back(word.exact);
  }
  for (const std::string_view exact : fresh) add_part(exact, EntityType::kName);
}

// "the stones": the record has it as a word.
void NameParts::notice_plain_words(const RecordWords& record) {
  for (std::size_t i = 1; i < record.size(); ++i) {
    const RecordWord& word = record[i];
    if (word.written != WordCase::kSmall || word.entity != kNoEntity || !record.follows(i)) continue;
    if (!places_.test(place_of(word.key))) continue;
    const auto at = parts_.find(word.key);
    if (at == parts_.end() || at->second.small || !one_of(record[i - 1].key, kBeforeWords)) continue;
    if (at->second.accented && word.key == word.exact) {
      at->second.bare = true;
    } else {
      at->second.common = at->second.plain = true;
    }
  }
}

}  // namespace residue::text
