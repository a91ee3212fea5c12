// By what a lost or an old part of a store is noticed: each engine's count of its commits, and what the others know of
// it.
//
//   catalog.db   commits C, and the commits of facts/ that stood at the last one
//   facts/       commits F, and the catalog's that stood at the last one
//   commits      C and F of the newest acknowledged batch, written after it: a file of two slots in turn, not synced
//   the log      of catalog.db: the counter of changes that stood in the file itself, so that an older file beside a
//                newer log is noticed
//
// A process that dies leaves the file complete; a power cut may leave it older than the engines, never newer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace residue::storage {

struct Commits {
  std::uint64_t catalog = 1;
  std::uint64_t facts = 1;
};

// The file; absent where nobody can write.
class CommitsFile {
 public:
  // `uuid` is the store's: a file of another store says nothing.
  CommitsFile(const std::filesystem::path& dir, std::string_view uuid);

  // The newest that was acknowledged; nothing if the file is missing or neither slot can be read.
  [[nodiscard]] std::optional<Commits> read() const;

  // The caller holds the writer lock. What fails is left out: the file only helps to notice damage.
  void write(const Commits& commits) noexcept;

 private:
  struct Slot {
    std::uint64_t turn = 0;
    Commits commits;
  };
  [[nodiscard]] std::optional<Slot> newest() const;
  [[nodiscard]] std::uint64_t checksum(const Slot& slot) const;

  std::filesystem::path file_;
  std::string uuid_;
};

// What the newest commits of each part say of the others: an empty text, or what is lost, as a whole sentence.
// `before` is what was known before the catalog's snapshot was taken, `after` is of facts/ after it.
[[nodiscard]] std::string lost_commits(const std::optional<Commits>& acknowledged, const Commits& facts_before,
                                       const Commits& catalog, std::uint64_t facts_after);

}  // namespace residue::storage
