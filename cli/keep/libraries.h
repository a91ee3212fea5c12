// The libraries that this program is made of, and their versions.
#pragma once

#include <string>
#include <vector>

namespace residue::cli {

struct Library {
  std::string name;
  std::string running;  // what is loaded now; empty: the library cannot say, as it is part of the program
  std::string built;    // what the program was compiled with
  std::string about;    // what we use it for
};

// In the order of their names.
std::vector<Library> libraries();

}  // namespace residue::cli
