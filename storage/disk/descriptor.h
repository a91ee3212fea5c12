// An open file that is closed with its owner.
#pragma once

#include <unistd.h>

namespace residue::storage {

class Descriptor {
 public:
  // As open(2) gives it; below 0: it could not be opened.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace residue::storage
