// Words that were met, and a number for each.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/flat_table.h"
#include "text/characters/eight_bytes.h"

namespace residue::text {

// Spellings lie in one buffer: looking a word up allocates nothing.
class WordNumbers {
 public:
  // The word's number, and whether the word is new: then the caller sets it. Valid until the next call.
  std::pair<std::uint32_t*, bool> place(std::string_view word) {
    const ShortWord start = ends_of(word);
    const auto length = static_cast<std::uint32_t>(word.size());
    Slot& slot = slots_.place(hash_of(start, length), [&](const Slot& one) {
      return one.start == start && one.length == length &&
             (length <= 16 || std::memcmp(letters_.data() + one.at, word.data(), length) == 0);
    });
    if (!slot.free()) return {&slot.number, false};
    slot = {start, static_cast<std::uint32_t>(letters_.size()), length, 0, true};
    if (length > 16) letters_.append(word);
    return {&slot.number, true};
  }

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] std::size_t bytes() const { return slots_.bytes() + letters_.size(); }

 private:
  struct Slot {
    ShortWord start;
    std::uint32_t at = 0;  // of a word of more than sixteen bytes, in letters_
    std::uint32_t length = 0;
    std::uint32_t number = 0;
    bool taken = false;

    [[nodiscard]] bool free() const { return !taken; }
    [[nodiscard]] std::uint64_t hash() const { return hash_of(start, length); }
  };

  static std::uint64_t hash_of(const ShortWord& start, std::uint32_t length) {
    return scatter(scatter(start.head ^ (std::uint64_t{length} << 56U)) ^ start.tail);
  }

  // The first and the last eight of its first sixteen bytes, which overlap in a shorter word; of fewer than eight all
  // of them, in some order. Words of one length up to sixteen are equal where these are. Reads nothing behind the word.
  static ShortWord ends_of(std::string_view word) {
    const char* const at = word.data();
    if (word.size() >= 8) return {load_eight(at), load_eight(at + (word.size() < 16 ? word.size() : 16) - 8)};
    const auto byte = [at](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
    if (word.size() < 4) {
      if (word.empty()) return {};
      return {byte(0) | byte(word.size() / 2) << 8U | byte(word.size() - 1) << 16U, 0};
    }
    std::uint32_t first = 0, last = 0;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + word.size() - 4, 4);
    return {first | std::uint64_t{last} << 32U, 0};
  }

  FlatTable<Slot> slots_;
  std::string letters_;
};

}  // namespace residue::text
