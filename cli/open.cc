#include "cli/open.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"
#include "cli/print/output.h"
#include "verbs/open.h"

namespace residue::cli {

std::filesystem::path store_folder(const Context& context) { return verbs::find_store(context.globals.store); }

std::unique_ptr<storage::Store> open_store(const Context& context, storage::OpenOptions options) {
  if (const char* timeout = std::getenv("RESIDUE_LOCK_TIMEOUT_MS")) options.lock_timeout_ms = std::atoi(timeout);
  options.waiting = [&out = context.out](const std::string& what) { out.note("waiting for " + what); };
  options.telling = [&out = context.out](const std::string& what) { out.note(what); };
  return verbs::open_store(context.globals.store, std::move(options));
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
