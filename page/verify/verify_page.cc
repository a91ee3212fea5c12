#include "page/verify/verify_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "query/inputs/protocol.h"

namespace residue::page {
namespace {

// A run that came since has rows that the page cannot have: changes() says so once.
PageRows without_new_runs(PageRows rows, const PageRequest& request) {
  std::erase_if(rows, [&](const auto& row) {
    return std::ranges::find(request.runs, row.first.first, &std::pair<std::string, std::string>::first) ==
           request.runs.end();
  });
  return rows;
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

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> changes(const PageRequest& was, const PageRequest& is) {
  std::vector<std::string> all;
  if (was.options.version != is.options.version) all.push_back("the program: the page is of " + was.options.version);
  if (was.content != is.content) all.push_back("the texts of the dataset");
  if (was.judge_version != is.judge_version) all.push_back("the judge: the page is of version " + was.judge_version);
  if (was.validation != is.validation) all.emplace_back("what people's labels say of the judge");
  if (was.categorizer != is.categorizer) all.emplace_back("who said what claims are about");
  if (was.intruders != is.intruders) {
    all.emplace_back("the intruder test: people answered since, outcomes were read, or attempts are gone");
  }
  for (const std::string& attacker : is.attackers) {
    if (!contains(was.attackers, attacker)) all.push_back("the attacker " + attacker + " was evaluated since");
  }
  for (const std::string& attacker : was.attackers) {
    if (!contains(is.attackers, attacker)) all.push_back("the attacker " + attacker + " is gone, or has other seeds");
  }
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
  limit_request(*request);
  verbs::ReleaseOptions wanted;
  try {
    wanted = release_options(*request);
    static_cast<void>(query::parse_protocols(request->protocol));
  } catch (const Error& error) {
    throw Error(Code::kBadInput, std::string("what the page was asked for is damaged: ") + error.what(),
                "name the file that residue report --html wrote");
  }
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
  check.differences = differences(rows_of_page(html), without_new_runs(rows_of_page(again), *request), check.numbers);
  return check;
}

}  // namespace residue::page
