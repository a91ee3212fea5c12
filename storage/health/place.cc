#include "storage/health/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "storage/health/mounts.h"

namespace residue::storage {
namespace {

constexpr std::uint64_t kLeastFree = std::uint64_t{256} << 20U;

std::string size_text(std::uint64_t bytes) {
  if (bytes >= std::uint64_t{10} << 30U) return fmt::format("{} GiB", bytes >> 30U);
  return fmt::format("{} MiB", (bytes + (1U << 20U) - 1) >> 20U);
}

Finding look_at_type(const Mount& mount) {
  const std::string on = fmt::format("{} on {}", mount.type, mount.point.string());
  switch (kind_of(mount.type)) {
    case FileSystem::kNetwork:
      return {"file system", Health::kProblem, on + ": locks and shared memory are unsafe on a network file system",
              "move the store to a local disk"};
    case FileSystem::kMemory:
      return {"file system", Health::kWarning, on + ": what is stored is gone when the machine stops",
              "keep the store on a disk, or make backups elsewhere"};
    case FileSystem::kOverlay:
      return {"file system", Health::kWarning, on + ": what is stored goes with its container",
              "keep the store on a volume that outlives the container"};
    case FileSystem::kLocal:
      break;
  }
  return {"file system", Health::kOk, on, ""};
}

Finding look_at_encryption(const std::filesystem::path& place, const Mount& mount, const Kernel& kernel) {
  std::optional<std::string> by = encryption_of(mount, kernel);
  if (!by && encrypted_by_fscrypt(place)) by = "fscrypt";
  if (by) return {"encryption", Health::kOk, fmt::format("what is stored is encrypted by {}", *by), ""};
  return {"encryption", Health::kWarning,
          fmt::format("no encryption of {} is known of: who has the disk has the texts", mount.source),
          "put the store on LUKS, fscrypt or gocryptfs (docs/threat-model.md)"};
}

Finding look_at_room(const std::filesystem::path& place, std::uint64_t bytes) {
  std::error_code failed;
  const auto space = std::filesystem::space(place, failed);
  if (failed) return {"free space", Health::kWarning, "cannot be told: " + failed.message(), ""};
  const std::string said = fmt::format("{} free, the store has {}", size_text(space.available), size_text(bytes));
  if (space.available < kLeastFree) {
    return {"free space", Health::kProblem, said, "free some: commands stop where the disk is nearly full"};
  }
  if (space.available < bytes + bytes / 8) {
    return {"free space", Health::kWarning, said + ": too little for residue backup and residue gc, which copy",
            "free some, or name a backup file on another disk"};
  }
  return {"free space", Health::kOk, said, ""};
}

}  // namespace

Findings look_at_place(const std::filesystem::path& place, std::uint64_t bytes, const Kernel& kernel) {
  Findings found;
  if (const auto mount = mount_of(place, kernel)) {
    found.push_back(look_at_type(*mount));
    found.push_back(look_at_encryption(place, *mount, kernel));
  } else {
    found.push_back({"file system", Health::kWarning, "cannot be told: the kernel does not list its mounts", ""});
  }
  found.push_back(look_at_room(place, bytes));
  return found;
}

}  // namespace residue::storage
