#include "storage/disk/mutant.h"

#ifndef NDEBUG

#include <cstdlib>
#include <cstring>

namespace residue::storage {

bool mutant(const char* name) {
  static const char* const wanted = std::getenv("RESIDUE_MUTANT");
  return wanted != nullptr && std::strcmp(wanted, name) == 0;
}

}  // namespace residue::storage

#endif
