#include "cli/study/agreement_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "cli/study/references.h"
#include "query/agree/calibration.h"

namespace residue::cli {
namespace {

using query::AgreementLine;
using query::PublishedRow;

// "20 5 0 / 10 30 5 / 1 4 25"
std::string matrix(const numbers::Confusion& confusion) {
  std::string text;
  for (const auto& row : confusion) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : " / ", row[0], row[1], row[2]);
  }
  return text;
}

std::string kappa_kind(const AgreementLine& line) { return line.kind == "annotators" ? "Fleiss" : "quadratic"; }

std::string why_undefined(const verbs::AgreementFigures& of) {
  if (of.line.too_few) return fmt::format("too few: {} of {} pairs", of.line.n, query::kFewestLabels);
  return of.undefined.empty() ? std::string() : fmt::format("{}: {}", fmt::join(of.undefined, ", "), of.line.constant);
}

Cell figure(const PublishedRow& row, const char* what) {
  const auto found = row.figures.find(what);
  return found == row.figures.end() ? Cell() : Cell(found->second.value);
}

}  // namespace

Shown agreement_table(const std::vector<verbs::AgreementFigures>& lines, Form form, bool json, bool reference,
                      std::set<const PublishedRow*>& published) {
  Shown shown;
  Table& table = shown.table;
  table.columns = {{"of", Type::kText, ""},
                   {"first", Type::kText, ""},
                   {"second", Type::kText, ""},
                   {"n", Type::kInteger, ""},
                   {"agreement", Type::kPercent, ""},
                   {"agreement_low", Type::kPercent, "low"},
                   {"agreement_high", Type::kPercent, "high"},
                   {"spearman", Type::kReal, ""},
                   {"spearman_low", Type::kReal, "low"},
                   {"spearman_high", Type::kReal, "high"},
                   {"kappa", Type::kReal, ""},
                   {"kappa_kind", Type::kText, "kind"},
                   {"cohen", Type::kReal, ""},
                   {"alpha", Type::kReal, ""},
                   {"kappa_linear", Type::kReal, "linear"}};
  if (form == Form::kFile) {
    for (int first = 1; first <= 3; ++first) {
      for (int second = 1; second <= 3; ++second)
        table.columns.push_back({fmt::format("confusion_{}{}", first, second), Type::kInteger, ""});
    }
    table.columns.push_back({"not_applicable", Type::kText, ""});
  } else {
    table.columns.push_back({"confusion", Type::kReal, ""});  // as numbers are: never cut
  }
  const bool named = reference && form == Form::kFile && !json;
  if (named) table.columns.push_back({"reference", Type::kText, ""});
  const auto end = [](const std::optional<numbers::Interval>& interval, bool high) {
    return interval ? Cell(high ? interval->high : interval->low) : Cell();
  };
  for (const verbs::AgreementFigures& of : lines) {
    const AgreementLine& line = of.line;
    const std::vector<std::string>& none = of.undefined;
    const auto number = [&](const std::optional<double>& value, std::string_view name) {
      const bool shown_so = form != Form::kFile && std::find(none.begin(), none.end(), name) != none.end();
      return shown_so ? Cell("n/a") : cell(value);
    };
    std::vector<Cell> row = {Cell(std::string(line.kind)),
                             Cell(line.first),
                             Cell(line.second),
                             cell(line.n),
                             cell(line.agreement),
                             end(line.agreement_interval, false),
                             end(line.agreement_interval, true),
                             number(line.spearman, "spearman"),
                             end(line.spearman_interval, false),
                             end(line.spearman_interval, true),
                             number(line.kappa, "kappa"),
                             line.kappa ? Cell(kappa_kind(line)) : Cell(),
                             number(line.cohen, "cohen"),
                             number(line.alpha, "alpha"),
                             number(line.linear, "kappa_linear")};
    const bool counted = line.kind != "annotators";
    if (form == Form::kFile) {
      for (const auto& counts : line.confusion) {
        for (const std::uint64_t count : counts) row.push_back(counted ? cell(count) : Cell());
      }
      const std::string why = why_undefined(of);
      row.push_back(why.empty() ? Cell() : Cell(why));
    } else {
      row.push_back(counted ? Cell(matrix(line.confusion)) : Cell());
    }
    if (named) row.emplace_back();
    table.rows.push_back(std::move(row));
    if (!reference) continue;
    Json list = Json::array();
    for (const PublishedRow* one : of.published) {
      published.insert(one);
      list.push_back(reference_json(*one));
      if (json) continue;
      std::vector<Cell> theirs(table.columns.size());
      theirs[0] = std::string(line.kind);
      theirs[1] = line.first;
      theirs[2] = form == Form::kFile ? line.second : fmt::format("{} ({})", line.second, one->paper);
      theirs[7] = figure(*one, "spearman");
      theirs[10] = figure(*one, "kappa");
      if (one->figures.contains("kappa")) theirs[11] = kappa_kind(line);
      if (named) theirs.back() = one->text();
      table.rows.push_back(std::move(theirs));
    }
    if (json) shown.references.push_back(std::move(list));
  }
  return shown;
}

std::vector<std::string> agreement_notes(const std::vector<verbs::AgreementFigures>& lines) {
  std::vector<std::string> notes;
  for (const verbs::AgreementFigures& of : lines) {
    if (const std::string why = why_undefined(of); !why.empty()) {
      const AgreementLine& line = of.line;
      const bool same = line.first == line.second;
      notes.push_back(fmt::format("{}{}{}{}: {}", line.too_few ? "" : "not applicable for ", line.first,
                                  same ? "" : " and ", same ? "" : line.second, why));
    }
  }
  return notes;
}

}  // namespace residue::cli
