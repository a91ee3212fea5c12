// A process that holds LMDB's lock on facts/lock.mdb, as a process does that is dying or stuck.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace residue::storage::testing {

class LockFileHolder {
 public:
  // Back once the lock is held. The process keeps no other file of its parent: not the store's locks either.
  explicit LockFileHolder(const std::filesystem::path& facts) {
    const std::string path = (facts / "lock.mdb").string();
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (int i = 3; i < 1'024; ++i) {
        if (i != ready[1]) ::close(i);
      }
      const int file = ::open(path.c_str(), O_RDWR);
      struct flock first_byte {};
      first_byte.l_type = F_RDLCK;
      first_byte.l_len = 1;
      const char done = ::fcntl(file, F_SETLK, &first_byte) == 0 ? 'y' : 'n';
      (void)!::write(ready[1], &done, 1);
      while (true) ::pause();
    }
    if (child_ < 0) throw std::runtime_error("no process");
    ::close(ready[1]);  // a child that ends early is not waited for
    char done = 'n';
    EXPECT_EQ(::read(ready[0], &done, 1), 1);
    EXPECT_EQ(done, 'y') << "nobody holds the lock";
    ::close(ready[0]);
  }
  ~LockFileHolder() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  LockFileHolder(const LockFileHolder&) = delete;
  LockFileHolder& operator=(const LockFileHolder&) = delete;

 private:
  pid_t child_ = -1;
};

}  // namespace residue::storage::testing
