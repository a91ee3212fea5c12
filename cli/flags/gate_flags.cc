#include "cli/flags/gate_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "text/characters/markup.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

// An attribute in one line: XML 1.0 has no control characters, however written.
std::string escaped(std::string_view words) {
  return text::escape_markup(text::escape_controls(words, text::Breaks::kEscape));
}

void write_file(const std::string& name, const std::string& bytes) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file << bytes;
  file.close();
  if (!file) throw Error(Code::kIo, "--junit: cannot write " + name, "name a file in a folder that can be written");
}

std::string words_of(const query::GateResult& result) {
  if (!result.value) return result.reason;
  return fmt::format("is {}{}", real_text(*result.value), result.uncovered ? ", but " + result.reason : std::string());
}

// Under which attacker a gate was held, or whose answers it was held against; empty: of none.
std::string place_of(const query::GateResult& result) {
  if (!result.protocol.empty()) return " under " + result.protocol;
  return result.judge.empty() ? "" : " by " + result.judge;
}

}  // namespace

void GateFlags::add_to(Syntax& syntax) {
  syntax.repeated("--fail-if", conditions,
                  "exit with 1 if this holds, for example 'semantic_distance < 0.5' or 'delta(leak_rate, RUN) > 0'");
  syntax.repeated("--min-coverage", min_coverage,
                  "a gate passes only if at least this share of the records has a value (0.9); METRIC=SHARE sets it "
                  "for one metric");
  syntax.add("--junit", junit, "also write the gates to this file, as JUnit XML for CI");
  less_precise.add_to(syntax);
}

verbs::Gates GateFlags::gates() const {
  verbs::Gates all;
  std::vector<query::Gate>& gates = all.gates;
  for (const std::string& condition : conditions) gates.push_back(query::parse_gate(condition));
  all.min_coverage = query::parse_min_coverage(min_coverage);
  if (gates.empty() && !min_coverage.empty()) {
    throw Error(Code::kUsage, "--min-coverage without a gate", "--fail-if 'linkage_rate > 0.05' --min-coverage 0.5");
  }
  if (gates.empty() && !junit.empty()) {
    throw Error(Code::kUsage, "--junit without a gate", "--fail-if 'semantic_distance < 0.5' --junit FILE");
  }
  if (junit == "-") {
    throw Error(Code::kUsage, "--junit -: the results already go to standard output", "name a file for the gates");
  }
  less_precise.read(gates);
  return all;
}

Json gates_json(const std::vector<query::GateResult>& results) {
  Json json = Json::array();
  for (const query::GateResult& result : results) {
    json.push_back({{"gate", result.gate},
                    {"dataset", result.dataset},
                    {"run", result.run},
                    {"protocol", result.protocol},
                    {"judge", result.judge},
                    {"value", result.value},
                    {"coverage", result.coverage},
                    {"labelled", result.labelled},
                    {"limit", result.limit},
                    {"passed", !result.failed},
                    {"failed", result.failed},
                    {"reason", result.failed ? Json(result.reason) : Json(nullptr)}});
  }
  return json;
}

std::string gates_junit(const std::vector<query::GateResult>& results) {
  const auto failed = std::count_if(results.begin(), results.end(), [](const auto& result) { return result.failed; });
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format(
      "<testsuites tests=\"{0}\" failures=\"{1}\">\n"
      "  <testsuite name=\"residue gates\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" skipped=\"0\">\n",
      results.size(), failed);
  for (const query::GateResult& result : results) {
    xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(result.dataset + "/" + result.run),
                       escaped(fmt::format("{}{}{}", result.gate, place_of(result),
                                           result.protocol.empty() ? "" : " by " + result.judge)));
    xml += result.failed ? fmt::format(">\n      <failure type=\"gate\" message=\"{}\"/>\n    </testcase>\n",
                                       escaped(words_of(result)))
                         : std::string("/>\n");
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

int report_gates(const Context& context, const GateFlags& flags, const std::vector<query::GateResult>& results) {
  if (!flags.junit.empty()) write_file(flags.junit, gates_junit(results));
  int failed = 0;
  const double few = query::MinCoverage().all;  // as coverage is asked for
  for (const query::GateResult& result : results) {
    if (!result.failed && result.labelled.value_or(1) < few) {
      context.out.note(
          fmt::format("warning: {} is of {} % of the records of {}: the others have no label or answer of its kind",
                      result.gate, std::floor(*result.labelled * 1000) / 10, result.run));
    }
    if (!result.failed) continue;
    ++failed;
    context.out.insist(
        fmt::format("gate failed: {} {} for run {}{}", result.gate, words_of(result), result.run, place_of(result)));
  }
  if (failed == 0 && !results.empty())
    context.out.note(fmt::format("{} {} passed", results.size(), results.size() == 1 ? "gate" : "gates"));
  return failed == 0 ? 0 : static_cast<int>(Code::kGateFailed);
}

}  // namespace residue::cli
