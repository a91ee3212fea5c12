// The one error of the program: a code that is the exit code, what is wrong, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace residue {

// Exit codes.
enum class Code : int {
  kGateFailed = 1,
  kUsage = 2,
  kNotFound = 3,
  kBusy = 4,
  kCorrupt = 5,
  kBadInput = 6,
  kInternal = 70,
  kIo = 74,
  kTryAgain = 75,
  kInterrupted = 130,
};

// `message` says what is wrong and where, in one line; `hint` says what to do, in one line. Neither ever contains
// users' text, keys of the address space or API keys: record keys, names, file names and line numbers only.
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  [[nodiscard]] Code code() const noexcept { return code_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  Code code_;
  std::string hint_;
};

}  // namespace residue
