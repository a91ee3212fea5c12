// What a path lies on: the mount, its file system, and whether what is below it is encrypted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "storage/health/finding.h"

namespace residue::storage {

struct Mount {
  std::string device;  // major:minor
  std::filesystem::path point;
  std::string type;    // "ext4"
  std::string source;  // "/dev/mapper/home"
};

// The mount that holds `path`, which exists or whose parent does. Nothing where the kernel does not tell.
std::optional<Mount> mount_of(const std::filesystem::path& path, const Kernel& kernel);

enum class FileSystem { kLocal, kNetwork, kMemory, kOverlay };
FileSystem kind_of(std::string_view type);

// What encrypts the block device `device` (major:minor), or one below it: "LUKS2", "dm-crypt"; nothing: none does.
std::optional<std::string> encryption_of_device(const std::string& device, const Kernel& kernel);

// What encrypts what is stored on the mount: a device, or a file system that does so itself. Nothing: none is known of.
std::optional<std::string> encryption_of(const Mount& mount, const Kernel& kernel);

// Whether the folder is encrypted by fscrypt.
bool encrypted_by_fscrypt(const std::filesystem::path& folder);

}  // namespace residue::storage
