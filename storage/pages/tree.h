// What lies in the pages of a catalog: its trees, their rows, and which pages they need. Reads SQLite's file format
// (sqlite.org/fileformat2.html) from a PageImage, and goes on beside what is damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "storage/pages/page_image.h"

namespace residue::storage {

struct StoredBlob {
  std::string bytes;
};
using StoredValue = std::variant<std::monostate, std::int64_t, double, std::string, StoredBlob>;

struct StoredRow {
  std::int64_t rowid = 0;           // of tables that have one
  std::vector<StoredValue> values;  // as stored: of an index its columns and the row's id or key
};

struct Tree {
  bool index = false;  // else a table
  std::string name;
  std::string table;  // of an index: whose
  std::string sql;    // of an automatic index: empty
  std::uint32_t root = 0;
};

// What a walk meets, in the tree's order; unset ones are left out.
struct TreeVisitor {
  std::function<void(const StoredRow& row)> row;
  std::function<void(std::uint32_t page)> page;     // sound ones
  std::function<void(std::uint32_t page)> damaged;  // what lies below it is not met
};

void walk_tree(const PageImage& image, std::uint32_t root, const TreeVisitor& visitor);

// All trees, the schema's own ("sqlite_schema") first. Trees that a damaged page of the schema names are missing.
std::vector<Tree> trees_of(const PageImage& image);

// Unused pages.
void walk_free_pages(const PageImage& image, const TreeVisitor& visitor);

// "table metric", "an index of table record", "its unused pages", or "nothing that can be found".
std::string owner_of_page(const PageImage& image, std::uint32_t page);

}  // namespace residue::storage
