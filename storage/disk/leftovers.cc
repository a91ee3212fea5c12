#include "storage/disk/leftovers.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <string>

namespace residue::storage {
namespace {

struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> named = false;  // `path` may be read
  std::array<char, PATH_MAX> path{};
};

std::array<Slot, 8> slots;  // a signal handler reads it: nothing that allocates or locks

}  // namespace

Leftover::Leftover(const std::filesystem::path& file) : slot_(0) {
  // A handler may run when the current folder is another one.
  std::error_code failed;
  const std::string path = std::filesystem::absolute(file, failed).string();
  if (failed || path.size() >= PATH_MAX) slot_ = slots.size();
  while (slot_ < slots.size() && slots[slot_].taken.exchange(true)) ++slot_;
  if (slot_ == slots.size()) return;
  path.copy(slots[slot_].path.data(), path.size());
  slots[slot_].path[path.size()] = '\0';
  slots[slot_].named = true;
}

Leftover::~Leftover() {
  if (slot_ == slots.size()) return;
  slots[slot_].named = false;
  slots[slot_].taken = false;
}

void remove_leftovers() noexcept {
  for (const Slot& slot : slots) {
    if (slot.named) ::unlink(slot.path.data());
  }
}

}  // namespace residue::storage
