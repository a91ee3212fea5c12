#include "verbs/keep/doctor.h"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "index/bm25/xapian_db.h"
#include "storage/disk/files.h"
#include "storage/health/machine.h"
#include "storage/health/place.h"
#include "storage/health/store_files.h"
#include "storage/store.h"

namespace residue::verbs {
namespace {

storage::Finding look_at_search() {
  storage::Finding found{"Xapian", storage::Health::kOk, index::xapian_version(), ""};
  try {
    index::require_xapian();
  } catch (const Error& error) {
    found.health = storage::Health::kProblem;
    found.said += ": can damage an index when the disk is full, and is refused";
    found.remedy = error.hint();
  }
  return found;
}

std::uint64_t largest_file(const std::filesystem::path& store) {
  std::uint64_t most = 0;
  std::error_code failed;
  for (auto it = std::filesystem::recursive_directory_iterator(store, failed);
       !failed && it != std::filesystem::recursive_directory_iterator(); it.increment(failed)) {
    std::error_code gone;
    const std::uint64_t size = it->is_regular_file(gone) ? it->file_size(gone) : 0;
    if (!gone) most = std::max(most, size);
  }
  return most;
}

}  // namespace

HealthReport doctor(const std::optional<std::string>& named) {
  HealthReport health;
  health.store = storage::Store::find(named.value_or("."), !named.has_value());
  if (health.store) {
    health.files = storage::look_at_files(*health.store);
    health.place = storage::look_at_place(*health.store, storage::directory_bytes(*health.store));
  } else {
    health.place = storage::look_at_place(named.value_or("."), 0);
  }
  health.machine = storage::look_at_machine(health.store ? largest_file(*health.store) : 0);
  for (storage::Finding& one : storage::look_at_engines()) health.machine.push_back(std::move(one));
  health.machine.push_back(look_at_search());
  return health;
}

}  // namespace residue::verbs
