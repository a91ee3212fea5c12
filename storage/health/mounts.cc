#include "storage/health/mounts.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <utility>

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;  // devices on devices: a volume on a mapping on a disk

// The kernel writes blanks and backslashes of paths as \040.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// 36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/root rw
std::optional<Mount> mount_from(const std::string& line) {
  std::istringstream words(line);
  std::string id;
  std::string parent;
  std::string root;
  std::string point;
  Mount mount;
  words >> id >> parent >> mount.device >> root >> point;
  std::string word;
  while (words >> word && word != "-") {
  }
  words >> mount.type >> mount.source;
  if (!words) return std::nullopt;
  mount.point = unescaped(point);
  mount.source = unescaped(mount.source);
  return mount;
}

bool is_below(const fs::path& path, const fs::path& point) {
  const fs::path rest = path.lexically_relative(point);
  return !rest.empty() && *rest.begin() != "..";
}

std::string first_line(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

std::optional<std::string> crypt_of(const fs::path& device, int depth) {
  const std::string uuid = first_line(device / "dm" / "uuid");
  for (const std::string_view name : {"LUKS1", "LUKS2", "PLAIN", "BITLK", "VERACRYPT"}) {
    if (uuid.starts_with("CRYPT-" + std::string(name))) return std::string(name);
  }
  if (uuid.starts_with("CRYPT-")) return "dm-crypt";
  if (depth == 0) return std::nullopt;
  std::optional<std::string> found;
  std::error_code none;
  for (const auto& below : fs::directory_iterator(device / "slaves", none)) {
    found = crypt_of(below.path(), depth - 1);
    if (!found) return std::nullopt;  // One plain disk of several is enough for a thief.
  }
  return found;
}

}  // namespace

std::optional<Mount> mount_of(const fs::path& path, const Kernel& kernel) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
  if (failed) return std::nullopt;
  std::optional<Mount> best;
  std::ifstream lines(kernel.proc / "self" / "mountinfo");
  for (std::string line; std::getline(lines, line);) {
    const auto mount = mount_from(line);
    // Of two at one point the later one hides the other.
    if (mount && is_below(whole, mount->point) &&
        (!best || mount->point.native().size() >= best->point.native().size())) {
      best = mount;
    }
  }
  return best;
}

FileSystem kind_of(std::string_view type) {
  for (const std::string_view network : {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre",
                                         "beegfs", "gpfs", "glusterfs", "fuse.sshfs", "fuse.glusterfs", "virtiofs"}) {
    if (type == network) return FileSystem::kNetwork;
  }
  if (type == "tmpfs" || type == "ramfs") return FileSystem::kMemory;
  if (type == "overlay" || type == "aufs" || type == "fuse.fuse-overlayfs") return FileSystem::kOverlay;
  return FileSystem::kLocal;
}

std::optional<std::string> encryption_of_device(const std::string& device, const Kernel& kernel) {
  return crypt_of(kernel.sys / "dev" / "block" / device, kDeepest);
}

std::optional<std::string> encryption_of(const Mount& mount, const Kernel& kernel) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOwn = {{{"fuse.gocryptfs", "gocryptfs"},
                                                                                  {"fuse.encfs", "encfs"},
                                                                                  {"fuse.cryfs", "cryfs"},
                                                                                  {"fuse.securefs", "securefs"},
                                                                                  {"ecryptfs", "ecryptfs"},
                                                                                  {"fuse.veracrypt", "veracrypt"}}};
  for (const auto& [type, name] : kOwn) {
    if (mount.type == type) return std::string(name);
  }
  return encryption_of_device(mount.device, kernel);
}

bool encrypted_by_fscrypt(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (fd < 0) return false;
  int flags = 0;
  const bool told = ::ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0;
  ::close(fd);
  return told && (flags & FS_ENCRYPT_FL) != 0;
}

}  // namespace residue::storage
