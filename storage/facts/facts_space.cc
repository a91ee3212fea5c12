#include "storage/facts/facts_space.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {
namespace {

constexpr std::size_t kLeastMap = std::size_t{1} << 20U;
constexpr std::size_t kOneTransaction = std::size_t{96} << 20U;  // the largest batch, several times
constexpr std::size_t kForOthers = std::size_t{64} << 20U;       // what everything else in the process needs

std::size_t used_bytes(MDB_env* env, const MDB_envinfo& info) {
  MDB_stat stat{};
  check(mdb_env_stat(env, &stat), "read its size");
  return (std::size_t{info.me_last_pgno} + 1) * stat.ms_psize;
}

// Asked before the old map is given up: a map that could not be made leaves the engine without any.
bool can_map(std::size_t bytes) {
  if (bytes == 0) return true;
  void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

}  // namespace

std::optional<std::size_t> address_room() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::size_t used = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::size_t first_map_bytes(std::size_t most) {
  const auto room = address_room();
  return room ? std::clamp(*room / 4, kLeastMap, most) : most;
}

void enlarge_map(MDB_env* env, bool grow) {
  MDB_envinfo info{};
  check(mdb_env_info(env, &info), "read its size");
  const std::size_t now = info.me_mapsize;
  const auto room = address_room();
  if (!room) {
    check(mdb_env_set_mapsize(env, grow ? 2 * now : 0), "grow");
    return;
  }
  // Not the size that the file was last written with: that may be of a process without a limit.
  const std::size_t used = used_bytes(env, info);
  if (used > now && !can_map(used - now)) fail(ENOMEM, "follow its growth");
  for (const std::size_t more : {now, 2 * kOneTransaction, kOneTransaction, kOneTransaction / 4, kLeastMap}) {
    const std::size_t size = std::max(used, now) + more;
    if (size - now + kForOthers > *room || !can_map(size - now)) continue;
    check(mdb_env_set_mapsize(env, size), "grow");
    return;
  }
  if (grow) fail(ENOMEM, "grow");
  check(mdb_env_set_mapsize(env, used), "follow its growth");
}

bool map_nearly_full(MDB_env* env) {
  if (!address_room()) return false;
  MDB_envinfo info{};
  check(mdb_env_info(env, &info), "read its size");
  return used_bytes(env, info) + kOneTransaction > info.me_mapsize;
}

}  // namespace residue::storage
