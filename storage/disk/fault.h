// Named durable steps, where a test can stop the process as a power cut would (STYLE 12).
#pragma once

namespace residue::storage {

// Marks a durable step. When the environment variable RESIDUE_FAULT holds N (a number), the Nth step reached by this
// process kills it with SIGKILL; when it holds a step's name, the first step of that name does. With
// RESIDUE_FAULT_TRACE=FILE each step's name is appended to FILE. Otherwise: one load and a branch.
void fault_point(const char* name);

// Starts counting anew with the current environment; for tests that fork.
void reset_fault_points();

}  // namespace residue::storage
