// A file that -o names, and that must not be there yet.
#pragma once

#include "cli/command.h"

namespace residue::cli {

// Where -o names a file, it must be new. First before anything is read; then instead of Output::finish(), so that what
// appeared meanwhile stays as it is.
void require_new_output(const Context& context);
void finish_new_output(Context& context);

}  // namespace residue::cli
