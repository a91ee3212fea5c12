#include "page/release/page_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "page/release/parts.h"
#include "query/gates/gates.h"
#include "query/gates/min_coverage.h"
#include "query/people/intruder_lines.h"

namespace residue::page {
namespace {

constexpr std::size_t kMostRuns = 10'000, kMostWords = 10'000;  // words: letters of one name or gate
constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"data\">", kEnd = "</script>";

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json list = Json::array();
  for (const auto& [name, words] : pairs) list.push_back(Json::array({name, words}));
  return list;
}

std::vector<std::pair<std::string, std::string>> pairs_from(const Json& list) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : list) pairs.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  return pairs;
}

std::string test_state(const verbs::ReleasedTest& test) {
  if (!test.report) return "not evaluated any more";
  return query::attempts_words(*test.report) + (test.report->held ? ", held back" : "") +
         (test.report->readers.empty() ? "" : ", outcomes were read");
}

}  // namespace

bool packable(const PageRequest& request) { return request.proof && !request.keys && !request.texts; }

void limit_gates(std::size_t gates, Code code) {
  if (gates <= kMostGates) return;
  throw Error(code, fmt::format("{} gates: a page has at most {}", gates, kMostGates), "ask for fewer on one page");
}

void limit_request(const PageRequest& request) {
  limit_gates(request.gates.size(), Code::kBadInput);
  const auto refuse = [](std::string_view what) {
    throw Error(Code::kBadInput, fmt::format("the page asks for more {} than a page has", what),
                "name the file that residue report --html wrote");
  };
  if (request.coverages.size() > kMostGates) refuse("shares of records");
  if (request.runs.size() > kMostRuns) refuse("runs");
  if (request.attackers.size() > kMostRuns) refuse("attackers");
  std::size_t words = request.dataset.size() + request.protocol.size() + request.judge.size() + request.model.size();
  for (const auto* const list : {&request.gates, &request.coverages}) {
    for (const std::string& one : *list) words = std::max(words, one.size());
  }
  if (words > kMostWords) refuse("words");
}

PageRequest request_of(const verbs::Release& release, const verbs::ReleaseOptions& wanted, const PageOptions& options) {
  const query::Report& report = release.report();
  PageRequest request;
  request.dataset = report.dataset;
  request.protocol = report.spec.name();
  request.judge = report.judge;
  request.judge_version = report.judge_version;
  request.validation = report.validation.text;
  request.categorizer = report.categorizer;
  for (const query::Report& attack : release.attacks) {
    // Control linkers are evaluated beside every other one.
    if (!attack.spec.linker->control()) request.attackers.push_back(attacker_words(attack));
  }
  for (const verbs::ReleasedRun& run : release.runs) {
    for (const verbs::ReleasedTest& test : run.tests) {
      request.intruders.push_back(fmt::format("{}, {}: {}", run.card.run, test.protocol, test_state(test)));
    }
  }
  request.seeds = report.seeds;
  request.sample = report.sample;
  request.drop = report.missing == query::MissingPolicy::kDrop;
  request.less_precise_half = wanted.less_precise_half;
  request.model = wanted.what.model.value_or("");
  request.keys = wanted.keys;
  request.texts = wanted.texts;
  request.proof = wanted.proof;
  for (const query::Gate& gate : wanted.gates.gates) request.gates.push_back(gate.text);
  request.min_coverage = wanted.gates.min_coverage.all;
  for (const auto& [metric, share] : wanted.gates.min_coverage.metrics) {
    request.coverages.push_back(fmt::format("{}={}", query::definition(metric).name, share));
  }
  request.content = release.content;
  for (const verbs::ReleasedRun& run : release.runs) request.runs.emplace_back(run.card.run, run.content);
  request.options = options;
  return request;
}

verbs::ReleaseOptions release_options(const PageRequest& request) {
  verbs::ReleaseOptions wanted;
  wanted.what.dataset = request.dataset;
  wanted.what.protocols = request.protocol;
  wanted.what.judge = request.judge;
  wanted.what.seeds = request.seeds;
  if (request.drop) wanted.what.missing = query::MissingPolicy::kDrop;
  wanted.less_precise_half = request.less_precise_half;
  if (!request.model.empty()) wanted.what.model = request.model;
  wanted.keys = request.keys;
  wanted.texts = request.texts;
  wanted.proof = request.proof;
  for (const std::string& text : request.gates) {
    query::Gate gate = query::parse_gate(text);
    if (request.less_precise_half) gate.metric = query::half_for_less_precise(gate.metric);
    wanted.gates.gates.push_back(std::move(gate));
  }
  wanted.gates.min_coverage = query::parse_min_coverage(request.coverages);
  wanted.gates.min_coverage.all = request.min_coverage;
  return wanted;
}

Json to_json(const PageRequest& request) {
  Json json = {{"dataset", request.dataset},
               {"protocol", request.protocol},
               {"judge", request.judge},
               {"judge_version", request.judge_version},
               {"validation", request.validation},
               {"categorizer", request.categorizer},
               {"attackers", request.attackers},
               {"intruders", request.intruders},
               {"seeds", request.seeds},
               {"sample", request.sample},
               {"drop", request.drop},
               {"less_precise_half", request.less_precise_half},
               {"model", request.model},
               {"keys", request.keys},
               {"texts", request.texts},
               {"proof", request.proof},
               {"gates", request.gates},
               {"min_coverage", request.min_coverage},
               {"coverages", request.coverages},
               {"content", request.content},
               {"runs", pairs_json(request.runs)},
               {"version", request.options.version},
               {"made_ms", request.options.made_ms},
               {"context", pairs_json(request.options.context.fields)},
               {"threshold", request.options.context.threshold},
               {"threshold_source", request.options.context.threshold_source}};
  return json;
}

std::optional<PageRequest> request_from(const Json& json) {
  try {
    PageRequest request;
    request.dataset = json.at("dataset").get<std::string>();
    request.protocol = json.at("protocol").get<std::string>();
    request.judge = json.at("judge").get<std::string>();
    request.judge_version = json.at("judge_version").get<std::string>();
    request.validation = json.at("validation").get<std::string>();
    request.categorizer = json.at("categorizer").get<std::string>();
    request.attackers = json.at("attackers").get<std::vector<std::string>>();
    // A page of before it had any says nothing of them.
    if (json.contains("intruders")) request.intruders = json.at("intruders").get<std::vector<std::string>>();
    request.seeds = json.at("seeds").get<std::uint32_t>();
    request.sample = json.at("sample").get<std::uint64_t>();
    request.drop = json.at("drop").get<bool>();
    request.less_precise_half = json.at("less_precise_half").get<bool>();
    request.model = json.at("model").get<std::string>();
    if (request.seeds < 1 || request.seeds > kMostSeeds) return std::nullopt;
    request.keys = json.at("keys").get<bool>();
    request.texts = json.at("texts").get<bool>();
    request.proof = json.at("proof").get<bool>();
    request.gates = json.at("gates").get<std::vector<std::string>>();
    request.min_coverage = json.at("min_coverage").get<double>();
    request.coverages = json.at("coverages").get<std::vector<std::string>>();
    request.content = json.at("content").get<std::string>();
    request.runs = pairs_from(json.at("runs"));
    request.options.version = json.at("version").get<std::string>();
    request.options.made_ms = json.at("made_ms").get<std::int64_t>();
    request.options.context.fields = pairs_from(json.at("context"));
    if (const Json& threshold = json.at("threshold"); !threshold.is_null()) {
      request.options.context.threshold = threshold.get<double>();
    }
    request.options.context.threshold_source = json.at("threshold_source").get<std::string>();
    return request;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

std::optional<Json> data_of_page(std::string_view html) {
  const std::size_t at = html.find(kBegin);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t begin = at + kBegin.size();
  return Json::parse(html.substr(begin, html.find(kEnd, begin) - begin));
}

}  // namespace residue::page
