// Deliberate mistakes in the protocol, by which the tests are tested (scripts/mutants, docs/reliability.md).
#pragma once

namespace residue::storage {

#ifdef NDEBUG
constexpr bool mutant(const char*) { return false; }  // a release makes no mistakes on demand
#else
// True if the environment variable RESIDUE_MUTANT holds `name`.
bool mutant(const char* name);
#endif

}  // namespace residue::storage
