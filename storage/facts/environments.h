// The LMDB environments that this process has open: each once, whoever asks.
//
//   program, module of Python, extension of SQLite ── directory ──> one Environment ── last one leaves ──> closed
//
// LMDB loses its locks where a process opens an environment twice, and a process may hold several copies of this code:
// a module of Python and an extension of SQLite each have their own. They share this unit, as libresidue_facts.so. Its
// functions are C and its name never changes, so copies of different versions find the same one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

struct MDB_env;

namespace residue::storage {

// One environment and what its users must agree on. New members go to the end.
struct Environment {
  std::uint64_t device = 0, inode = 0;  // of its directory
  std::uint64_t users = 0;
  MDB_env* env = nullptr;  // nothing: whoever enters first opens it
  unsigned flags = 0;      // it was opened with
  std::shared_mutex gate;  // shared: beginning a transaction; alone: mapping anew
  std::atomic<int> transactions{0};
  std::atomic<bool> full{false};     // a batch filled the map: the next one begins with a larger map
  std::atomic<bool> unknown{false};  // a commit failed so that nobody knows what is on the disk
};

extern "C" {

// Of this process, recursive: held while somebody enters and opens, so that a second one finds it opened.
[[gnu::visibility("default")]] std::recursive_mutex* residue_environments_mutex();

// The environment of a directory, with one user more. The caller holds the mutex. Nothing where memory ends.
[[gnu::visibility("default")]] Environment* residue_environment_enter(std::uint64_t device, std::uint64_t inode);

// One user less; the last one closes it. No transaction of that user may be open.
[[gnu::visibility("default")]] void residue_environment_leave(Environment* environment);
}

}  // namespace residue::storage
