// The pages of an open catalog as they lie in its file and its log, one by one, damaged or not: for those who say what
// damage costs, and who save the rest. The engine itself stops at the first damaged page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

struct sqlite3;
struct sqlite3_file;

namespace residue::storage {

class PageImage {
 public:
  // As of now. `db` is a connection through page_vfs(), outlives this, and is in a read transaction where others write:
  // pages that it may read are not written over then. Reads the log once.
  explicit PageImage(sqlite3* db);

  [[nodiscard]] std::uint32_t pages() const { return pages_; }

  // Pages are numbered from 1. Nothing: the page is damaged, or there is none.
  [[nodiscard]] std::optional<std::string> read(std::uint32_t page) const;

 private:
  void read_log();
  [[nodiscard]] std::optional<std::string> in_log(std::uint32_t page) const;

  sqlite3_file* file_ = nullptr;
  sqlite3_file* log_ = nullptr;
  std::string salt_;
  std::unordered_map<std::uint32_t, std::int64_t> frames_;  // page -> its newest committed frame in the log
  std::uint32_t pages_ = 0;
};

}  // namespace residue::storage
