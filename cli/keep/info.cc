// info: what a store holds and how large it is.
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::cli {
namespace {

std::int64_t bytes_below(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    return static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  }
  std::int64_t total = 0;
  for (auto it = std::filesystem::recursive_directory_iterator(path, error);
       !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    std::error_code gone;  // files come and go while another process works
    const auto size = it->is_regular_file(gone) ? it->file_size(gone) : 0;
    if (!gone) total += static_cast<std::int64_t>(size);
  }
  return total;
}

int info(Context& context) {
  const auto store = open_store(context);
  const storage::ReadTransaction snapshot(store->db());
  auto counts = store->db().prepare(storage::sql::kDatasetCountWithOtherCounts);
  Table table;
  std::vector<Cell> row;
  const auto add = [&](const char* name, Type type, Cell value, const char* title = "") {
    table.columns.push_back({name, type, title});
    row.push_back(std::move(value));
  };
  add("store", Type::kText, store->dir().string());
  add("format", Type::kInteger, std::int64_t{storage::kFormatVersion});
  if (counts.step()) {
    add("datasets", Type::kInteger, counts.integer(0));
    add("records", Type::kInteger, counts.integer(1));
    add("runs", Type::kInteger, counts.integer(2));
    add("claims", Type::kInteger, counts.integer(3));
    add("judgments", Type::kInteger, counts.integer(4));
  }
  const storage::FactsInfo facts = store->facts().info();
  add("texts", Type::kInteger, cell(facts.texts));
  add("catalog_bytes", Type::kBytes, bytes_below(store->dir() / "catalog.db"), "catalog");
  add("facts_bytes", Type::kBytes, cell(facts.file_bytes), "facts");
  add("index_bytes", Type::kBytes, bytes_below(store->index_dir()), "index");
  table.rows.push_back(std::move(row));
  context.out.fields(table);
  return 0;
}

}  // namespace

Command info_command() {
  return {.name = "info",
          .group = Group::kKeep,
          .summary = "what the store holds and how large it is",
          .usage = "",
          .details = "Counts are of everything in the store, the automatic controls included; sizes are those on disk.",
          .examples = {{"residue info", "one line per figure"},
                       {"residue info --json", "one object: store, format, counts, sizes in bytes"}},
          .setup = [](Syntax& /*syntax*/) -> Run { return info; }};
}

}  // namespace residue::cli
