#include "page/verify/remade.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "page/release/page_facts.h"
#include "page/release/page_request.h"
#include "page/release/release_page.h"
#include "page/verify/gate_rows.h"

namespace residue::page {
namespace {

// The bytes of a part, the tags around it among them; what stands between two parts belongs to the first.
struct Part {
  std::string name;
  std::string_view bytes;
};

std::vector<Part> parts_of(std::string_view html) {
  constexpr std::string_view kSection = "<section id=\"";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers = {
      {{"<style>", "style"},
       {"</style>", "what stands above all parts"},
       {"<script type=\"application/json\" id=\"data\">", "data"},
       {"<script>", "scripts"}}};
  std::vector<std::pair<std::size_t, std::string>> begins = {{0, "the head and its policy"}};
  for (const auto& [begin, name] : kOthers) {
    const std::size_t at = html.find(begin, begins.back().first);
    if (at == std::string_view::npos) continue;
    if (name == "data") {
      for (std::size_t of = html.find(kSection); of < at; of = html.find(kSection, of + 1)) {
        const std::size_t from = of + kSection.size();
        begins.emplace_back(of, std::string(html.substr(from, html.find('"', from) - from)));
      }
    }
    begins.emplace_back(at, std::string(name));
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1].first : html.size();
    parts.push_back({begins[i].second, html.substr(begins[i].first, end - begins[i].first)});
  }
  return parts;
}

std::vector<std::string> other_parts(std::string_view page, std::string_view made) {
  if (page == made) return {};
  const std::vector<Part> of = parts_of(page), should = parts_of(made);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Part& part : should) {
    const auto same = [&](const Part& other) { return other.name == part.name && other.bytes == part.bytes; };
    if (std::ranges::none_of(of, same)) add(part.name);
  }
  for (const Part& part : of) {
    const bool known = std::ranges::find(should, part.name, &Part::name) != should.end();
    if (!known) add("a part that the page does not have");
  }
  if (names.empty()) names.emplace_back("the order of its parts, or one that is there twice");
  return names;
}

// Rates that stand beside what people said, and are not what single records contribute: those by the judge beside the
// corrected ones, the machine's in an intruder test of this attacker. They are added up in another order: the last
// digits may differ.
std::vector<std::string> other_rates(const verbs::Release& release, const ProvenValues& values, bool drop) {
  constexpr double kSame = 1e-9;
  std::vector<std::string> others;
  const auto look = [&](const std::string& run, query::MetricId metric, const std::optional<double>& said,
                        std::string_view whose) {
    const std::string name(query::definition(metric).name);
    const auto found = values.find({run, name});
    if (found == values.end() || !said || !found->second.value) return;
    if (std::abs(*said - *found->second.value) > kSame) {
      others.push_back(name + " of " + run + " (" + std::string(whose) + "): its records give another number");
    }
  };
  if (release.corrected) {
    for (const query::CorrectedRate& one : release.corrected->runs) {
      look(one.run, query::MetricId::kLeakRate, one.observed, "judge");
    }
  }
  for (const verbs::ReleasedRun& run : release.runs) {
    for (const verbs::ReleasedTest& test : run.tests) {
      const bool same = test.protocol == release.report().spec.name() && test.sample == release.report().sample;
      // An intruder test counts what failed as found, whatever the page does.
      if (drop || !same || !test.report || test.report->stale) continue;
      look(run.card.run, query::MetricId::kLinkageRatePerson, test.report->machine_all_person.value, "intruder test");
      look(run.card.run, query::MetricId::kLinkageRate, test.report->machine_all_own.value, "intruder test");
    }
  }
  return others;
}

}  // namespace

std::string_view only_the_store() {
  return "worst persons and records, distances, categories, other attackers, numbers without contributions, what was "
         "not tested, what people found and said, the judge, names and settings of runs";
}

Remade remade(std::string_view html) {
  Remade check;
  const std::optional<Json> data = data_of_page(html);
  const Json* const asked = data ? data->find("request") : nullptr;
  const std::optional<PageRequest> request = asked != nullptr ? request_from(*asked) : std::nullopt;
  if (!request) return check;
  limit_request(*request);
  check.version = request->options.version;
  const auto proof = proof_of_data(*data);
  if (!proof) return check;
  check.computed = true;
  const ProvenValues values = values_of(*proof, request->drop);
  check.differences = differences(rows_of_page(html), rows_of(values), check.numbers);
  try {
    const verbs::Release release = release_of(*data, *request, *proof, values);
    const verbs::ReleaseOptions wanted = release_options(*request);
    check.parts = other_parts(html, release_page(release, wanted, request->options));
    check.contradictions = contradictions(release, wanted, values, check.believed);
    for (std::string& rate : other_rates(release, values, request->drop)) check.contradictions.push_back(std::move(rate));
    check.gates = release.result.gates.size();
    check.made = true;
  } catch (const JsonError&) {
    check.made = false;
  } catch (const Error& error) {  // a gate or an attacker that cannot be read
    if (error.code() != Code::kUsage) throw;
    check.made = false;
  }
  return check;
}

}  // namespace residue::page
