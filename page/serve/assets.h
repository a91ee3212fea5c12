// The files of the viewer, as they are in the program.
#pragma once

#include <map>
#include <optional>
#include <string_view>

namespace residue::page {

struct Asset {
  std::string_view type, bytes;
};

// For a path like /web/viewer.js, and the viewer itself for / and the paths of its views. Nothing for another path.
std::optional<Asset> asset(std::string_view path);

// Those of the viewer, by file name: made by page/serve/CMakeLists.txt.
std::map<std::string_view, std::string_view> viewer_files();

}  // namespace residue::page
