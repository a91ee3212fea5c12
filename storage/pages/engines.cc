#include "storage/pages/engines.h"

#include <map>
#include <mutex>
#include <utility>

namespace residue::storage {
namespace {

struct Handles {
  const char* engine = nullptr;
  std::uint64_t count = 0;
};

// Never destroyed: a program may end with catalogs open.
struct Files {
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Handles> open;
};
Files& files() {
  static auto& instance = *new Files;
  return instance;
}

}  // namespace

bool residue_engine_enter(std::uint64_t device, std::uint64_t inode, const char* engine) {
  const std::scoped_lock lock(files().mutex);
  Handles& handles = files().open[{device, inode}];
  if (handles.count > 0 && handles.engine != engine) return false;
  handles.engine = engine;
  ++handles.count;
  return true;
}

void residue_engine_leave(std::uint64_t device, std::uint64_t inode) {
  const std::scoped_lock lock(files().mutex);
  const auto at = files().open.find({device, inode});
  if (at != files().open.end() && --at->second.count == 0) files().open.erase(at);
}

}  // namespace residue::storage
