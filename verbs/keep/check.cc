#include "verbs/keep/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "storage/disk/files.h"

namespace residue::verbs {
namespace {

// A directory inside the store, removed at the end whatever happens.
class Scratch {
 public:
  explicit Scratch(const storage::Store& store)
      : dir_(store.dir() / fmt::format("{}{}", storage::kScratchPrefix, ::getpid())) {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
    storage::make_private_directory(dir_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }

 private:
  std::filesystem::path dir_;
};

bool is_damaged(const storage::CheckResult& result) {
  return !result.problems.empty() || !result.derived_problems.empty();
}

[[noreturn]] void fail_for(const storage::CheckResult& result, bool repaired) {
  const std::size_t count = result.problems.size() + result.derived_problems.size();
  if (!result.problems.empty()) {
    throw Error(Code::kCorrupt, fmt::format("the store is damaged: {} problem{}", count, count == 1 ? "" : "s"),
                repaired ? "what is left cannot be repaired: restore the last backup, tar xf BACKUP"
                         : "restore the last backup (tar xf BACKUP), or save the rest with residue check --repair");
  }
  throw Error(Code::kCorrupt, "only derived data is damaged: nothing is lost",
              "residue check --repair removes it; it is built again when it is needed");
}

}  // namespace

bool CheckResult::damaged() const { return is_damaged(now); }

CheckResult check(storage::Store& store, const CheckOptions& options) {
  CheckResult result;
  try {
    result.before = result.now = storage::check_store(store);
    if (options.repair && is_damaged(result.before)) result.now = storage::repair_store(store, result.before);
  } catch (const Error& error) {
    fail_beyond_check(error);
  }
  // On a damaged store another number says nothing about the program.
  result.recomputed = options.recompute && !result.damaged();
  if (!result.recomputed) return result;
  const Scratch scratch(store);
  const auto told = [&](const std::string& what) {
    if (options.recomputing) options.recomputing(what);
  };
  result.numbers = query::recompute(store, scratch.dir(), told, options.lexicon ? options.lexicon() : nullptr);
  return result;
}

void require_sound(const CheckResult& result, const CheckOptions& options) {
  if (result.damaged()) fail_for(result.now, options.repair);
  if (result.sound()) return;
  throw Error(Code::kCorrupt,
              fmt::format("{} metric rows differ from a fresh computation", result.numbers.differences.size()),
              "the stored data is whole: please report this, it is a bug of residue");
}

void fail_beyond_check(const Error& error) {
  if (error.code() != Code::kCorrupt || error.hint().find("residue check") == std::string::npos) throw error;
  throw Error(Code::kCorrupt, error.what(),
              "too little of it can be read to save the rest: restore the last backup (tar xf BACKUP), or make a new "
              "store with residue init and bring the files in again");
}

}  // namespace residue::verbs
