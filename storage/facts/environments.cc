#include "storage/facts/environments.h"

#include <lmdb.h>

#include <list>
#include <new>

namespace residue::storage {
namespace {

// Never destroyed: a program may end with environments open.
struct Environments {
  std::recursive_mutex mutex;
  std::list<Environment> open;
};
Environments& environments() {
  static auto& instance = *new Environments;
  return instance;
}

}  // namespace

std::recursive_mutex* residue_environments_mutex() { return &environments().mutex; }

Environment* residue_environment_enter(std::uint64_t device, std::uint64_t inode) {
  std::list<Environment>& open = environments().open;
  for (Environment& one : open) {
    if (one.device != device || one.inode != inode) continue;
    ++one.users;
    return &one;
  }
  try {
    Environment& fresh = open.emplace_back();
    fresh.device = device;
    fresh.inode = inode;
    fresh.users = 1;
    return &fresh;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void residue_environment_leave(Environment* environment) {
  const std::scoped_lock lock(environments().mutex);
  if (--environment->users > 0) return;
  if (environment->env != nullptr) mdb_env_close(environment->env);
  environments().open.remove_if([&](const Environment& one) { return &one == environment; });
}

}  // namespace residue::storage
