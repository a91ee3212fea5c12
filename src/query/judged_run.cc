#include "query/judged_run.h"

#include "base/error.h"
#include "storage/lookup.h"

namespace residue::query {

JudgedRun judged_run(storage::Db& db, const Lens& lens, std::string_view run) {
  require_one_release(lens);
  const RunId id = storage::find_run(db, lens.dataset_name, run);
  storage::Statement evaluated = db.prepare(
      "SELECT e.run_content = u.content AND e.dataset_content = d.content FROM evaluation e"
      " JOIN run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id"
      " WHERE e.run_id = ?1 AND e.tier = 'judge' AND e.protocol_id = ?2 AND e.judge_id = ?3");
  evaluated.bind(id, lens.protocol, lens.judge);
  if (!evaluated.step()) {
    throw Error(Code::kNotFound,
                fmt::format("run {}/{} was not evaluated under {} by {}", lens.dataset_name, run, lens.spec.name(),
                            lens.judge_name),
                fmt::format("residue eval {}/{}", lens.dataset_name, run));
  }
  return {id, evaluated.integer(0) == 0};
}

}  // namespace residue::query
