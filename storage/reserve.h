// Room on the disk that is set aside for what must still be written when the disk is full.
//
//   hold() ─> a file that takes room ─(disk full)─> release() ─> its room is there for what is left to write
//
// Reliability notes, section 5. What a killed process left is removed when the store is opened next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/error.h"

namespace residue::storage {

class Reserve {
 public:
  static constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  static constexpr std::uint64_t kLeast = std::uint64_t{1} << 20U;

  // In the directory of a store. Takes nothing yet.
  explicit Reserve(std::filesystem::path directory) : directory_(std::move(directory)) {}
  ~Reserve() { release(); }
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  // Sets a quarter of what is free aside, kMost at most; nothing where something is. Error{try again} where that is
  // less than kLeast.
  void hold();

  // Gives the room back; whether there was any.
  bool release() noexcept;

  // Error{try again}.
  static Error disk_full();

  // Whether `bytes` are free besides.
  [[nodiscard]] bool leaves(std::uint64_t bytes) const;

 private:
  std::filesystem::path directory_, file_;
};

}  // namespace residue::storage
