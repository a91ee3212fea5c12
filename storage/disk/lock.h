// Locks on files of our own (never the engines' files); released by the kernel when the process dies.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace residue::storage {

enum class LockMode { kShared, kExclusive };

class Lock {
 public:
  Lock() = default;
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&& other) noexcept;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { release(); }

  // Takes the lock on `file`, created 0600 if needed; Error{io} where that is impossible. If the file
  // cannot be written, every lock on it is a shared one. Waits up to `timeout_ms`;
  // calls `waiting` once if it has to wait longer than a moment. Nothing on time-out.
  static std::optional<Lock> take(const std::filesystem::path& file, LockMode mode, int timeout_ms,
                                  const std::function<void()>& waiting = {});

  // Shared to exclusive at once, or false: the shared lock was held all the time.
  bool try_upgrade();
  void downgrade();
  void release();
  [[nodiscard]] bool held() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Whether a process holds the lock on `file` exclusively. Takes none, makes no file: nobody waits for the answer.
bool is_locked(const std::filesystem::path& file);

}  // namespace residue::storage
