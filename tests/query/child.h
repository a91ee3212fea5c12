// The test program once more as a child, so that it can be killed: a fork alone would inherit threads and open stores.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace residue::query::testing {

// Runs one test of this program with these "NAME=value" added to the environment; its wait status. `kill_after`: it is
// killed then, unless it has ended.
inline int run_child(const std::string& test, const std::vector<std::string>& variables,
                     std::optional<std::chrono::microseconds> kill_after = std::nullopt) {
  std::vector<std::string> words = {"/proc/self/exe", "--gtest_filter=" + test, "--gtest_brief=1"};
  std::vector<std::string> environment = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.rfind("RESIDUE_FAULT", 0) != 0 && text.rfind("GTEST_", 0) != 0) environment.push_back(text);
  }
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& entry : environment) envp.push_back(entry.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = ::posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), envp.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  if (kill_after) {
    std::this_thread::sleep_for(*kill_after);
    ::kill(pid, SIGKILL);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

inline bool killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }
inline bool succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

// A directory that goes with the scope; in memory where that is possible: what dies here is a process, not the machine.
class ScratchDir {
 public:
  ScratchDir() {
    std::error_code error;
    const bool memory = std::filesystem::exists("/dev/shm", error) && ::access("/dev/shm", W_OK) == 0;
    std::string name =
        ((memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) / "residue-query-XXXXXX")
            .string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace residue::query::testing
