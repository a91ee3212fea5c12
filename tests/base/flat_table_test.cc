#include "base/flat_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace residue {
namespace {

struct Slot {
  std::uint32_t key = 0;  // 0: free
  std::uint32_t value = 0;

  [[nodiscard]] bool free() const { return key == 0; }
  [[nodiscard]] std::uint64_t hash() const { return key & 7U; }  // nearly all collide
};

RC_GTEST_PROP(FlatTable, HoldsWhatAMapHolds, (const std::vector<std::uint16_t>& keys)) {
  FlatTable<Slot> table;
  std::unordered_map<std::uint32_t, std::uint32_t> map;
  const auto same_as = [](std::uint32_t key) { return [key](const Slot& slot) { return slot.key == key; }; };
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t key = 1U + keys[i] % 2000U;
    Slot& slot = table.place(Slot{key, 0}.hash(), same_as(key));
    RC_ASSERT(slot.free() == !map.contains(key));
    slot = {key, i};
    map[key] = i;
  }
  RC_ASSERT(table.size() == map.size());
  for (const auto& [key, value] : map) {
    const Slot& slot = table.at(Slot{key, 0}.hash(), same_as(key));
    RC_ASSERT(slot.key == key && slot.value == value);
  }
}

TEST(FlatTable, GrowsPastItsFirstSlots) {
  FlatTable<Slot> table;
  for (std::uint32_t key = 1; key <= 5000; ++key) {
    table.place(Slot{key, 0}.hash(), [key](const Slot& slot) { return slot.key == key; }) = {key, key + 1};
  }
  EXPECT_EQ(table.size(), 5000U);
  EXPECT_EQ(table.at(Slot{4711, 0}.hash(), [](const Slot& slot) { return slot.key == 4711; }).value, 4712U);
  table.reset(10);
  EXPECT_EQ(table.size(), 0U);
  EXPECT_TRUE(table.at(1, [](const Slot&) { return false; }).free());
}

}  // namespace
}  // namespace residue
