#include "cli/study/abstention_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/print/output.h"
#include "cli/study/print_tables.h"

namespace residue::cli {
namespace {

using query::Abstention;
using query::AbstentionLine;
using query::Precision;

const Precision* point_of(const AbstentionLine& line, std::size_t coverage) {
  return coverage < line.precision.size() && line.precision[coverage] ? &*line.precision[coverage] : nullptr;
}

// A row for each run.
Table file_table(const Abstention& abstention) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  const auto add_columns = [&](const char* what) {
    for (std::size_t tenth = 1; tenth <= query::kCoverages; ++tenth)
      table.columns.push_back({fmt::format("{}_at_{}", what, tenth * 10), Type::kReal, ""});
  };
  add_columns("precision");
  for (const char* count : {"records", "failed", "seeds"}) table.columns.push_back({count, Type::kInteger, ""});
  for (const char* what : {"low", "high", "std"}) add_columns(what);
  for (const AbstentionLine& line : abstention.runs) {
    std::vector<Cell> row{Cell(line.run)};
    const auto add = [&](auto cell_of) {
      for (std::size_t i = 0; i < query::kCoverages; ++i) {
        const Precision* point = point_of(line, i);
        row.push_back(point == nullptr ? Cell() : cell_of(*point));
      }
    };
    add([](const Precision& point) { return Cell(point.value); });
    row.push_back(cell(line.records));
    row.push_back(cell(line.failed));
    row.push_back(cell(std::uint64_t{abstention.seeds}));
    add([](const Precision& point) { return cell(point.low); });
    add([](const Precision& point) { return cell(point.high); });
    add([](const Precision& point) { return cell(point.deviation); });
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string number(const Precision& point) {
  return point.deviation ? fmt::format("{:.3f}±{:.3f}", point.value, *point.deviation)
                         : fmt::format("{:.4f}", point.value);
}

// A row for each coverage, with a column for each run and one for its interval.
Table people_table(const Abstention& abstention) {
  Table table;
  table.columns = {{"surest", Type::kText, "", true}};
  // Declared as numbers, so that they stand to the right and are never cut.
  for (const AbstentionLine& line : abstention.runs) {
    table.columns.push_back({line.run, Type::kReal, ""});
    if (abstention.independent) table.columns.push_back({line.run + "_interval", Type::kReal, "95 %"});
  }
  for (std::size_t i = 0; i < query::kCoverages; ++i) {
    std::vector<Cell> row{Cell(fmt::format("{} %", (i + 1) * 10))};
    for (const AbstentionLine& line : abstention.runs) {
      const Precision* point = point_of(line, i);
      row.push_back(point == nullptr ? Cell() : Cell(number(*point)));
      if (!abstention.independent) continue;
      row.push_back(point == nullptr || !point->low ? Cell()
                                                    : Cell(fmt::format("[{:.2f}, {:.2f}]", *point->low, *point->high)));
    }
    table.rows.push_back(std::move(row));
  }
  for (const auto& [name, count] : {std::pair("n", &AbstentionLine::records), {"failed", &AbstentionLine::failed}}) {
    std::vector<Cell> row{Cell(std::string(name))};
    for (const AbstentionLine& line : abstention.runs) {
      row.push_back(line.reason.empty() ? cell(line.*count) : Cell());
      if (abstention.independent) row.emplace_back(std::string());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void print_abstention(Context& context, const Abstention& abstention, const query::ReportOptions& what) {
  const bool file = form_of(context.globals.format) == Form::kFile;
  context.out.table(file ? file_table(abstention) : people_table(abstention));
  context.out.flush();
  const std::string attacker = query::seeds_name(abstention.lens.spec, abstention.seeds);
  context.out.note(fmt::format(
      "share of right names under {}, where names are given only for the surest part of the records; {}{}", attacker,
      what.missing == query::MissingPolicy::kDrop ? "failed records are left out" : "failed records count as found",
      abstention.seeds > 1 ? "; means over the seeds" : ""));
  if (!abstention.independent) {
    context.out.note("no intervals: several records are of one person, so they are not independent");
  }
  for (const AbstentionLine& line : abstention.runs) {
    if (line.reason.empty()) continue;
    context.out.note(fmt::format("{}: {}; residue eval {}/{} --protocol {}{}", line.run, line.reason, what.dataset,
                                 line.run, abstention.lens.spec.name(),
                                 abstention.seeds > 1 ? fmt::format(" --seeds {}", abstention.seeds) : ""));
  }
}

}  // namespace residue::cli
