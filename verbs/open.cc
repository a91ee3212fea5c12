#include "verbs/open.h"

#include <utility>

#include "base/error.h"

namespace residue::verbs {

std::filesystem::path init(std::filesystem::path dir) {
  if (dir.filename().empty()) dir = dir.parent_path();
  if (dir.filename() == ".residue") dir = dir.parent_path();
  if (dir.empty()) dir = ".";
  storage::Store::create(dir);
  return (dir / ".residue").lexically_normal();
}

std::filesystem::path find_store(const std::optional<std::string>& named) {
  const auto dir = storage::Store::find(named.value_or("."), !named.has_value());
  if (!dir) {
    throw Error(
        Code::kNotFound, named ? "no store in " + *named : std::string("no store in this folder or above it"),
        named ? "residue init " + *named + " makes one" : "residue init makes one here; --store DIR names another");
  }
  return *dir;
}

std::unique_ptr<storage::Store> open_store(const std::optional<std::string>& named, storage::OpenOptions how) {
  return std::make_unique<storage::Store>(find_store(named), std::move(how));
}

}  // namespace residue::verbs
