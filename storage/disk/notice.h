// What a process tells others while it works: a few words in a file of its own, which it holds a lock on. Who reads
// them waits for nobody and keeps nobody waiting. The kernel takes the lock from a process that was killed: then it
// says nothing more.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/disk/leftovers.h"
#include "storage/disk/lock.h"

namespace residue::storage {

inline constexpr std::string_view kNoticePrefix = "notice-";
inline constexpr std::size_t kMostNoticeBytes = 2000;

class Notice {
 public:
  // In the folder of a store. Where no file can be made or locked, nobody is told.
  explicit Notice(const std::filesystem::path& dir);
  ~Notice();  // removes the file
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

  // In the place of what was said before. Readers see all of it, or all of that. Longer words than kMostNoticeBytes are
  // not said. Costs one write to the file cache; nothing is synced, and an error is nobody's.
  void say(std::string_view words);

 private:
  std::filesystem::path file_;
  std::optional<Leftover> leftover_;
  std::optional<Lock> lock_;
  int out_ = -1;
};

// The words of all processes that live, in the order of their files' names. Takes no lock, makes no file.
std::vector<std::string> notices(const std::filesystem::path& dir);

}  // namespace residue::storage
