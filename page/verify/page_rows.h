// The numbers of a page: as they stand in its table, and as its contributions add up to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "query/report/report.h"
#include "verbs/release/proof.h"

namespace residue::page {

// By run and metric: value, low, high, n, failed, missing, if_leaked, if_private. Of a damaged row there may be fewer.
// What people read otherwise than it is stored, and a row that is there twice, is no number (NaN).
using PageRows = std::map<std::pair<std::string, std::string>, std::vector<std::optional<double>>>;

// The names of these columns, in their order.
const std::vector<std::string>& row_fields();

PageRows rows_of_page(std::string_view html);

// The contributions in the data of a page. Nothing where there are none, or they are damaged.
std::optional<verbs::Proof> proof_of_data(const Json& data);

// What they add up to, with query::Aggregate; by run and metric. Cost: 1,000 replicates of every number.
using ProvenValues = std::map<std::pair<std::string, std::string>, query::MetricValue>;
ProvenValues values_of(const verbs::Proof& proof, bool drop);

PageRows rows_of(const ProvenValues& values);

// A number that two sides have otherwise.
struct RowDifference {
  std::string run, metric, field;  // "value", "low" ...; empty: the row is on one side only
  std::optional<double> page, other;
};

// A row that one side lacks is a difference, too. `compared` grows by the numbers that were compared.
std::vector<RowDifference> differences(const PageRows& page, const PageRows& other, std::uint64_t& compared);

}  // namespace residue::page
