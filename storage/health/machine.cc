#include "storage/health/machine.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "storage/health/mounts.h"

namespace residue::storage {
namespace {

constexpr rlim_t kLittleSpace = rlim_t{2} << 30U;
constexpr rlim_t kFewFiles = 256;

std::optional<rlim_t> limit_of(__rlimit_resource what) {
  rlimit limit{};
  if (::getrlimit(what, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

Finding look_at_limits(std::uint64_t largest) {
  const auto space = limit_of(RLIMIT_AS);
  const auto files = limit_of(RLIMIT_NOFILE);
  const auto size = limit_of(RLIMIT_FSIZE);
  if (size && *size < largest + (rlim_t{64} << 20U)) {
    return {"limits", Health::kProblem, fmt::format("no file may be larger than {} MiB", *size >> 20U),
            "ulimit -f unlimited"};
  }
  if (files && *files < kFewFiles) {
    return {"limits", Health::kWarning, fmt::format("only {} files may be open", *files), "ulimit -n 1024"};
  }
  if (space && *space < kLittleSpace) {
    return {"limits", Health::kWarning,
            fmt::format("only {} MiB of address space: a large store does not fit", *space >> 20U), "raise ulimit -v"};
  }
  const auto told = [](const std::optional<rlim_t>& limit) {
    return limit ? fmt::format("{} MiB", *limit >> 20U) : std::string("unlimited");
  };
  return {"limits", Health::kOk,
          fmt::format("address space {}, size of a file {}, open files {}", told(space), told(size),
                      files ? std::to_string(*files) : "unlimited"),
          ""};
}

// That of whoever started this program, which has changed its own.
Finding look_at_umask(const Kernel& kernel) {
  std::string mask;
  std::ifstream words(kernel.proc / std::to_string(::getppid()) / "status");
  for (std::string word; words >> word;) {
    if (word == "Umask:") words >> mask;
  }
  return {"umask", Health::kOk,
          fmt::format("{}; what residue writes is yours alone whatever it is", mask.empty() ? "not told" : mask), ""};
}

Finding look_at_dumps() {
  const auto dumps = limit_of(RLIMIT_CORE);
  if (dumps && *dumps == 0) return {"core dumps", Health::kOk, "off in every command", ""};
  return {"core dumps", Health::kWarning, "on: a crash writes texts to disk", "ulimit -c 0"};
}

// "/dev/dm-1 partition 8388604 0 -2", a line for each.
Finding look_at_swap(const Kernel& kernel) {
  std::vector<std::string> plain;
  bool any = false;
  std::ifstream lines(kernel.proc / "swaps");
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    std::string type;
    words >> name >> type;
    any = true;
    if (name.find("/zram") != std::string::npos) continue;
    std::optional<std::string> by;
    if (type == "partition") {
      std::ifstream number(kernel.sys / "class" / "block" / name.substr(name.rfind('/') + 1) / "dev");
      std::string device;
      std::getline(number, device);
      by = encryption_of_device(device, kernel);
    } else if (const auto mount = mount_of(name, kernel)) {
      by = encryption_of(*mount, kernel);
    }
    if (!by) plain.push_back(name);
  }
  if (!plain.empty()) {
    return {"swap", Health::kWarning,
            fmt::format("no encryption of {} is known of: texts in memory may be written there", plain.front()),
            "encrypt the swap, use zram, or swapoff -a"};
  }
  return {"swap", Health::kOk, any ? "encrypted, or in memory" : "none", ""};
}

}  // namespace

Findings look_at_machine(std::uint64_t largest, const Kernel& kernel) {
  return {look_at_limits(largest), look_at_umask(kernel), look_at_dumps(), look_at_swap(kernel)};
}

}  // namespace residue::storage
