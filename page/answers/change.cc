#include "page/answers/change.h"

#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/digest.h"
#include "base/json.h"
#include "query/evaluate/running.h"

namespace residue::page {
namespace {

Json pace_json(const query::Pace& pace) {
  return {{"done", pace.done}, {"total", pace.total}, {"per_second", pace.per_second}};
}

Json name_json(const std::string& name) { return name.empty() ? Json() : Json(name); }

Json running_json(const query::Running& one) {
  const double whole = static_cast<double>(one.step.whole_total);
  return {{"dataset", name_json(one.step.dataset)},
          {"run", name_json(one.step.run)},
          {"protocol", name_json(one.step.protocol)},
          {"judge", name_json(one.judge)},
          {"stage", one.step.stage},
          {"records", pace_json(one.stage)},
          {"asking", one.asking ? pace_json(*one.asking) : Json()},
          {"done", whole > 0 ? Json(static_cast<double>(one.step.whole_done) / whole) : Json()},
          {"seconds", one.seconds},
          {"silent", one.silent}};
}

}  // namespace

// What was acknowledged last is in one small file, which every commit writes behind it. Where it cannot (a full disk),
// the catalog's own files tell.
std::string state_of(const std::filesystem::path& store) {
  std::ifstream file(store / "commits", std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  for (const char* const name : {"catalog.db", "catalog.db-wal"}) {
    struct stat found {};
    if (::stat((store / name).c_str(), &found) != 0) continue;
    bytes << ' ' << found.st_ino << ' ' << found.st_size << ' ' << found.st_mtim.tv_sec << ' ' << found.st_mtim.tv_nsec;
  }
  return to_hex(sha256(bytes.str())).substr(0, 16);
}

std::string change_json(const std::filesystem::path& store) {
  Json evaluations = Json::array();
  for (const query::Running& one : query::running_evaluations(store)) evaluations.push_back(running_json(one));
  return Json({{"change", state_of(store)}, {"evaluations", std::move(evaluations)}}).dump();
}

}  // namespace residue::page
