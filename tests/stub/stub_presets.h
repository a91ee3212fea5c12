// What real servers refuse: the stub answers as one of them only what that one answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace residue::stub {

struct Refused {
  std::string status;  // "400 Bad Request"
  std::string body;
};

// As the presets of `model add` are called.
const std::vector<std::string>& imitated();

// Why a server of that name refuses a request, in its own words; nothing: it answers. `head`: request line and headers.
std::optional<Refused> refused_by(const std::string& name, const std::string& head, const std::string& body);

}  // namespace residue::stub
