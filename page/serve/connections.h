// The connections of the server that have no whole request: they are ended, oldest first, before others must wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>

struct MHD_Connection;

namespace residue::page {

// From the server's thread alone. Connections are ended by closing their way of bytes, which MHD notices.
class Connections {
 public:
  using Clock = std::chrono::steady_clock;

  // `most` may wait at a time, each for `patience` at most.
  Connections(std::size_t most, std::chrono::seconds patience) : most_(most), patience_(patience) {}

  // It is there, and waits for a request; where too many wait, the one that has waited longest ends.
  void* add(MHD_Connection* connection);
  // It has a whole request; its answer is sent, and it waits for another one. `of`: what add() gave.
  static void asked(void* of);
  static void answered(void* of);
  void remove(void* of);

  // Ends those that have waited too long, however slowly bytes came.
  void end_late(Clock::time_point now = Clock::now());

 private:
  struct One {
    MHD_Connection* connection;
    Clock::time_point since;
    bool waits = true;
  };
  static void end(One& one);

  std::size_t most_;
  std::chrono::seconds patience_;
  std::list<One> all_;
};

}  // namespace residue::page
