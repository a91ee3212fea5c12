// A purge that is killed at any durable step loses nothing else, and the same command finishes it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/files/purge.h"
#include "storage/check.h"
#include "tests/query/child.h"
#include "tests/query/erase/erased_world.h"

namespace residue::query::testing {
namespace {

namespace fs = std::filesystem;

void purge(storage::Store& store, const ingest::PurgeTarget& target) {
  try {
    (void)ingest::purge_rows(store, target);
  } catch (const Error& error) {  // It was done but for its last word.
    if (error.code() != Code::kNotFound) throw;
  }
}

int purge_in_child(const fs::path& dir, const std::string& person, const std::string& fault) {
  return run_child("ErasureCrash.AtAnyStepOfAPurgeLosesNothingElse",
                   {"RESIDUE_ERASURE_DIR=" + dir.string(), "RESIDUE_ERASURE_PERSON=" + person, fault});
}

TEST(ErasureCrash, AtAnyStepOfAPurgeLosesNothingElse) {
  if (const char* dir = std::getenv("RESIDUE_ERASURE_DIR")) {  // The child that is to be killed.
    storage::Store store(fs::path(dir) / ".residue");
    purge(store, {ingest::PurgeKind::kPerson, "d", std::getenv("RESIDUE_ERASURE_PERSON")});
    EXPECT_TRUE(store.collect_garbage().left.empty());
    return;
  }
  const ScratchDir scratch;
  const fs::path before = scratch.path() / "before";
  fs::create_directories(before);
  ErasedWorld world(before, 77);
  world.make_run();
  world.evaluate_some();
  world.label_some();
  for (int i = 0; i < 4; ++i) {
    world.ask_some();
    world.rate_some();
  }
  const ingest::PurgeTarget target = world.forget_somebody();
  world.close();
  const auto copy_of_it = [&](const std::string& name) {
    fs::copy(before, scratch.path() / name, fs::copy_options::recursive);
    return scratch.path() / name;
  };
  const fs::path whole = copy_of_it("whole");
  const fs::path trace = scratch.path() / "trace";
  ASSERT_TRUE(succeeded(purge_in_child(whole, target.name, "RESIDUE_FAULT_TRACE=" + trace.string())));
  std::vector<std::string> reached;
  std::ifstream in(trace);
  for (std::string line; std::getline(in, line);) reached.push_back(line);
  const std::set<std::string> names(reached.begin(), reached.end());
  for (const char* name : {"batch.before_catalog", "gc.before_facts", "gc.rewritten", "gc.after_facts", "gc.compacted"})
    EXPECT_EQ(names.count(name), 1U) << name;
  world.move_to(whole);
  world.expect_erased();
  for (std::size_t point = 1; point <= reached.size(); ++point) {
    SCOPED_TRACE(fmt::format("killed at step {}, {}", point, reached[point - 1]));
    const fs::path dir = copy_of_it(std::to_string(point));
    ASSERT_TRUE(killed(purge_in_child(dir, target.name, fmt::format("RESIDUE_FAULT={}", point))));
    world.move_to(dir);
    EXPECT_EQ(storage::check_store(world.store()).problems, std::vector<std::string>());
    purge(world.store(), target);
    world.collect();  // expects that it is gone, and that the others are there
    EXPECT_EQ(storage::check_store(world.store()).problems, std::vector<std::string>());
    world.close();
    fs::remove_all(dir);
    if (HasFailure()) break;
  }
  EXPECT_GE(reached.size(), 15U);
}

}  // namespace
}  // namespace residue::query::testing
