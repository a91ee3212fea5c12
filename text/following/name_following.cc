#include "text/following/name_following.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "text/following/name_parts.h"
#include "text/following/names_in_tokens.h"
#include "text/following/names_in_use.h"
#include "text/following/record_words.h"
#include "text/identifiers/matchers.h"

namespace residue::text {

namespace {

bool one_of(std::string_view word, const auto& words) { return std::ranges::find(words, word) != words.end(); }

constexpr auto kArticles = std::to_array<std::string_view>(
    {"a", "an", "the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their", "no"});

std::string plain_key(std::string_view word) {
  std::string store;
  const std::string key = name_key(word);
  return std::string(plain_name_key(key, store));
}

class Following {
 public:
  Following(std::string_view text, std::span<const Entity> found, const NameLists& lists)
      : words_(text, found), lists_(lists), parts_(words_, lists) {}

  std::vector<Entity> entities() {
    if (parts_.empty()) return {};
    for (std::size_t i = 0; i < words_.size();) i = follow(i);
    add_within_tokens();
    return std::move(followed_);
  }

 private:
  // The word behind the last one that was looked at.
  std::size_t follow(std::size_t i) {
    const RecordWord& word = words_[i];
    if (word.entity != kNoEntity) {
      if (word.key.find('-') != std::string_view::npos) follow_pieces(word);
      return i + 1;
    }
    if (word.initials) {
      if (const std::size_t end = spaced_initials(i); end != 0) {
        take(word.begin, words_[end - 1].end, EntityType::kName);
        return end;
      }
    }
    if (const std::size_t end = within_a_name(i); end != 0) {
      take(word.begin, words_[end - 1].end, EntityType::kName);
      return end;
    }
    if (const std::size_t end = other_half(i); end != 0) {
      take(word.begin, words_[end - 1].end, EntityType::kName);
      return end;
    }
    const NamePart* part = parts_.find(word.key);
    // Without its accents "Hät" may be a hat.
    if (part != nullptr && part->accented && word.key == word.exact &&
        (part->bare || (word.written == WordCase::kSmall && word.key.size() < 5)))
      return i + 1;
    if (part == nullptr) {
      if (word.key.size() > 3) follow_within(word);
      return i + 1;
    }
    if (part->begins) {
      if (const auto [end, type] = longest(i); end != 0) {
        take(word.begin, words_[end - 1].end, type);
        return end;
      }
    }
    if (part->head && is_head(i, *part)) {
      take(word.begin, word.end, EntityType::kOrganisation);
    } else if (part->named && (!part->common || is_name_here(i, *part))) {
      take(start_of(i), word.end, part->type);
    }
    return i + 1;
  }

  // The longest whole name that begins here: the index behind its last word, or 0.
  [[nodiscard]] std::pair<std::size_t, EntityType> longest(std::size_t i) const {
    std::pair<std::size_t, EntityType> best{0, EntityType::kName};
    std::string phrase(words_[i].key);
    for (std::size_t n = i + 1; n < words_.size() && n < i + kMostNameWords; ++n) {
      if (words_[n].entity != kNoEntity || !joined(n - 1)) break;
      phrase.append(" ").append(words_[n].key);
      if (const EntityType* type = parts_.whole(phrase)) best = {n + 1, *type};
    }
    return best;
  }

  // "F. L." of "Mr F.L.": the index behind the last of the initials, or 0.
  [[nodiscard]] std::size_t spaced_initials(std::size_t i) const {
    std::size_t end = 0;
    std::string all(words_[i].key);
    for (std::size_t n = i + 1; words_.follows(n) && n < i + 4; ++n) {
      if (!words_[n].initials || words_[n].entity != kNoEntity) break;
      all.append(words_[n].key);
      const NamePart* part = parts_.find(all);
      if (part != nullptr && part->named) end = n + 1;
    }
    return end;
  }

  // The M of "Codey M Ross", the "van der" of "Dyan van der Gijn": the index behind the last of them, or 0.
  [[nodiscard]] std::size_t within_a_name(std::size_t i) const {
    const auto is_joint = [&](std::size_t n) {
      return words_[n].entity == kNoEntity && (is_lone_capital(words_[n]) || is_particle(words_[n].key));
    };
    if (!is_joint(i) || !words_.follows(i) || !names(words_[i - 1])) return 0;
    std::size_t end = i + 1;
    while (end < i + 3 && words_.follows(end) && is_joint(end)) ++end;
    return words_.follows(end) && names(words_[end]) ? end : 0;
  }

  // What a name goes on with at the word `i` that no list knows, before or behind the part that is known: "Robinette"
  // of "Robinette Dennis", "Turcotte" of "Fletcher Turcotte", "E Miles" of "Katie E Miles"; the index behind, or 0.
  [[nodiscard]] std::size_t other_half(std::size_t i) const {
    const RecordWord& word = words_[i];
    if (word.written != WordCase::kTitle && !word.initials && !is_lone_capital(word)) return 0;
    if (word.initials || is_lone_capital(word)) {
      const bool goes_on = words_.follows(i) && is_first_name(i - 1) && words_.followed(i) &&
                           words_[i + 1].entity == kNoEntity && words_[i + 1].written == WordCase::kTitle &&
                           !words_[i + 1].initials;
      return goes_on ? i + 2 : 0;
    }
    if (!is_unknown_name(word, lists_) || match::is_calendar_word(word.key)) return 0;
    const bool of_a_thing = words_.begins_sentence(i) || (words_.follows(i) && stands_before_things(words_[i - 1].key));
    return words_.followed(i) && !word.possessive && !of_a_thing && is_first_name(i + 1) ? i + 1 : 0;
  }

  // A person of one word here, who is called by a first name.
  [[nodiscard]] bool is_first_name(std::size_t i) const {
    const RecordWord& word = words_[i];
    if (word.entity == kNoEntity || word.possessive || word.written != WordCase::kTitle) return false;
    const Entity& entity = words_.entity_of(word);
    const Span span = words_.original(word.begin, word.end);
    return entity.type == EntityType::kName && entity.begin == span.begin && entity.end == span.end &&
           lists_.bits_of(word.exact).has(NameBits::kFirst);
  }

  // Whether the words `i` and `i + 1` may be of one name: "St. Mary's Hospital", "Smith & Sons, Inc".
  [[nodiscard]] bool joined(std::size_t i) const {
    const std::string_view gap = words_.text().substr(words_[i].end, words_[i + 1].begin - words_[i].end);
    return gap.size() <= 4 && gap.find_first_not_of(" .,&'s\xE2\x80\x99-") == std::string_view::npos &&
           gap.find(' ') != std::string_view::npos;
  }

  // "the Ministry", of no other thing; "the ministry" where one of something was named.
  [[nodiscard]] bool is_head(std::size_t i, const NamePart& part) const {
    const bool said =
        words_[i].written == WordCase::kTitle || (words_[i].written == WordCase::kSmall && part.small_head);
    if (!said || !words_.follows(i) || words_[i - 1].key != "the") return false;
    if (!words_.followed(i)) return true;
    const RecordWord& next = words_[i + 1];
    return next.written == WordCase::kSmall && next.key != "of" && next.key != "for";
  }

  // A name that is a word besides: is it the name here?
  [[nodiscard]] bool is_name_here(std::size_t i, const NamePart& part) const {
    const RecordWord& word = words_[i];
    if (word.written != WordCase::kTitle) return false;
    const bool before = words_.follows(i);
    const bool behind = words_.followed(i);
    if (part.type == EntityType::kName && ((before && names(words_[i - 1])) || (behind && names(words_[i + 1]))))
      return true;
    if (part.calendar || (before && one_of(words_[i - 1].key, kArticles))) return false;
    if (word.possessive) return true;
    if (words_.begins_sentence(i))
      return behind && part.type == EntityType::kName && !part.plain && is_deed(words_[i + 1]);
    // Not within "Hyde Park" or "Rose Garden".
    if (before && words_[i - 1].written != WordCase::kSmall && !words_.begins_sentence(i - 1)) return false;
    return !behind || words_[i + 1].written == WordCase::kSmall;
  }

  // Is it part of a person's name, whatever stands around it?
  [[nodiscard]] bool names(const RecordWord& word) const {
    if (word.entity != kNoEntity) return words_.entity_of(word).type == EntityType::kName;
    if (word.initials) return word.key.size() == 2;
    if (is_initial(word)) return true;
    const NamePart* part = parts_.find(word.key);
    return part != nullptr && (word.written != WordCase::kSmall || part->small) && is_surely_a_name(word.key);
  }

  [[nodiscard]] bool is_surely_a_name(std::string_view key) const {
    const NamePart* part = parts_.find(key);
    return part != nullptr && part->named && !part->common && part->type == EntityType::kName;
  }

  // The initials before a name are its own: "F. Lee", and "F Lee" where Frank Lee is known.
  [[nodiscard]] std::size_t start_of(std::size_t i) const {
    if (words_[i].initials) return words_[i].begin;
    while (words_.follows(i) && words_[i - 1].entity == kNoEntity &&
           (words_[i - 1].initials || is_initial(words_[i - 1])))
      --i;
    return words_[i].begin;
  }

  // A capital without a full stop that names of persons begin with here.
  [[nodiscard]] bool is_initial(const RecordWord& word) const {
    return is_lone_capital(word) && parts_.begins_a_name(word.key);
  }

  // "the Polats", "Polat-led", "Polat'ın".
  void follow_within(const RecordWord& word) {
    const std::string_view written = words_.written(word);
    for (const std::string_view mark : {"'", "\xE2\x80\x99"}) {
      const std::size_t end = written.find(mark);
      if (end == std::string_view::npos || !is_surely_a_name(plain_key(written.substr(0, end)))) continue;
      take(word.begin, word.begin + end, EntityType::kName);
      return;
    }
    if (word.written != WordCase::kSmall && word.key.ends_with('s') &&
        is_surely_a_name(word.key.substr(0, word.key.size() - 1))) {
      take(word.begin, word.end, EntityType::kName);
      return;
    }
    if (word.key.find('-') != std::string_view::npos) follow_pieces(word);
  }

  // Of "Polat-Smith" an entity may have the Smith.
  void follow_pieces(const RecordWord& word) {
    for (const std::string_view piece : words_.free_pieces(word)) {
      const auto begin = static_cast<std::size_t>(piece.data() - words_.text().data());
      if (is_surely_a_name(plain_key(piece))) take(begin, begin + piece.size(), EntityType::kName);
    }
  }

  // Those within file names and handles, where nothing is found yet.
  void add_within_tokens() {
    const auto none_in = [](const auto& sorted, Span span) {
      const auto next = std::ranges::upper_bound(sorted, span.begin, {}, [](const Entity& one) { return one.end; });
      return next == sorted.end() || next->begin >= span.end;
    };
    const auto is_free = [&](Span within) {
      const Span span = words_.original(within.begin, within.end);
      return none_in(words_.entities(), span) && none_in(followed_, span);
    };
    std::vector<Entity> within;
    for (const NameInToken& one : names_in_tokens(words_, parts_, is_free)) {
      const Span span = words_.original(one.span.begin, one.span.end);
      within.push_back({span.begin, span.end, one.type});
    }
    if (within.empty()) return;
    const auto middle = followed_.insert(followed_.end(), within.begin(), within.end());
    std::ranges::inplace_merge(followed_, middle, {}, &Entity::begin);
  }

  // Words of a person's name that stand side by side are one name.
  void take(std::size_t begin, std::size_t end, EntityType type) {
    const Span span = words_.original(begin, end);
    const bool beside = !followed_.empty() && followed_.back().type == type && type == EntityType::kName &&
                        (last_end_ >= begin || (last_end_ + 1 == begin && words_.text()[last_end_] == ' '));
    if (beside) {
      followed_.back().end = span.end;
    } else {
      followed_.push_back({span.begin, span.end, type});
    }
    last_end_ = end;
  }

  RecordWords words_;
  const NameLists& lists_;
  NameParts parts_;
  std::vector<Entity> followed_;
  std::size_t last_end_ = 0;  // of the last of them, in words_.text()
};

}  // namespace

std::vector<Entity> follow_names(std::string_view text, std::span<const Entity> found, const NameLists& lists) {
  return Following(text, found, lists).entities();
}

}  // namespace residue::text
