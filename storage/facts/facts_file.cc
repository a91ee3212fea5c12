// The file under facts/: its length, and what a failed commit left in it.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {

namespace {

constexpr std::uint64_t kWriteUnit = 4096;
constexpr std::uint64_t kFullBelowBytes = 64U << 10U;  // a disk with less free space counts as full

// The engine's own handle: opening and closing the file again would drop its locks.
mdb_filehandle_t file_of(MDB_env* env) {
  mdb_filehandle_t file = -1;
  check(mdb_env_get_fd(env, &file), "reach its file");
  return file;
}

std::uint64_t needed_bytes(MDB_env* env) {
  MDB_envinfo info{};
  MDB_stat stat{};
  check(mdb_env_info(env, &info), "read its size");
  check(mdb_env_stat(env, &stat), "read its size");
  return (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize;
}

std::uint64_t size_of(mdb_filehandle_t file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) fail(errno, "read its size");
  return static_cast<std::uint64_t>(status.st_size);
}

bool disk_full(mdb_filehandle_t file) {
  struct statvfs disk {};
  return ::fstatvfs(file, &disk) == 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < kFullBelowBytes;
}

// The file has reached the size that files may have (ulimit -f): the write that would pass it ends short.
bool at_size_limit(mdb_filehandle_t file) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         size_of(file) + kWriteUnit > limit.rlim_cur;
}

std::size_t entries(MDB_txn* txn, MDB_dbi table) {
  MDB_stat stat{};
  check(mdb_stat(txn, table, &stat), "count entries");
  return stat.ms_entries;
}

[[noreturn]] void cut_off() {
  throw Error(Code::kCorrupt, "facts/data.mdb is cut off", "restore the store from a backup");
}

// Looks up every transaction that could have freed pages: a lookup notices an empty page, a walk would abort on it.
void prove_free_lists(MDB_txn* txn) {
  constexpr MDB_dbi kFreeTable = 0;
  for (std::size_t freed = 1; freed < mdb_txn_id(txn) + 1; ++freed) {
    TableCursor cursor(txn, kFreeTable);
    std::size_t number = freed;
    MDB_val key{sizeof number, &number};
    MDB_val value{};
    if (!cursor.get(key, value, MDB_SET_KEY)) continue;
    std::size_t count = 0;  // the list: its length, then page numbers, none of them 0
    if (value.mv_size < sizeof count) cut_off();
    const auto* list = static_cast<const std::size_t*>(value.mv_data);
    count = list[0];
    if (count == 0 || value.mv_size < (count + 1) * sizeof count) cut_off();
    for (std::size_t i = 1; i <= count; ++i) {
      if (list[i] < 2) cut_off();
    }
  }
}

void prove_vectors(const FactsView& view) {
  const MDB_dbi table = view.state().tables.vectors;
  const std::uint64_t next = view.next_of("next_vector");
  std::size_t found = 0;
  for (std::uint64_t number = 1; number < next; ++number) {
    const VectorId id{static_cast<std::int64_t>(number)};
    const std::string bytes = vector_key(id);
    MDB_val key = as_val(bytes);
    MDB_val value{};
    const int there = mdb_get(view.txn(), table, &key, &value);
    if (there == MDB_NOTFOUND) continue;
    check(there, "read a vector");
    (void)vector_values(id, TextId{}, as_view(value));
    ++found;
  }
  if (found != entries(view.txn(), table)) cut_off();
}

}  // namespace

std::uint64_t Facts::State::missing_bytes() const {
  const std::uint64_t size = size_of(file_of(env));
  const std::uint64_t needed = needed_bytes(env);
  return size < needed ? needed - size : 0;
}

std::uint64_t Facts::State::extend() const {
  const mdb_filehandle_t file = file_of(env);
  const std::uint64_t before = size_of(file);
  const std::uint64_t needed = needed_bytes(env);
  if (before < needed && ::fallocate(file, 0, static_cast<off_t>(needed - 1), 1) != 0) fail(errno, "extend its file");
  return before;
}

void Facts::State::reach_last_page() {
  // Only the writer is here, and nobody else may shorten the file: a hole, which a full disk does not refuse.
  if (missing_bytes() > 0 && ::ftruncate(file_of(env), static_cast<off_t>(needed_bytes(env))) != 0) {
    fail(errno, "extend its file");
  }
}

void Facts::State::prove_whole() {
  FactsView view(*this, MDB_RDONLY);
  try {
    MDB_val value{};
    const std::uint64_t next = view.next_of("next");
    std::size_t found = 0;
    for (std::uint64_t id = 1; id < next; ++id) {
      MDB_val key{sizeof id, &id};
      const int there = mdb_get(view.txn(), tables.texts, &key, &value);
      if (there == MDB_NOTFOUND) continue;
      check(there, "read a text");
      (void)view.text(TextId{static_cast<std::int64_t>(id)});
      ++found;
    }
    if (found != entries(view.txn(), tables.texts) || found != entries(view.txn(), tables.digests)) cut_off();
    prove_vectors(view);
    std::size_t answers = 0;
    const std::uint64_t purged = view.each_answer([&](const SavedAnswer&) { ++answers; });
    if (2 * answers + purged != entries(view.txn(), tables.answers)) cut_off();
    prove_free_lists(view.txn());
  } catch (const Error& error) {
    if (error.code() == Code::kCorrupt) cut_off();
    throw;
  }
}

void Facts::State::fail_commit(int code) {
  // The engine writes the page that makes a commit valid last, after all others are on the disk; a full disk stops it
  // before. A full disk or a limit may be reported as EIO, where a write ended short.
  const bool limited = code == EIO && at_size_limit(file_of(env));
  if (code == MDB_MAP_FULL || means_full(code) || limited || (code == EIO && disk_full(file_of(env)))) {
    if (code == MDB_MAP_FULL) here->full = true;
    MDB_txn* probe = nullptr;  // refused if that last page was what failed
    const int after = mdb_txn_begin(env, nullptr, 0, &probe);
    if (after == MDB_SUCCESS) {
      mdb_txn_abort(probe);
      fail(limited ? EFBIG : code == EIO ? ENOSPC : code, "commit");
    }
  }
  here->unknown = !mutant("goes-on-after-failed-commit");
  throw Error(Code::kIo, std::string("facts/: the outcome of a commit is unknown: ") + mdb_strerror(code),
              "check the disk, then run the command again: it continues from what is stored");
}

}  // namespace residue::storage
