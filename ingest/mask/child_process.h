// A program of the user's: lines in, lines out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

struct ChildEnd {
  enum class How : std::uint8_t { kExited, kSignalled, kSilent, kTooLong, kStopped } how = How::kExited;
  int code = 0;  // exit code, or signal

  [[nodiscard]] bool well() const { return how == How::kExited && code == 0; }
};

// Runs `command` by /bin/sh with `input` as its standard input, calls `line` for each line of its standard output
// (without the line end, the last one with or without) while it runs; its standard error is ours. It is killed with all
// that it started when no whole line for which `line` is true comes for `patience` (kSilent), when a line exceeds 16
// MiB (kTooLong), when `interrupted` says so (kStopped), when one of both throws, and when this process dies, of
// SIGKILL, too; whatever leaves its process group escapes. The time that `line` and `interrupted` take is none of its
// silence; the latter is called at least every tenth of a second. No other file of ours is open in it. Throws
// Error{io} where no process can be made.
// `environment`: "NAME=VALUE", all of it; empty: ours.
ChildEnd run_child(const std::string& command, std::string_view input, std::chrono::milliseconds patience,
                   const std::function<bool(std::string_view line)>& line, const std::function<bool()>& interrupted,
                   const std::vector<std::string>& environment = {});

}  // namespace residue::ingest
