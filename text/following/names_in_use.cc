#include "text/following/names_in_use.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "text/following/name_parts.h"
#include "text/words/abbreviations.h"

namespace residue::text {

namespace {

bool one_of(std::string_view word, const auto& words) { return std::ranges::find(words, word) != words.end(); }

constexpr auto kBeforeThings = std::to_array<std::string_view>({"the", "a", "an", "in", "at", "near", "of", "this"});
constexpr auto kOfThings =
    std::to_array<std::string_view>({"ly", "ing", "ance", "ence", "ment", "ments", "tion", "tions", "sion", "ness",
                                     "ity", "ship", "ism", "dom", "doms", "dium", "ology", "ography"});
// The last letters of these.
constexpr auto kLastLetters = [] {
  std::array<bool, 256> letters{};
  for (const std::string_view end : kOfThings) letters[static_cast<unsigned char>(end.back())] = true;
  return letters;
}();
constexpr auto kBorn = std::to_array<std::string_view>({" (born ", " (b. "});

// What a record does with a word.
struct Use {
  std::size_t ends = 0;   // full names
  std::size_t alone = 0;  // times that it stands alone
  bool acts = false;      // it does something, alone
  bool other = false;     // it is no person's
};

struct Hash {
  std::size_t operator()(std::string_view key) const { return static_cast<std::size_t>(hash_bytes(key)); }
};
using Uses = std::unordered_map<std::string_view, Use, Hash>;

// The only word of a listed name, initials aside: of "Fletcher Turcotte" and "Vide A. Persson" the lists know one half.
bool is_half(const RecordWords& record, std::size_t i) {
  const RecordWord& word = record[i];
  const auto same = [&](std::size_t n) { return n < record.size() && record[n].entity == word.entity; };
  if (record.entity_of(word).type != EntityType::kName || same(i + 1) || is_common_word(word.key)) return false;
  while (i > 0 && same(i - 1) && record[i - 1].initials) --i;
  return i == 0 || !same(i - 1);
}

// The end of the capitalized words from `i` on that no list knows, at most one of them a listed name, with initials
// and particles between; `i` where there is none.
std::size_t unknown_run(const RecordWords& record, std::size_t i, const NameLists& lists) {
  std::size_t end = i, halves = 0;
  bool unknown = false;
  for (std::size_t n = i; n < record.size() && n < i + kMostNameWords && (n == i || record.follows(n)); ++n) {
    const RecordWord& word = record[n];
    if (n > i && (word.initials || is_lone_capital(word) || is_particle(word.key))) continue;
    if (word.written != WordCase::kTitle || word.initials) break;
    if (word.entity == kNoEntity) {
      if (!is_unknown_name(word, lists)) break;
      unknown = true;
    } else if (++halves > 1 || !is_half(record, n)) {
      break;
    }
    end = n + 1;
    if (word.possessive) break;
  }
  return unknown ? end : i;
}

bool born(const RecordWords& record, std::size_t last) {
  const std::string_view behind = record.text().substr(record[last].end);
  return std::ranges::any_of(kBorn, [&](std::string_view cue) { return behind.starts_with(cue); });
}

// "Tom" Perriello: what stands before the word `i`, across a quotation mark, is a name.
bool behind_a_name(const RecordWords& record, std::size_t i) {
  if (i == 0 || record[i - 1].entity == kNoEntity) return false;
  return record[i].begin - record[i - 1].end <= 4 && record.entity_of(record[i - 1]).type == EntityType::kName;
}

// The beginning of the full name that ends with the word `last`, behind which "(born" stands; behind `last` where it is
// none.
std::size_t begin_of_born(const RecordWords& record, std::size_t last, const NameLists& lists) {
  std::size_t begin = last + 1, names = 0;
  for (std::size_t i = last + 1; i-- > 0 && last - i < kMostNameWords;) {
    const RecordWord& word = record[i];
    if (word.entity != kNoEntity || (i < last && !record.follows(i + 1))) break;
    if (word.initials || is_particle(word.key)) continue;
    const NameBits bits = lists.bits_of(word.exact);
    const bool word_only = bits.has(NameBits::kWord) && !bits.has(NameBits::kFirst | NameBits::kLast);
    if (word.written != WordCase::kTitle || is_role_word(word.exact) || word_only) break;
    begin = i;
    ++names;
  }
  return names > 1 || (names == 1 && behind_a_name(record, begin)) ? begin : last + 1;
}

}  // namespace

bool stands_before_things(std::string_view key) { return one_of(key, kBeforeThings); }

bool is_unknown_name(const RecordWord& word, const NameLists& lists) {
  // What refuses most words, and costs least, first.
  if (word.key.size() < 3 || lists.bits_of(word.exact).bits != 0 || is_common_word(word.key)) return false;
  if (is_role_word(word.exact) || begins_sentences(word.key)) return false;
  if (!kLastLetters[static_cast<unsigned char>(word.key.back())]) return true;
  // "Tilly" and "Molly" are short, "Finally" is not.
  return std::ranges::none_of(
      kOfThings, [&](std::string_view end) { return word.key.ends_with(end) && (end != "ly" || word.key.size() > 5); });
}

std::vector<std::span<const RecordWord>> names_in_use(const RecordWords& record, const NameLists& lists) {
  struct Run {
    std::size_t begin = 0, end = 0;
    bool sure = false;
  };
  Uses uses;
  std::vector<Run> runs;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (record[i].written != WordCase::kTitle || !born(record, i)) continue;
    if (const std::size_t begin = begin_of_born(record, i, lists); begin <= i) runs.push_back({begin, i + 1, true});
  }
  for (std::size_t i = 0; i < record.size();) {
    const std::size_t end = record[i].written == WordCase::kSmall ? i : unknown_run(record, i, lists);
    if (end == i) {
      if (record[i].entity != kNoEntity && is_half(record, i)) {
        Use& use = uses[record[i].key];
        ++use.alone;
        if (record.followed(i) && is_deed(record[i + 1])) use.acts = true;
      }
      ++i;
      continue;
    }
    for (std::size_t n = i; n < end; ++n) {
      if (record[n].written == WordCase::kTitle && !is_lone_capital(record[n])) uses.try_emplace(record[n].key);
    }
    Use& use = uses[record[end - 1].key];
    const bool before = record.follows(i);
    if (before && stands_before_things(record[i - 1].key)) use.other = true;
    if (end - i > 1) {
      ++use.ends;
      runs.push_back({i, end});
    } else {
      const bool within = (before && record[i - 1].written != WordCase::kSmall && record[i - 1].entity == kNoEntity) ||
                          (record.followed(end - 1) && record[end].written != WordCase::kSmall);
      if (!within) ++use.alone;
      if (!within && record.followed(i) && is_deed(record[i + 1])) use.acts = true;
    }
    i = end;
  }
  if (runs.empty()) return {};
  for (const RecordWord& word : record.words()) {
    if (word.written != WordCase::kSmall || word.entity != kNoEntity) continue;
    if (const auto at = uses.find(word.key); at != uses.end()) at->second.other = true;
  }
  std::vector<std::span<const RecordWord>> names;
  for (const Run& run : runs) {
    const std::span<const RecordWord> name = record.words().subspan(run.begin, run.end - run.begin);
    if (run.sure) {
      names.push_back(name);
      continue;
    }
    const Use& use = uses[name.back().key];
    const bool other = std::ranges::any_of(name, [&](const RecordWord& word) {
      const auto at = uses.find(word.key);
      return at != uses.end() && at->second.other;
    });
    if (!other && (use.alone + use.ends > 1 || uses[name.front().key].acts)) names.push_back(name);
  }
  return names;
}

}  // namespace residue::text
