#include "storage/health/store_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 3;

// Names, the first few of them.
std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) list += (i > 0 ? ", " : "") + names[i];
  return names.size() > kMostNamed ? fmt::format("{} and {} more", list, names.size() - kMostNamed) : list;
}

struct Seen {
  std::string name;  // below the store's folder; "." for itself
  struct stat info {};
};

std::vector<Seen> all_files(const fs::path& store) {
  std::vector<Seen> all;
  const auto add = [&](const fs::path& path, std::string name) {
    Seen seen{std::move(name), {}};
    if (::lstat(path.c_str(), &seen.info) == 0) all.push_back(std::move(seen));  // it may be gone by now
  };
  add(store, ".");
  std::error_code failed;
  for (auto it = fs::recursive_directory_iterator(store, failed); !failed && it != fs::recursive_directory_iterator();
       it.increment(failed)) {
    add(it->path(), it->path().lexically_relative(store).string());
  }
  return all;
}

Finding look_at_modes(const std::vector<Seen>& files, const fs::path& store) {
  std::vector<std::string> open;
  std::vector<std::string> links;
  for (const Seen& file : files) {
    if (S_ISLNK(file.info.st_mode)) {
      links.push_back(file.name);
    } else if ((file.info.st_mode & 077U) != 0) {
      open.push_back(file.name);
    }
  }
  if (!open.empty()) {
    return {"permissions", Health::kProblem, fmt::format("others may use {}", listed(open)),
            fmt::format("chmod -R go= {}", store.string())};
  }
  if (!links.empty()) {
    return {"permissions", Health::kWarning, fmt::format("links lead out of the store: {}", listed(links)),
            "look who put them there"};
  }
  return {"permissions", Health::kOk, fmt::format("all {} files are yours alone", files.size()), ""};
}

Finding look_at_owner(const std::vector<Seen>& files) {
  std::vector<std::string> strange;
  for (const Seen& file : files) {
    if (file.info.st_uid != ::geteuid()) strange.push_back(file.name);
  }
  if (strange.empty()) return {"owner", Health::kOk, fmt::format("user {}", ::geteuid()), ""};
  return {"owner", Health::kProblem, fmt::format("another user owns {}", listed(strange)),
          "work as the user who made the store, or chown -R it"};
}

Finding look_at_leftovers(const std::vector<Seen>& files) {
  std::set<std::string> left;
  for (const Seen& file : files) {
    const std::string top = file.name.substr(0, file.name.find('/'));
    for (const std::string_view prefix : {"compact-", "backup-", "scratch-", "reserve-"}) {
      if (top.starts_with(prefix)) left.insert(top);
    }
    if (file.name.starts_with("index/.tmp-")) left.insert(file.name.substr(0, file.name.find('/', 6)));
  }
  if (left.empty()) return {"leftovers", Health::kOk, "none of killed commands", ""};
  return {"leftovers", Health::kWarning,
          fmt::format("of a command that runs now, or was killed: {}", listed({left.begin(), left.end()})),
          "the next command that has the store for itself removes what nobody uses"};
}

// Locks of open files are nobody's in the kernel's list ("1: OFDLCK  ADVISORY  WRITE -1 00:13:1234 0 EOF"); whose a
// file is that has one, its process tells ("lock:" and the same).
std::vector<std::uint64_t> locked_inodes(const fs::path& file) {
  std::vector<std::uint64_t> inodes;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t kind = line.find("OFDLCK");
    if (kind == std::string::npos) continue;
    std::istringstream words(line.substr(kind));
    std::string name, advice, mode, process, place;
    words >> name >> advice >> mode >> process >> place;
    const std::size_t colon = place.rfind(':');
    if (words && colon != std::string::npos) {
      inodes.push_back(std::strtoull(place.c_str() + colon + 1, nullptr, 10));
    }
  }
  return inodes;
}

std::string process_name(const fs::path& process) {
  std::string program;
  std::ifstream name(process / "comm");
  std::getline(name, program);
  const std::string id = process.filename().string();
  return program.empty() ? id : fmt::format("{} ({})", id, program);
}

Finding look_at_locks(const std::vector<Seen>& files, const Kernel& kernel) {
  std::map<std::uint64_t, std::string> names;
  for (const Seen& file : files) {
    if (file.name.ends_with(".lock")) names[file.info.st_ino] = file.name;
  }
  std::map<std::uint64_t, std::size_t> locks;  // of which we do not know whose they are
  for (const std::uint64_t inode : locked_inodes(kernel.proc / "locks")) ++locks[inode];
  std::set<std::string> held;
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator(kernel.proc, ignored)) {
    const std::string id = process.path().filename().string();
    if (id.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code hidden;  // another user's
    for (const auto& open : fs::directory_iterator(process.path() / "fdinfo", hidden)) {
      for (const std::uint64_t inode : locked_inodes(open.path())) {
        const auto found = names.find(inode);
        if (found == names.end()) continue;
        if (locks[inode] > 0) --locks[inode];
        if (id == std::to_string(::getpid())) continue;
        held.insert(fmt::format("{} by process {}", found->second, process_name(process.path())));
      }
    }
  }
  for (const auto& [inode, count] : locks) {
    const auto found = names.find(inode);
    if (found != names.end() && count > 0) held.insert(found->second + " by a process that you may not look at");
  }
  if (held.empty()) return {"locks", Health::kOk, "nobody else uses the store", ""};
  return {"locks", Health::kOk, "held now: " + listed({held.begin(), held.end()}), ""};
}

}  // namespace

Findings look_at_files(const fs::path& store, const Kernel& kernel) {
  const std::vector<Seen> files = all_files(store);
  return {look_at_owner(files), look_at_modes(files, store), look_at_leftovers(files), look_at_locks(files, kernel)};
}

}  // namespace residue::storage
