// The real program, run with the shim (shim.c) that counts its calls and breaks one of them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace residue::crash {

// What the shim does; see shim.c.
struct Fault {
  long at = 0;
  std::string what;  // kill, stop, ENOSPC, EIO
  bool lasting = false;
  std::string among = "write";  // write, sync, look
  std::filesystem::path count, log, after;
  std::filesystem::path trace;  // RESIDUE_FAULT_TRACE: a line for each durable step
};

struct Outcome {
  bool killed = false;   // by SIGKILL
  bool crashed = false;  // by another signal
  int code = -1;         // of exit
};

class Process {
 public:
  // `residue WORDS` in `dir`; what it prints goes to dir/../output, unless `output` names another file.
  Process(const std::filesystem::path& dir, const std::vector<std::string>& words, const Fault& fault = {},
          const std::filesystem::path& output = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Outcome wait();
  // True if it stopped (Fault "stop"), false if it ended before.
  bool wait_until_stopped();
  // Nothing after `ms` milliseconds of it going on.
  bool ends_within(int ms);
  void signal(int number) const;

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

Outcome run(const std::filesystem::path& dir, const std::vector<std::string>& words, const Fault& fault = {},
            const std::filesystem::path& output = {});

// The language-model server of the tests, as a process that writes down what it was asked.
class StubProcess {
 public:
  explicit StubProcess(const std::filesystem::path& folder, const std::string& behaviour = "ok");
  ~StubProcess();
  StubProcess(const StubProcess&) = delete;
  StubProcess& operator=(const StubProcess&) = delete;

  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::vector<std::string> requests() const;  // bodies, as they came
  void forget();

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
  int port_ = 0;
};

// How much is tried: RESIDUE_SOAK=SECONDS makes each stage go on that long with new seeds. 0: what CI can afford.
long soak_seconds();

// Of the calls of a step CI takes each sixth odd one and each sixth even one.
bool is_left_to_soaks(std::size_t step, long call);

// The time that a stage may still take: true until RESIDUE_SOAK is over, once where it is not set.
class Rounds {
 public:
  Rounds();
  bool next();
  [[nodiscard]] unsigned seed() const { return seed_; }

 private:
  long begin_;
  unsigned seed_ = 0;
};

}  // namespace residue::crash
