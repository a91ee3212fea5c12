#include "page/verify/page_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "numbers/stats/bootstrap.h"
#include "page/html/document.h"
#include "page/release/words.h"
#include "query/metric/aggregate.h"
#include "query/metric/metrics.h"
#include "query/stored/stored_scores.h"
#include "verbs/release/proof.h"

namespace residue::page {
namespace {

using query::Aggregate;
using query::Clusters;
using query::Contribution;

std::string attribute(std::string_view element, std::string_view name) {
  const std::string begin = fmt::format(" {}=\"", name);
  const std::size_t at = element.find(begin);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + begin.size();
  return std::string(element.substr(from, element.find('"', from) - from));
}

constexpr std::size_t kFirstCount = 3, kCounts = 3;  // n, failed, missing among row_fields()

// Little-endian, as page_data.cc writes them.
template <class Number>
std::vector<Number> numbers_of(const Json& base64) {
  const std::string bytes = from_base64(base64.get<std::string>()).value_or("");
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < numbers.size() * sizeof(Number); ++i) {
    const auto byte = static_cast<Number>(static_cast<unsigned char>(bytes[i]));
    numbers[i / sizeof(Number)] |= static_cast<Number>(byte << (8 * (i % sizeof(Number))));
  }
  return numbers;
}

constexpr std::int64_t kMostOfARecord = 1 << 24;  // claims
constexpr double kMostInAll = 4.6e18 / 2385 / 2;  // with the greatest weight, a sum stays below 2^62

// Throws JsonError for what no record contributes: sums of it would wrap.
Contribution contribution_of(const Json& row, const query::MetricDefinition& metric) {
  const auto number = [&](std::size_t i, std::int64_t least, std::int64_t most) {
    const auto value = row.at(i).get<std::int64_t>();
    if (value < least || value > most) throw JsonError("no record contributes that");
    return value;
  };
  const bool one = metric.kind == query::Kind::kMean || metric.kind == query::Kind::kShare;
  const std::int64_t most = metric.kind == query::Kind::kMean ? query::kOne : one ? 1 : kMostOfARecord;
  Contribution c;
  c.metric = metric.id;
  c.state = static_cast<query::State>(number(0, 0, static_cast<int>(query::State::kNotApplicable)));
  c.num = number(1, -most, most);
  c.den = number(2, 0, one ? 1 : kMostOfARecord);
  c.best = number(3, -most, most);
  return c;
}

verbs::ProvenMetric metric_from(const Json& metric, std::size_t records) {
  const auto id = query::find_metric(metric.at("metric").string());
  if (!id || std::ranges::find(verbs::proven_metrics(), *id) == verbs::proven_metrics().end()) {
    throw JsonError("no metric that has contributions");
  }
  std::vector<Contribution> table;
  for (const Json& row : metric.at("table")) table.push_back(contribution_of(row, query::definition(*id)));
  std::vector<std::uint32_t> places;
  if (metric.at("wide").get<bool>()) {
    places = numbers_of<std::uint32_t>(metric.at("at"));
  } else {
    for (const std::uint8_t place : numbers_of<std::uint8_t>(metric.at("at"))) places.push_back(place);
  }
  if (places.size() != records) throw JsonError("units and contributions differ");
  verbs::ProvenMetric proven{*id, {}};
  double in_all = 0;
  for (const std::uint32_t place : places) {
    if (place >= table.size()) throw JsonError("no such contribution");
    const Contribution& c = table[place];
    in_all += static_cast<double>(std::max({std::abs(c.num), std::abs(c.best), c.den}));
    if (in_all > kMostInAll) throw JsonError("more than any store has");
    proven.contributions.push_back(c);
  }
  return proven;
}

struct Summed {
  Aggregate sums;
  Clusters clusters;
};

query::MetricValue finished(const query::MetricDefinition& metric, const Summed& one, const Summed* whole,
                            bool independent, bool drop) {
  query::Whole rate;
  if (whole != nullptr) rate = {&whole->sums, [&]() -> const Clusters& { return whole->clusters; }, true};
  const query::MetricRow row = one.sums
                                   .finish(
                                       independent, [&]() -> const Clusters& { return one.clusters; }, rate)
                                   .front();
  query::MetricValue of;
  of.value = drop ? row.drop_value : row.value;
  of.low = drop ? row.drop_low : row.low;
  of.high = drop ? row.drop_high : row.high;
  of.n = static_cast<double>(row.n);
  of.failed = static_cast<double>(row.failed);
  of.missing = static_cast<double>(row.missing);
  of.not_applicable = static_cast<double>(row.not_applicable);
  of.coverage = query::coverage_of(metric, of.n, of.failed, of.missing, of.not_applicable);
  of.if_leaked = row.if_leaked;
  of.if_private = row.if_private;
  return of;
}

}  // namespace

const std::vector<std::string>& row_fields() {
  static const std::vector<std::string> kFields = {"value",  "low",     "high",      "n",
                                                   "failed", "missing", "if_leaked", "if_private"};
  return kFields;
}

PageRows rows_of_page(std::string_view html) {
  PageRows rows;
  constexpr std::string_view kRow = "<tr data-run=\"", kCell = "<td class=\"number\" data-value", kEnd = "</tr>";
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // equals no number
  for (std::size_t at = html.find(kRow); at != std::string_view::npos; at = html.find(kRow, at + 1)) {
    const std::string_view row = html.substr(at, html.find(kEnd, at) - at);
    const std::string run = attribute(row, "data-run"), metric = attribute(row, "data-metric");
    auto& numbers = rows[{run, metric}];
    if (!numbers.empty()) numbers.front() = kNone;  // the row twice
    // What people read is what is compared.
    const std::string heading = fmt::format("<th scope=\"row\">{}</th>\n<td>{}</td>\n", run, metric);
    const bool named = row.find(heading) != std::string_view::npos;
    for (std::size_t cell = row.find(kCell); cell != std::string_view::npos; cell = row.find(kCell, cell + 1)) {
      const std::size_t begin = row.find('>', cell);
      const std::string words = attribute(row.substr(cell, begin - cell), "data-value");
      double value = 0;
      const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
      const bool whole = error == std::errc() && end == words.data() + words.size();
      const std::optional<double> exact = whole ? std::optional(value) : std::nullopt;
      const bool counts = numbers.size() >= kFirstCount && numbers.size() < kFirstCount + kCounts;
      const std::string shown(row.substr(begin + 1, row.find("</td>", begin) - begin - 1));
      const bool told = named && shown == (counts && exact ? count(*exact) : number(exact));
      numbers.push_back(told ? exact : std::optional(kNone));
    }
  }
  return rows;
}

std::optional<verbs::Proof> proof_of_data(const Json& data) {
  const Json* const of = data.find("proof");
  if (of == nullptr) return std::nullopt;
  try {
    std::vector<std::vector<std::uint64_t>> units;
    for (const Json& list : of->at("units").elements()) units.push_back(numbers_of<std::uint64_t>(list));
    verbs::Proof proof;
    proof.independent = of->at("independent").get<bool>();
    for (const Json& run : of->at("runs").elements()) {
      verbs::RunProof& one = proof.runs.emplace_back();
      one.run = run.at("run").string();
      for (const Json& tier : run.at("tiers").elements()) {
        const auto list = tier.at("units").get<std::size_t>();
        if (list >= units.size()) return std::nullopt;
        verbs::ProvenTier& with = one.tiers.emplace_back();
        with.units = units[list];
        for (const Json& metric : tier.at("metrics").elements()) {
          with.metrics.push_back(metric_from(metric, with.units.size()));
        }
      }
    }
    return proof;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

ProvenValues values_of(const verbs::Proof& proof, bool drop) {
  numbers::DrawnWeights weights;
  ProvenValues values;
  for (const verbs::RunProof& run : proof.runs) {
    std::map<query::MetricId, Summed> metrics;
    for (const verbs::ProvenTier& tier : run.tiers) {
      for (const verbs::ProvenMetric& metric : tier.metrics) {
        Summed one{Aggregate(query::definition(metric.metric)), {}};
        for (std::size_t i = 0; i < metric.contributions.size(); ++i) {
          one.sums.add(metric.contributions[i], weights.of(tier.units[i]));
          one.clusters.add(metric.contributions[i], tier.units[i]);
        }
        metrics.emplace(metric.metric, std::move(one));
      }
    }
    for (const auto& [id, one] : metrics) {
      const auto whole_id = query::whole_of(id);
      const auto whole = whole_id ? metrics.find(*whole_id) : metrics.end();
      const query::MetricDefinition& metric = query::definition(id);
      values[{run.run, std::string(metric.name)}] =
          finished(metric, one, whole == metrics.end() ? nullptr : &whole->second, proof.independent, drop);
    }
  }
  return values;
}

PageRows rows_of(const ProvenValues& values) {
  PageRows rows;
  for (const auto& [name, of] : values) {
    rows[name] = {of.value, of.low, of.high, of.n, of.failed, of.missing, of.if_leaked, of.if_private};
  }
  return rows;
}

std::vector<RowDifference> differences(const PageRows& page, const PageRows& other, std::uint64_t& compared) {
  std::vector<RowDifference> all;
  for (const auto& [name, numbers] : other) {
    const auto found = page.find(name);
    if (found == page.end()) {
      all.push_back({name.first, name.second, "", std::nullopt, std::nullopt});
      continue;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ++compared;
      const std::optional<double> shown = i < found->second.size() ? found->second[i] : std::nullopt;
      if (shown != numbers[i]) all.push_back({name.first, name.second, row_fields()[i], shown, numbers[i]});
    }
  }
  for (const auto& [name, numbers] : page) {
    if (!other.contains(name)) all.push_back({name.first, name.second, "", std::nullopt, std::nullopt});
  }
  return all;
}

}  // namespace residue::page
