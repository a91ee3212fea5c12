#include "cli/study/spans_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/print/output.h"
#include "cli/print/table.h"

namespace residue::cli {
namespace {

using Counts = std::map<std::string, query::TypeCounts>;

// "card 133, number 2, nothing 1": the most frequent first.
std::string in_words(const std::map<std::string, std::uint64_t>& others) {
  std::vector<std::pair<std::string, std::uint64_t>> order(others.begin(), others.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string words;
  for (const auto& [type, count] : order) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", type.empty() ? "nothing" : type, count);
  }
  return words;
}

Table summary(const std::vector<query::RunSpans>& runs) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}, {"of", Type::kText, "", true},     {"type", Type::kText, "", true},
                   {"spans", Type::kInteger, ""},  {"share", Type::kPercent, "hits"}, {"others", Type::kText, "there"}};
  const auto add = [&](const std::string& run, const char* of, const Counts& counts) {
    for (const auto& [type, its] : counts) {
      const double share = static_cast<double>(its.hits) / static_cast<double>(its.spans);
      table.rows.push_back({Cell(run), Cell(of), Cell(type), cell(its.spans), Cell(share), Cell(in_words(its.others))});
    }
  };
  for (const query::RunSpans& run : runs) {
    add(run.run, "marked", run.counts.marked);
    add(run.run, "replaced", run.counts.replaced);
  }
  return table;
}

Table pairs(const std::vector<query::RunSpans>& runs) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},   {"of", Type::kText, "", true}, {"type", Type::kText, "", true},
                   {"other", Type::kText, "", true}, {"count", Type::kInteger, ""}, {"spans", Type::kInteger, ""},
                   {"hits", Type::kInteger, ""}};
  const auto add = [&](const std::string& run, const char* of, const Counts& counts) {
    for (const auto& [type, its] : counts) {
      for (const auto& [other, count] : its.others) {
        table.rows.push_back({Cell(run), Cell(of), Cell(type), other.empty() ? Cell() : Cell(other), cell(count),
                              cell(its.spans), cell(its.hits)});
      }
    }
  };
  for (const query::RunSpans& run : runs) {
    add(run.run, "marked", run.counts.marked);
    add(run.run, "replaced", run.counts.replaced);
  }
  return table;
}

}  // namespace

void print_spans(Context& context, const std::vector<query::RunSpans>& runs) {
  const Format format = context.globals.format;
  const bool people = format == Format::kTable || format == Format::kMarkdown || format == Format::kLatex;
  context.out.table(people ? summary(runs) : pairs(runs));
  context.out.flush();
  for (const query::RunSpans& run : runs) {
    if (run.failed > 0) {
      context.out.note(fmt::format("{}: {} records failed, nothing of them is masked", run.run, run.failed));
    }
    if (run.outdated > 0) {
      context.out.note(
          fmt::format("{}: {} records changed since they were marked, and are left out", run.run, run.outdated));
    }
  }
  context.out.note("marked: all letters and digits replaced; replaced: marked by somebody; and as what most of each");
}

}  // namespace residue::cli
