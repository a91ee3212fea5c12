// What a record's names are known by: their words, their initials, their whole.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "text/following/record_words.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::text {

inline constexpr std::size_t kMostNameWords = 8;  // of a name that is sought as a whole

// What is known of a word that names are made of.
struct NamePart {
  EntityType type = EntityType::kName;
  bool named = false;       // it names by itself
  bool common = false;      // it is a word besides
  bool plain = false;       // the record has it as one
  bool small = false;       // its owner writes it so
  bool calendar = false;    // a month or a day
  bool last = false;        // a person's name ended in it
  bool head = false;        // "the Ministry"
  bool small_head = false;  // and "the ministry": it was called that of something
  bool accented = false;    // the names that it is of all have accents in it
  bool bare = false;        // without them the record has it as a word
  bool begins = false;      // a longer name begins with it
};

class NameParts {
 public:
  // The parts of all names, places and organisations of the record. `lists` must outlive this.
  NameParts(const RecordWords& record, const NameLists& lists);

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] const NamePart* find(std::string_view key) const;

  // The type of a name of several words, their keys joined by spaces; null: there is none.
  [[nodiscard]] const EntityType* whole(std::string_view phrase) const;

  // Whether a word of a person's name begins with this letter.
  [[nodiscard]] bool begins_a_name(std::string_view letter) const { return initials_.contains(letter); }

  // Words of a person's name.
  void add_person(std::span<const RecordWord> name);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return static_cast<std::size_t>(hash_bytes(key)); }
  };

  void add_found(const RecordWords& record);
  void add_small_names(const RecordWords& record);
  void add_first_names(const RecordWords& record);
  void add_with_particles(std::span<const RecordWord> name);
  void add_without_mark(std::string_view exact);
  void add_organisation(std::span<const RecordWord> name);
  void add_whole(std::span<const RecordWord> name, EntityType type);
  void add_part(std::string_view exact, EntityType type);
  void notice_plain_words(const RecordWords& record);

  // Where keys like this one may be: most words are like none.
  static std::size_t place_of(std::string_view key);

  const NameLists& lists_;
  std::bitset<4096> places_;
  std::unordered_map<std::string, NamePart, Hash, std::equal_to<>> parts_;
  std::unordered_map<std::string, EntityType, Hash, std::equal_to<>> phrases_;
  // What was named by these kinds of institutions: "ministry of justice".
  std::unordered_map<std::string, std::string> heads_;
  std::set<std::string, std::less<>> initials_;  // of persons' names
};

}  // namespace residue::text
