#include "page/serve/assets.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/embedded.h"
#include "page/html/modules.h"

RESIDUE_EMBEDDED(d3)
RESIDUE_EMBEDDED(style)

namespace residue::page {
namespace {

constexpr std::array<std::string_view, 12> kViews = {"/",       "/runs",   "/compare", "/records",
                                                     "/record", "/leaks",  "/search",  "/plot",
                                                     "/sql",    "/status", "/label",   "/intruder"};

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript";
  return name.ends_with(".css") ? "text/css" : "text/html";
}

const std::map<std::string_view, std::string_view>& files() {
  static const std::map<std::string_view, std::string_view> kFiles = [] {
    std::map<std::string_view, std::string_view> all = viewer_files();
    all.emplace("d3.js", embedded_d3());
    all.emplace("style.css", embedded_style());
    for (const auto& [name, bytes] : web_modules()) all.emplace(name, bytes);
    return all;
  }();
  return kFiles;
}

}  // namespace

std::optional<Asset> asset(std::string_view path) {
  constexpr std::string_view kWeb = "/web/";
  std::string_view name = "viewer.html";
  if (path.starts_with(kWeb)) {
    name = path.substr(kWeb.size());
  } else if (std::ranges::find(kViews, path) == kViews.end()) {
    return std::nullopt;
  }
  const auto found = files().find(name);
  if (found == files().end()) return std::nullopt;
  return Asset{type_of(name), found->second};
}

}  // namespace residue::page
