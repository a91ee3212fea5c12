#include "tests/crash/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace residue::crash {
namespace fs = std::filesystem;
namespace {

constexpr int kPollMs = 2;

void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

long now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<std::string> environment_with(const fs::path& dir, const Fault& fault) {
  std::vector<std::string> entries = {"HOME=" + dir.string()};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.starts_with("HOME=") || text.starts_with("RESIDUE_") || text.starts_with("GTEST_")) continue;
    entries.push_back(text);
  }
  // A mutant is one of the program, never of the tests that judge it.
  if (const char* mutant = std::getenv("RESIDUE_TEST_MUTANT"))
    entries.push_back(std::string("RESIDUE_MUTANT=") + mutant);
  if (fault.at == 0 && fault.count.empty() && fault.log.empty()) return entries;
  // Sanitizers want to be first.
  const char* preload = std::getenv("RESIDUE_TEST_PRELOAD");
  entries.push_back(std::string("LD_PRELOAD=") + (preload == nullptr ? "" : std::string(preload) + ":") + RESIDUE_SHIM);
  entries.push_back("RESIDUE_SHIM_ROOT=" + dir.string());
  entries.push_back("RESIDUE_SHIM_AT=" + std::to_string(fault.at));
  entries.push_back("RESIDUE_SHIM_CLASS=" + fault.among);
  if (!fault.trace.empty()) entries.push_back("RESIDUE_FAULT_TRACE=" + fault.trace.string());
  if (!fault.what.empty()) entries.push_back("RESIDUE_SHIM_DO=" + fault.what);
  if (fault.lasting) entries.emplace_back("RESIDUE_SHIM_LASTING=1");
  if (!fault.count.empty()) entries.push_back("RESIDUE_SHIM_COUNT=" + fault.count.string());
  if (!fault.log.empty()) entries.push_back("RESIDUE_SHIM_LOG=" + fault.log.string());
  if (!fault.after.empty()) entries.push_back("RESIDUE_SHIM_AFTER=" + fault.after.string());
  return entries;
}

pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment, const fs::path& dir,
            const fs::path& output) {
  std::vector<char*> argv, envp;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& entry : environment) envp.push_back(const_cast<char*>(entry.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, dir.c_str());
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t how;  // a group of its own: who stops or goes on does so with its children
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  if (::posix_spawn(&pid, argv[0], &actions, &how, argv.data(), envp.data()) != 0) pid = -1;
  ::posix_spawnattr_destroy(&how);
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

}  // namespace

Process::Process(const fs::path& dir, const std::vector<std::string>& words, const Fault& fault,
                 const fs::path& output) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const char* other = std::getenv("RESIDUE_TEST_PROGRAM");  // a copy, while the built one changes
  std::vector<std::string> argv = {other == nullptr ? RESIDUE_PROGRAM : other};
  argv.insert(argv.end(), words.begin(), words.end());
  pid_ = start(argv, environment_with(dir, fault), dir, output.empty() ? fs::path(dir.string() + ".output") : output);
  ended_ = pid_ < 0;
}

Process::~Process() {
  if (ended_) return;
  ::kill(-pid_, SIGKILL);
  (void)wait();
}

Outcome Process::wait() {
  if (!ended_) ::waitpid(pid_, &status_, 0);
  ended_ = true;
  // Its child dies a moment after it, and must not be seen at work.
  while (pid_ > 0 && ::waitpid(-pid_, nullptr, 0) > 0) continue;
  Outcome outcome;
  if (WIFEXITED(status_)) outcome.code = WEXITSTATUS(status_);
  outcome.killed = WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
  outcome.crashed = WIFSIGNALED(status_) && !outcome.killed;
  return outcome;
}

bool Process::wait_until_stopped() {
  if (ended_) return false;
  ::waitpid(pid_, &status_, WUNTRACED);
  if (WIFSTOPPED(status_)) return true;
  ended_ = true;
  return false;
}

bool Process::ends_within(int ms) {
  for (int waited = 0; !ended_ && waited <= ms; waited += kPollMs) {
    if (::waitpid(pid_, &status_, WNOHANG) == pid_) {
      ended_ = true;
    } else {
      pause_ms(kPollMs);
    }
  }
  return ended_;
}

void Process::signal(int number) const {
  if (!ended_) ::kill(number == SIGCONT ? -pid_ : pid_, number);
}

Outcome run(const fs::path& dir, const std::vector<std::string>& words, const Fault& fault, const fs::path& output) {
  return Process(dir, words, fault, output).wait();
}

StubProcess::StubProcess(const fs::path& folder, const std::string& behaviour) : folder_(folder) {
  fs::create_directories(folder);
  std::vector<std::string> environment = {"RESIDUE_STUB_LOG=" + folder.string(), "PATH=/usr/bin:/bin"};
  pid_ = start({RESIDUE_STUB_PROGRAM, (folder / "port").string(), behaviour}, environment, folder, folder / "output");
  for (int waited = 0; waited < 20'000 && !fs::exists(folder / "port"); waited += 10) pause_ms(10);
  std::ifstream(folder / "port") >> port_;
}

StubProcess::~StubProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string StubProcess::url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

std::vector<std::string> StubProcess::requests() const {
  std::vector<std::string> bodies;
  std::ifstream in(folder_ / "chat_request");
  for (std::string line; std::getline(in, line);) bodies.push_back(line);
  return bodies;
}

void StubProcess::forget() { fs::remove(folder_ / "chat_request"); }

long soak_seconds() {
  for (const char* name : {"RESIDUE_SOAK", "RESIDUE_SOAK_DEFAULT"}) {
    const char* seconds = std::getenv(name);
    if (seconds != nullptr && *seconds != '\0') return std::atol(seconds);
  }
  return 0;
}

Rounds::Rounds() : begin_(now_s()) {}
bool is_left_to_soaks(std::size_t step, long call) {
  return soak_seconds() == 0 && (call / 2 + static_cast<long>(step)) % 6 != 0;
}

bool Rounds::next() { return ++seed_ == 1 || now_s() - begin_ < soak_seconds(); }

}  // namespace residue::crash
