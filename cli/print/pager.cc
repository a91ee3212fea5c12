#include "cli/print/pager.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>
#include <utility>

#include "cli/print/interrupt.h"
#include "cli/print/terminal.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr std::chrono::milliseconds kMercy{500};  // for a pager to leave the terminal as it found it

bool is_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string_view without_styles(std::string_view line, std::string& room) {
  if (line.find('\x1b') == std::string_view::npos) return line;
  room = line;
  for (const std::string_view style : {kBold, kMarked, kPlain}) {
    for (std::size_t at = 0; (at = room.find(style, at)) != std::string::npos;) room.erase(at, style.size());
  }
  return room;
}

}  // namespace

std::optional<std::string> wanted_pager() {
  for (const char* variable : {"RESIDUE_PAGER", "PAGER"}) {
    const char* command = std::getenv(variable);
    if (command == nullptr) continue;
    if (*command == '\0' || std::strcmp(command, "cat") == 0) return std::nullopt;
    return command;
  }
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0 || !is_program("less")) return std::nullopt;
  return "less -FRX";
}

std::size_t lines_of(std::string_view text, std::size_t width) {
  std::size_t lines = 0;
  std::string room;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t columns = width == 0 ? 0 : text::display_width(without_styles(text.substr(0, end), room));
    lines += columns == 0 ? 1 : (columns + width - 1) / width;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::size_t> terminal_height(int fd) {
  winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0) return size.ws_row;
  const char* lines = std::getenv("LINES");
  const long height = lines == nullptr ? 0 : std::strtol(lines, nullptr, 10);
  return height > 0 && height < 10'000 ? std::optional(static_cast<std::size_t>(height)) : std::nullopt;
}

std::unique_ptr<Pager> Pager::start(const std::string& command) {
  std::optional<Pipe> pipe = Pipe::make();
  if (!pipe) return nullptr;
  Child::Program program{command, pipe->read_end(), STDOUT_FILENO, ::getpgrp()};
  // What somebody searched for in a text may be a name, and does not belong in a file of less.
  program.environment = Child::environment_without("LESSHISTFILE=");
  program.environment.emplace_back("LESSHISTFILE=-");
  std::optional<Child> child = Child::shell(program);
  if (!child) return nullptr;
  pipe->close_read();
  return std::unique_ptr<Pager>(new Pager(std::move(*pipe), std::move(*child)));
}

void Pager::finish() {
  if (over_) return;
  over_ = true;
  pipe_.close_write();
  std::optional<std::chrono::steady_clock::time_point> asked;
  while (!child_.ended()) {
    if (interrupted() && !asked) {
      ::kill(child_.id(), SIGTERM);
      asked = std::chrono::steady_clock::now();
    }
    if (asked && std::chrono::steady_clock::now() - *asked > kMercy) return;  // ~Child ends it
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace residue::cli
