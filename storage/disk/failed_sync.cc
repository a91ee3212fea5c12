#include "storage/disk/failed_sync.h"

#include <atomic>

namespace residue::storage {
namespace {

std::atomic<bool> failed{false};

}  // namespace

void note_failed_sync() { failed = true; }
bool sync_has_failed() { return failed; }

}  // namespace residue::storage
