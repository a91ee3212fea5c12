// A command in a process of its own whose files nobody reads or writes: does it end when it is asked to?
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/cli.h"

namespace residue::cli::testing {

using Clock = std::chrono::steady_clock;

// How much longer everything takes with a sanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSlow = 6;
#else
inline constexpr int kSlow = 1;
#endif

inline void wait_ms(std::uint64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms * kSlow)); }

inline double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Both ends of a pipe: a silent one has nothing to read for ever, a full one takes nothing for ever.
class StuckPipe {
 public:
  explicit StuckPipe(bool full) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    if (!full) return;
    ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
    ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    while (::write(ends_[1], "x", 1) == 1) {
    }
    ::fcntl(ends_[1], F_SETFL, 0);
  }
  ~StuckPipe() {
    for (const int end : ends_) ::close(end);
  }
  StuckPipe(const StuckPipe&) = delete;
  StuckPipe& operator=(const StuckPipe&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class Running {
 public:
  struct Files {
    int in = -1, out = -1, error = -1;  // -1: /dev/null
    rlim_t address_bytes = RLIM_INFINITY;
  };
  Running(const std::filesystem::path& folder, const std::string& line, const Files& files) {
    std::vector<std::string> words = words_of("residue " + line);
    id_ = ::fork();
    if (id_ < 0) throw std::runtime_error("no process");
    if (id_ != 0) return;
    ::setpgid(0, 0);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(files.in < 0 ? null : files.in, 0);
    ::dup2(files.out < 0 ? null : files.out, 1);
    ::dup2(files.error < 0 ? null : files.error, 2);
    for (int open = 3; open < 200; ++open) ::close(open);
    const rlimit limit{files.address_bytes, files.address_bytes};
    ::setrlimit(RLIMIT_AS, &limit);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    if (::chdir(folder.c_str()) != 0) ::_exit(97);
    ::_exit(run(static_cast<int>(argv.size()), argv.data()));
  }
  ~Running() {
    if (status_) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  [[nodiscard]] bool alive() { return !status_ && !ended(); }
  [[nodiscard]] pid_t id() const { return id_; }
  void signal(int number) const { ::kill(id_, number); }
  // As a terminal does it: to the process and to its children.
  void signal_all(int number) const { ::kill(-id_, number); }

  [[nodiscard]] std::vector<pid_t> children() const {
    std::vector<pid_t> all;
    std::ifstream list("/proc/" + std::to_string(id_) + "/task/" + std::to_string(id_) + "/children");
    for (pid_t child = 0; list >> child;) all.push_back(child);
    return all;
  }

  // Memory that it holds now, or one of its children if that has more.
  [[nodiscard]] long resident_kib() const {
    long most = kib_of(id_);
    for (const pid_t child : children()) most = std::max(most, kib_of(child));
    return most;
  }

  // Its exit code, 1000 and the signal that killed it, or -1 if it still runs after so long.
  int wait(double seconds) {
    const auto start = Clock::now();
    while (!ended()) {
      if (since(start) > seconds) return -1;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 1000 + WTERMSIG(*status_);
  }

 private:
  static long kib_of(pid_t id) {
    long pages = 0;
    long resident = 0;
    std::ifstream("/proc/" + std::to_string(id) + "/statm") >> pages >> resident;
    return resident * (::sysconf(_SC_PAGESIZE) >> 10);
  }
  bool ended() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return status_.has_value();
  }

  pid_t id_ = -1;
  std::optional<int> status_;
};

// A folder that goes away.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-ends-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& bytes) const { std::ofstream(path_ / name) << bytes; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream bytes;
    bytes << std::ifstream(path_ / name).rdbuf();
    return bytes.str();
  }
  // Runs a command to its end; its code.
  [[nodiscard]] int done(const std::string& line, double seconds = 120) const {
    return Running(path_, line, {}).wait(seconds);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace residue::cli::testing
