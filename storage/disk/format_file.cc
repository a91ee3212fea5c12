#include "storage/disk/format_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"

namespace residue::storage {
namespace {
constexpr std::string_view kFormat = "residue store ";
}

int format_of(const std::filesystem::path& dir) {
  const std::string text = read_small_file(dir / "format");
  if (text.rfind(kFormat, 0) != 0) {
    throw Error(Code::kCorrupt, fmt::format("{} is not a residue store", dir.string()),
                "name another directory with --store");
  }
  return std::atoi(text.c_str() + kFormat.size());
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
