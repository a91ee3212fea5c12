// What the exit codes mean, for help and the manual.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace residue::cli {

inline std::vector<std::pair<std::string, std::string>> exit_codes() {
  return {{"0", "done"},
          {"1", "a --fail-if gate failed"},
          {"2", "wrong use"},
          {"3", "not found"},
          {"4", "the store is busy"},
          {"5", "the store is damaged"},
          {"6", "bad input data"},
          {"70", "our bug"},
          {"74", "input or output failed"},
          {"75", "out of space or memory, or try again"},
          {"130", "interrupted (by SIGTERM: 143)"}};
}

}  // namespace residue::cli
