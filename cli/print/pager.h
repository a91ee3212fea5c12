// A program that shows a long result a page at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/child.h"

namespace residue::cli {

// The command line of the reader's pager: RESIDUE_PAGER, else PAGER, else `less -FRX` where there is one and the
// terminal is not dumb. Nothing where the first of these that is set is empty, or is cat.
std::optional<std::string> wanted_pager();

// Lines that `text` takes on a terminal of this width; styles of ours (terminal.h) take none. 0: never broken.
std::size_t lines_of(std::string_view text, std::size_t width);

// Height of the terminal at `fd`: the kernel's answer, else LINES; nothing where nobody knows.
std::optional<std::size_t> terminal_height(int fd);

class Pager {
 public:
  // Nothing where no process can be made. It reads the terminal itself, so it stays in our process group.
  static std::unique_ptr<Pager> start(const std::string& command);
  ~Pager() { finish(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  [[nodiscard]] int fd() const { return pipe_.write_end(); }

  // Nothing more comes: waits until the reader has seen enough. A signal to us ends the pager as well.
  void finish();

 private:
  Pager(Pipe pipe, Child child) : pipe_(std::move(pipe)), child_(std::move(child)) {}

  Pipe pipe_;
  Child child_;
  bool over_ = false;
};

}  // namespace residue::cli
