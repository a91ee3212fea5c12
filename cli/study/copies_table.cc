#include "cli/study/copies_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cli/print/output.h"
#include "cli/report/report_tables.h"

namespace residue::cli {
namespace {

constexpr std::size_t kShown = 20;

Table copies_table(const std::vector<query::RunCopies>& runs, const std::string& dataset, std::size_t most) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},
                   {"text", Type::kText, ""},
                   {"shared_words", Type::kInteger, "run of words"},
                   {"words", Type::kInteger, "of"},
                   {"shared_with", Type::kText, "shared with"},
                   {"rouge_l", Type::kReal, "ROUGE-L"},
                   {"nearest", Type::kText, "nearest"}};
  const auto reference = [&](const std::string& key) { return key.empty() ? Cell() : Cell(dataset + "/" + key); };
  for (const query::RunCopies& run : runs) {
    for (std::size_t i = 0; i < std::min(most, run.copies.size()); ++i) {
      const query::Copy& copy = run.copies[i];
      table.rows.push_back({Cell(run.run), Cell(copy.key), Cell(std::int64_t{copy.shared}),
                            Cell(std::int64_t{copy.words}), reference(copy.shared_with), cell(copy.rouge_l),
                            reference(copy.nearest)});
    }
  }
  return table;
}

}  // namespace

void print_copies(Context& context, const std::vector<query::RunCopies>& runs, const std::string& dataset) {
  const bool terminal = context.globals.format == Format::kTable;
  context.out.table(copies_table(runs, dataset, terminal ? kShown : SIZE_MAX));
  context.out.flush();
  for (const query::RunCopies& run : runs) {
    if (terminal && run.copies.size() > kShown) {
      context.out.note(fmt::format("{}: the first {} of {} texts; --csv has all", run.run, kShown, run.copies.size()));
    }
    if (run.failed > 0) {
      context.out.note(fmt::format("{}: {} texts failed: nobody knows what they repeat", run.run, run.failed));
    }
  }
  context.out.note("the longest run of words in common with an original, and the original of greatest ROUGE-L F");
}

}  // namespace residue::cli
