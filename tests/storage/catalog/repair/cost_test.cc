#include "storage/catalog/repair/cost.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "storage/migrate.h"
#include "storage/store.h"
#include "tests/storage/older_store.h"

namespace residue::storage {
namespace {

TEST(TableCosts, AreKnownOfEveryTable) {
  const OlderStore older(4);
  migrate_store(older.dir(), {});
  Store store(older.dir());
  std::set<std::string_view> listed;
  for (const TableCost& cost : table_costs()) {
    EXPECT_TRUE(listed.insert(cost.table).second) << cost.table;
    EXPECT_FALSE(cost.remedy.empty()) << cost.table;
    if (cost.content.empty()) continue;
    const std::size_t dot = cost.content.find('.');
    Statement column = store.db().prepare("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2");
    EXPECT_TRUE(column.bind(cost.content.substr(0, dot), cost.content.substr(dot + 1)).step()) << cost.content;
  }
  Statement tables =
      store.db().prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  std::size_t count = 0;
  for (; tables.step(); ++count) EXPECT_TRUE(listed.contains(tables.text(0))) << tables.text(0);
  EXPECT_EQ(count, listed.size());
}

}  // namespace
}  // namespace residue::storage
