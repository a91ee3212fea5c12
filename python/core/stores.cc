#include "python/core/stores.h"

#include <pybind11/stl.h>

#include <chrono>
#include <optional>

#include "base/error.h"
#include "verbs/open.h"

namespace residue::python {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kLook{100};

std::timed_mutex& one_at_a_time() {
  static std::timed_mutex mutex;
  return mutex;
}

}  // namespace

OpenStore::OpenStore(const std::string& path, const Running& running, bool read_only)
    : alone_(one_at_a_time(), std::defer_lock), waiting_(running.interrupted) {
  const Clock::time_point until = Clock::now() + kPatience;
  while (!alone_.try_lock_for(kLook)) {
    if (running.interrupted()) throw Error(Code::kInterrupted, "stopped");
    if (Clock::now() >= until) {
      throw Error(Code::kBusy, "another call of this process holds a store", "try again when it has ended");
    }
  }
  storage::OpenOptions how;
  how.read_only = read_only;
  store_ = verbs::open_store(path, how);
}

void bind_stores(pybind11::module_& module) {
  module.def("create", [](const std::string& path) {
    const pybind11::gil_scoped_release released;
    return verbs::init(path).string();
  });
  module.def("find", [](const std::string& path, bool search_up) -> std::optional<std::string> {
    const auto found = storage::Store::find(path, search_up);
    return found ? std::optional<std::string>(found->string()) : std::nullopt;
  });
  // Opens the store and closes it. So open() refuses at once a store of another format, or one of somebody else.
  module.def("look_at", [](const std::string& path) {
    run(pybind11::none(), [&](const Running& running) { OpenStore store(path, running, true); });
  });
}

}  // namespace residue::python
