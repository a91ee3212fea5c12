#include "cli/open.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "cli/print/output.h"

namespace residue::cli {

std::filesystem::path store_folder(const Context& context) {
  const std::optional<std::string>& named = context.globals.store;
  const auto dir = storage::Store::find(named.value_or("."), !named.has_value());
  if (!dir) {
    throw Error(
        Code::kNotFound, named ? "no store in " + *named : std::string("no store in this folder or above it"),
        named ? "residue init " + *named + " makes one" : "residue init makes one here; --store DIR names another");
  }
  return *dir;
}

std::unique_ptr<storage::Store> open_store(const Context& context, storage::OpenOptions options) {
  const std::filesystem::path dir = store_folder(context);
  if (const char* timeout = std::getenv("RESIDUE_LOCK_TIMEOUT_MS")) options.lock_timeout_ms = std::atoi(timeout);
  options.waiting = [&out = context.out](const std::string& what) { out.note("waiting for " + what); };
  options.telling = [&out = context.out](const std::string& what) { out.note(what); };
  return std::make_unique<storage::Store>(dir, std::move(options));
}

std::unique_ptr<storage::Store> open_store(const Context& context, bool read_only) {
  storage::OpenOptions options;
  options.read_only = read_only;
  return open_store(context, std::move(options));
}

HeldStore open_texts(const Context& context, bool read_only) {
  auto store = open_store(context, read_only);
  storage::Lock held = store->hold_texts();
  return {std::move(store), std::move(held)};
}

storage::Target run_target(const std::string& word, const std::string& why, const std::string& instead) {
  storage::Target target = storage::parse_target(word);
  if (!target.run) throw Error(Code::kUsage, why, fmt::format(fmt::runtime(instead), target.dataset));
  return target;
}

}  // namespace residue::cli
