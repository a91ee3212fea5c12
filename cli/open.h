// How commands reach the store.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::cli {

// Opens the store that --store or RESIDUE_STORE names, else that of this folder or its nearest parent. Says on standard
// error when it has to wait for another process; RESIDUE_LOCK_TIMEOUT_MS says for how long (default 30,000). Throws
// Error{not found} with what to do.
std::unique_ptr<storage::Store> open_store(const Context& context, bool read_only = false);
std::unique_ptr<storage::Store> open_store(const Context& context, storage::OpenOptions options);

// The store's folder, as above, without opening it.
std::filesystem::path store_folder(const Context& context);

// The same, with its texts held: nobody removes them meanwhile.
struct HeldStore {
  std::unique_ptr<storage::Store> store;
  storage::Lock held;

  storage::Store& operator*() const { return *store; }
  storage::Store* operator->() const { return store.get(); }
};
HeldStore open_texts(const Context& context, bool read_only = false);

// DATASET/RUN. Throws Error{usage}, `why` with the hint `instead`, where {0} is the dataset, if no run is named.
storage::Target run_target(const std::string& word, const std::string& why, const std::string& instead);

}  // namespace residue::cli
