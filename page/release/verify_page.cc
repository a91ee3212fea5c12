#include "page/release/verify_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "base/error.h"

namespace residue::page {
namespace {

constexpr std::array<std::string_view, 8> kFields = {"value",  "low",     "high",      "n",
                                                     "failed", "missing", "if_leaked", "if_private"};

std::string attribute(std::string_view element, std::string_view name) {
  const std::string begin = fmt::format(" {}=\"", name);
  const std::size_t at = element.find(begin);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + begin.size();
  return std::string(element.substr(from, element.find('"', from) - from));
}

// By run and metric, as both stand in the page, the numbers of the table in their order.
using Rows = std::map<std::pair<std::string, std::string>, std::vector<std::optional<double>>>;

Rows rows_of(std::string_view html) {
  Rows rows;
  constexpr std::string_view kRow = "<tr data-run=\"", kCell = "<td class=\"number\" data-value", kEnd = "</tr>";
  for (std::size_t at = html.find(kRow); at != std::string_view::npos; at = html.find(kRow, at + 1)) {
    const std::string_view row = html.substr(at, html.find(kEnd, at) - at);
    auto& numbers = rows[{attribute(row, "data-run"), attribute(row, "data-metric")}];
    for (std::size_t cell = row.find(kCell); cell != std::string_view::npos; cell = row.find(kCell, cell + 1)) {
      const std::string words = attribute(row.substr(cell, row.find('>', cell) - cell), "data-value");
      double number = 0;
      const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
      const bool whole = error == std::errc() && end == words.data() + words.size();
      numbers.push_back(whole ? std::optional(number) : std::nullopt);
    }
  }
  return rows;
}

// `request`: of runs that came since, nothing is said here.
void compare(const Rows& page, const Rows& store, const PageRequest& request, PageCheck& check) {
  const auto known = [&](const std::string& run) {
    return std::ranges::find(request.runs, run, &std::pair<std::string, std::string>::first) != request.runs.end();
  };
  for (const auto& [name, numbers] : store) {
    if (!known(name.first)) continue;
    const auto found = page.find(name);
    if (found == page.end()) {
      check.differences.push_back({name.first, name.second, "", std::nullopt, std::nullopt});
      continue;
    }
    for (std::size_t i = 0; i < numbers.size() && i < kFields.size(); ++i) {
      ++check.numbers;
      const std::optional<double> other = i < found->second.size() ? found->second[i] : std::nullopt;
      if (other != numbers[i]) {
        check.differences.push_back({name.first, name.second, std::string(kFields[i]), other, numbers[i]});
      }
    }
  }
  for (const auto& [name, numbers] : page) {
    if (!store.contains(name)) check.differences.push_back({name.first, name.second, "", std::nullopt, std::nullopt});
  }
}

// The section that a byte is in.
std::string part_at(std::string_view html, std::size_t byte) {
  constexpr std::string_view kSection = "<section id=\"", kData = "<script type=\"application/json\"";
  if (html.substr(0, byte).rfind(kData) != std::string_view::npos) return "data and scripts";
  const std::size_t at = html.substr(0, byte).rfind(kSection);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + kSection.size();
  return std::string(html.substr(from, html.find('"', from) - from));
}

std::vector<std::string> changes(const PageRequest& was, const PageRequest& is) {
  std::vector<std::string> all;
  if (was.options.version != is.options.version) all.push_back("the program: the page is of " + was.options.version);
  if (was.content != is.content) all.push_back("the texts of the dataset");
  if (was.judge_version != is.judge_version) all.push_back("the judge: the page is of version " + was.judge_version);
  for (const auto& [run, content] : was.runs) {
    const auto now = std::ranges::find(is.runs, run, &std::pair<std::string, std::string>::first);
    if (now == is.runs.end()) {
      all.push_back(fmt::format("the run {} is gone", run));
    } else if (now->second != content) {
      all.push_back(fmt::format("the texts of the run {}", run));
    }
  }
  for (const auto& [run, content] : is.runs) {
    const auto before = std::ranges::find(was.runs, run, &std::pair<std::string, std::string>::first);
    if (before == was.runs.end()) all.push_back(fmt::format("the run {} is new", run));
  }
  return all;
}

}  // namespace

PageCheck verify_page(storage::Store& store, std::string_view html, const std::string& version) {
  const std::optional<Json> data = data_of_page(html);
  const Json* const asked = data ? data->find("request") : nullptr;
  const std::optional<PageRequest> request = asked != nullptr ? request_from(*asked) : std::nullopt;
  if (!request) {
    throw Error(Code::kBadInput, "this is no page of residue report --html, or its data are damaged",
                "name the file that residue report --html wrote");
  }
  const verbs::ReleaseOptions wanted = release_options(*request);
  const verbs::Release release = verbs::release(store, wanted);
  const std::string again = release_page(release, wanted, request->options);
  PageCheck check;
  PageOptions now = request->options;
  now.version = version;
  check.changed = changes(*request, request_of(release, wanted, now));
  const auto [page, made] = std::ranges::mismatch(html, again);
  check.same = page == html.end() && made == again.end();
  check.first_byte = static_cast<std::size_t>(page - html.begin());
  if (!check.same) check.part = part_at(html, check.first_byte);
  compare(rows_of(html), rows_of(again), *request, check);
  return check;
}

}  // namespace residue::page
