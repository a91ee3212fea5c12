// What was removed is nowhere in the bytes of the store, once gc or purge says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "ingest/files/purge.h"
#include "storage/check.h"
#include "tests/query/child.h"
#include "tests/query/erase/erased_world.h"

namespace residue::query::testing {
namespace {

namespace fs = std::filesystem;

std::uint32_t seeds(const char* variable, std::uint32_t otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(said, nullptr, 10));
}

// RESIDUE_ERASURE_SEEDS: how many histories; RESIDUE_ERASURE_FIRST: the first seed.
TEST(Erasure, LeavesNoCanaryAfterAnyHistory) {
  const std::uint32_t first = seeds("RESIDUE_ERASURE_FIRST", 11), count = seeds("RESIDUE_ERASURE_SEEDS", 10);
  std::uint64_t searches = 0, dictionaries = 0, unsaid = 0;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const ScratchDir scratch;
    ErasedWorld world(scratch.path(), seed);
    for (int i = 0; i < 12; ++i) world.step();
    world.make_run();
    world.evaluate_some();
    world.remove_something();
    world.edit_records();
    world.collect();
    world.purge_something();
    world.expect_proof();
    if (seed % 3 == 0) world.purge_dataset();
    EXPECT_TRUE(storage::check_store(world.store()).problems.empty());
    searches += world.searches();
    unsaid += world.unsaid();
    dictionaries += world.dictionaries();
    if (HasFailure()) break;
  }
  EXPECT_GE(searches, 2U * count);
  EXPECT_GE(unsaid, count / 4) << "earlier wordings were paid for";
  EXPECT_GE(searches - unsaid, count / 2);
  EXPECT_GE(dictionaries * 10, 9 * count);  // some went with the texts that they were trained on
}

}  // namespace
}  // namespace residue::query::testing
