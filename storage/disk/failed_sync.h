// A sync that failed: what is on the disk is unknown from then on, and this process writes no more than it must.
#pragma once

namespace residue::storage {

// Of this process, for good.
void note_failed_sync();
bool sync_has_failed();

}  // namespace residue::storage
