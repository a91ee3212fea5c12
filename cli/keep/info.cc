// info: what a store holds and how large it is.
#include "verbs/keep/info.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

int info(Context& context) {
  const auto store = open_store(context);
  const verbs::StoreInfo all = verbs::info(*store);
  Table table;
  std::vector<Cell> row;
  const auto add = [&](const char* name, Type type, Cell value, const char* title = "") {
    table.columns.push_back({name, type, title});
    row.push_back(std::move(value));
  };
  add("store", Type::kText, all.store.string());
  add("format", Type::kInteger, std::int64_t{all.format});
  add("datasets", Type::kInteger, all.datasets);
  add("records", Type::kInteger, all.records);
  add("runs", Type::kInteger, all.runs);
  add("claims", Type::kInteger, all.claims);
  add("judgments", Type::kInteger, all.judgments);
  add("texts", Type::kInteger, cell(all.texts));
  add("catalog_bytes", Type::kBytes, cell(all.catalog_bytes), "catalog");
  add("facts_bytes", Type::kBytes, cell(all.facts_bytes), "facts");
  add("index_bytes", Type::kBytes, cell(all.index_bytes), "index");
  add("outside_controls", Type::kInteger, all.outside_controls, "controls");
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
