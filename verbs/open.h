// `init`, and how every other verb gets its store.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "storage/store.h"

namespace residue::verbs {

// Makes an empty store in `dir`, which is made if needed, or for DIR/.residue in DIR. The store's folder. Throws as
// Store::create.
std::filesystem::path init(std::filesystem::path dir);

// The folder of the store that `named` holds or is; nothing: that of this folder or its nearest parent. Throws
// Error{not found} with what to do.
std::filesystem::path find_store(const std::optional<std::string>& named);

// Opens what find_store() finds. A process has a store open once at a time, and does not fork meanwhile. Throws as
// find_store and Store::Store.
std::unique_ptr<storage::Store> open_store(const std::optional<std::string>& named, storage::OpenOptions how = {});

}  // namespace residue::verbs
