// Texts that were read, in memory. Ids of texts are never given again and a text never changes, so nothing gets old.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/ids.h"

namespace residue::storage {

// Any number of threads may use one. Where there is no room left, those that are there stay.
class TextMemory {
 public:
  explicit TextMemory(std::size_t most_bytes) : room_(static_cast<std::int64_t>(most_bytes)) {}

  [[nodiscard]] bool find(TextId id, std::string& text) const {
    const Part& part = parts_[place_of(id)];
    const std::scoped_lock lock(part.mutex);
    const auto found = part.texts.find(id.value);
    if (found == part.texts.end()) return false;
    text = found->second;
    return true;
  }

  void put(TextId id, const std::string& text) {
    constexpr std::int64_t kAround = 96;  // of a place in the table
    const auto bytes = static_cast<std::int64_t>(text.size()) + kAround;
    if (room_.fetch_sub(bytes) < bytes) {
      room_.fetch_add(bytes);
      return;
    }
    Part& part = parts_[place_of(id)];
    const std::scoped_lock lock(part.mutex);
    part.texts.emplace(id.value, text);
  }

 private:
  struct Part {
    mutable std::mutex mutex;
    std::unordered_map<std::int64_t, std::string> texts;
  };
  static constexpr std::size_t kParts = 32;
  static std::size_t place_of(TextId id) { return static_cast<std::size_t>(id.value) % kParts; }

  std::array<Part, kParts> parts_;
  std::atomic<std::int64_t> room_;
};

}  // namespace residue::storage
