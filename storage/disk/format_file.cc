#include "storage/disk/format_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "storage/disk/big_endian.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"

namespace residue::storage {
namespace {

constexpr std::string_view kFormat = "residue store ";
constexpr std::string_view kDatabase{"SQLite format 3\0", 16};
constexpr std::uint64_t kApplicationId = 0x52736475;  // storage/catalog/schema.h

// What the first page of a catalog says of it.
struct CatalogHeader {
  std::uint64_t application = 0, version = 0;
};

// Nothing: there is no such file, or it is no database. No connection is open: nobody's locks are dropped.
std::optional<CatalogHeader> header_of(const std::filesystem::path& dir) {
  constexpr std::size_t kVersionAt = 60, kApplicationAt = 68, kBytes = 4;  // user_version, application_id
  std::ifstream file(dir / "catalog.db", std::ios::binary);
  std::array<char, kApplicationAt + kBytes> bytes{};
  if (!file.read(bytes.data(), bytes.size()) || !std::string_view(bytes.data(), bytes.size()).starts_with(kDatabase)) {
    return std::nullopt;
  }
  const auto number = [&](std::size_t at) { return of_big_endian({bytes.data() + at, kBytes}); };
  return CatalogHeader{number(kApplicationAt), number(kVersionAt)};
}

// The catalog says the number, too: while nobody was migrating it, the file can be written again.
[[noreturn]] void lost(const std::filesystem::path& dir, std::string_view how) {
  const std::filesystem::path file = dir / "format";
  const auto catalog = header_of(dir);
  if (!catalog || catalog->application != kApplicationId) {
    throw Error(Code::kCorrupt, fmt::format("{} is not a residue store", dir.string()),
                "name another directory with --store, or restore the last backup");
  }
  const std::string what = fmt::format("{} {}: it says which format the store has", file.string(), how);
  if (std::filesystem::exists(dir / kMigrating)) {
    throw Error(Code::kCorrupt, what,
                "the store was being migrated: restore residue-format-N.tar, the copy beside it, or the last backup");
  }
  throw Error(
      Code::kCorrupt, what,
      fmt::format("restore the last backup (tar xf), as more may be lost; the catalog is of format {0}: if nothing "
                  "else is lost, write it anew (printf 'residue store {0}\\n' > '{1}') and have the store checked",
                  catalog->version, file.string()));
}

// Nothing: it is none.
std::optional<int> format_in(std::string_view text) {
  if (!text.starts_with(kFormat)) return std::nullopt;
  text.remove_prefix(kFormat.size());
  if (text.ends_with('\n')) text.remove_suffix(1);
  int version = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (problem != std::errc() || end != text.data() + text.size() || version < 1) return std::nullopt;
  return version;
}

}  // namespace

int format_of(const std::filesystem::path& dir) {
  if (!std::filesystem::exists(dir / "format")) lost(dir, "is missing");
  const auto version = format_in(read_store_file(dir / "format"));
  if (!version) lost(dir, "is damaged");
  return *version;
}

void require_format_of_catalog(const std::filesystem::path& dir, int said, int ours) {
  const auto catalog = header_of(dir);
  if (std::filesystem::exists(dir / kMigrating) || !catalog) return;
  if (catalog->version != static_cast<std::uint64_t>(ours)) return;
  throw Error(Code::kCorrupt, fmt::format("the file format says {}, its catalog is of format {}", said, ours),
              fmt::format("write it anew: printf 'residue store {}\\n' > '{}'", ours, (dir / "format").string()));
}

void write_format(const std::filesystem::path& dir, int version) {
  const std::filesystem::path fresh = dir / "format.new";
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  write_new_file(fresh, fmt::format("{}{}\n", kFormat, version));
  std::filesystem::rename(fresh, dir / "format");
  if (!mutant("store-unsynced")) sync_path(dir);
}

}  // namespace residue::storage
