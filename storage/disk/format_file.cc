#include "storage/disk/format_file.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
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
}

int format_of(const std::filesystem::path& dir) {
  const std::string text = read_store_file(dir / "format");
  if (text.rfind(kFormat, 0) != 0) {
    throw Error(Code::kCorrupt, fmt::format("{} is not a residue store", dir.string()),
                "name another directory with --store");
  }
  return std::atoi(text.c_str() + kFormat.size());
}

void require_format_of_catalog(const std::filesystem::path& dir, int said, int ours) {
  constexpr std::size_t kAt = 60, kBytes = 4;                // user_version
  std::ifstream file(dir / "catalog.db", std::ios::binary);  // no connection is open: nobody's locks are dropped
  std::array<char, kAt + kBytes> header{};
  if (std::filesystem::exists(dir / kMigrating) || !file.read(header.data(), header.size())) return;
  if (of_big_endian({header.data() + kAt, kBytes}) != static_cast<std::uint64_t>(ours)) return;
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
