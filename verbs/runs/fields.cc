#include "verbs/runs/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/natural.h"
#include "base/nearest.h"

namespace residue::verbs {
namespace {

using Of = RunField::Of;

struct Plain {
  std::string_view name;
  Of of;
};

constexpr auto kPlain = std::to_array<Plain>({{"tag", Of::kTag},
                                              {"run", Of::kRun},
                                              {"dataset", Of::kDataset},
                                              {"kind", Of::kKind},
                                              {"sanitizer", Of::kSanitizer},
                                              {"group", Of::kGroup},
                                              {"seed", Of::kSeed},
                                              {"made", Of::kMade}});
constexpr std::string_view kParam = "param.";
constexpr std::array<std::string_view, 8> kNumbers = {"value",  "low",     "high",     "n",
                                                      "failed", "missing", "coverage", "not_applicable"};

// METRIC[.PART][.NUMBER]
std::optional<RunField> metric_field(std::string_view name) {
  RunField field;
  field.name = std::string(name);
  field.of = Of::kMetric;
  field.number = "value";
  std::string_view rest = name;
  const std::size_t dot = rest.find('.');
  const auto metric = query::find_metric(rest.substr(0, dot));
  if (!metric) return std::nullopt;
  field.metric = *metric;
  const query::MetricDefinition& about = query::definition(*metric);
  if (about.kind == query::Kind::kHistogram) return std::nullopt;
  rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  const std::size_t last = rest.rfind('.');
  const std::string_view end = last == std::string_view::npos ? rest : rest.substr(last + 1);
  if (std::ranges::find(kNumbers, end) != kNumbers.end()) {
    field.number = std::string(end);
    rest = last == std::string_view::npos ? std::string_view() : rest.substr(0, last);
  }
  field.part = std::string(rest);
  if (field.part.empty()) {
    return about.cuts == query::Cuts::kOnly ? std::nullopt : std::optional(field);
  }
  const bool outcome = field.part == "right" || field.part == "wrong" || field.part == "not_linked";
  if (outcome && about.split) return field;
  return about.cuts == query::Cuts::kNone ? std::nullopt : std::optional(field);
}

RunValue number_or_text(const std::string& word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && std::isfinite(number)) return number;
  return word;
}

template <class T>
RunValue maybe(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::is_same_v<T, std::string>) {
    return *value;
  } else {
    return static_cast<double>(*value);
  }
}

RunValue number_of(const RunField& field, const query::MetricValue& value) {
  if (field.number == "value") return maybe(value.value);
  if (field.number == "low") return maybe(value.low);
  if (field.number == "high") return maybe(value.high);
  if (field.number == "n") return value.n;
  if (field.number == "failed") return value.failed;
  if (field.number == "missing") return value.missing;
  if (field.number == "not_applicable") return value.not_applicable;
  return maybe(value.coverage);
}

}  // namespace

RunFields::RunFields(const std::vector<RunFacts>& runs) {
  for (const RunFacts& run : runs) {
    for (const auto& [name, value] : run.params) params_.insert(name);
  }
}

std::optional<RunField> RunFields::find(std::string_view name) const {
  RunField field;
  field.name = std::string(name);
  if (name == "tags") name = "tag";
  for (const Plain& one : kPlain) {
    if (one.name != name) continue;
    field.of = one.of;
    return field;
  }
  if (name.starts_with(kParam)) {
    field.of = Of::kParam;
    field.param = std::string(name.substr(kParam.size()));
    if (!params_.contains(field.param)) return std::nullopt;
    return field;
  }
  return metric_field(name);
}

std::string RunFields::suggestion(std::string_view name) const {
  if (params_.contains(name)) return fmt::format("; did you mean \"{}{}\"?", kParam, name);
  if (const auto metric = query::find_metric(name.substr(0, name.find('.')))) {
    const query::MetricDefinition& about = query::definition(*metric);
    if (about.cuts == query::Cuts::kOnly) return fmt::format("; it has parts only: {}.PART", about.name);
    return fmt::format("; {} has no such part", about.name);
  }
  std::vector<std::string> known;
  for (const Plain& one : kPlain) known.emplace_back(one.name);
  for (const std::string& param : params_) known.push_back(std::string(kParam) + param);
  for (const auto& metric : query::metric_definitions()) known.emplace_back(metric.name);
  return did_you_mean(name, known);
}

std::string RunFields::list() const {
  std::vector<std::string> names;
  for (const Plain& one : kPlain) names.emplace_back(one.name);
  for (const std::string& param : params_) names.push_back(std::string(kParam) + param);
  return fmt::format("{}", fmt::join(names, ", "));
}

RunField RunFields::require(std::string_view where, std::string_view name) const {
  if (auto field = find(name)) return *std::move(field);
  throw Error(Code::kUsage, fmt::format("{}: runs have no \"{}\"{}", where, name, suggestion(name)),
              fmt::format("{}, and metrics (residue help terms)", list()));
}

const query::MetricValue* metric_value(const RunField& field, const query::ReportRun* numbers) {
  if (!field.of_metric() || numbers == nullptr) return nullptr;
  const auto found = numbers->metrics.find(field.metric);
  if (found == numbers->metrics.end()) return nullptr;
  const query::ReportMetric& metric = found->second;
  if (field.part.empty()) return &metric.all;
  if (field.part == "right" && metric.right) return &*metric.right;
  if (field.part == "wrong" && metric.wrong) return &*metric.wrong;
  if (field.part == "not_linked" && metric.not_linked) return &*metric.not_linked;
  const auto cut = metric.cuts.find(field.part);
  return cut == metric.cuts.end() ? nullptr : &cut->second;
}

RunValue value_of(const RunField& field, const RunFacts& run, const query::ReportRun* numbers) {
  switch (field.of) {
    case Of::kTag:
      return run.tags.empty() ? RunValue() : RunValue(fmt::format("{}", fmt::join(run.tags, ", ")));
    case Of::kRun:
      return run.run;
    case Of::kDataset:
      return run.dataset;
    case Of::kKind:
      return run.kind;
    case Of::kSanitizer:
      return maybe(run.sanitizer);
    case Of::kGroup:
      return maybe(run.group);
    case Of::kSeed:
      return maybe(run.seed);
    case Of::kMade:
      return RunTime{run.created_at};
    case Of::kParam: {
      const auto found = run.params.find(field.param);
      return found == run.params.end() ? RunValue() : number_or_text(found->second);
    }
    case Of::kMetric:
      break;
  }
  const query::MetricValue* value = metric_value(field, numbers);
  return value == nullptr ? RunValue() : number_of(field, *value);
}

bool comes_before(const RunValue& a, const RunValue& b) {
  const auto nothing = [](const RunValue& value) { return std::holds_alternative<std::monostate>(value); };
  if (nothing(a) || nothing(b)) return !nothing(a) && nothing(b);
  const auto number = [](const RunValue& value) -> std::optional<double> {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* time = std::get_if<RunTime>(&value)) return static_cast<double>(time->ms);
    return std::nullopt;
  };
  const auto x = number(a), y = number(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return natural_key(std::get<std::string>(a)) < natural_key(std::get<std::string>(b));
}

}  // namespace residue::verbs
