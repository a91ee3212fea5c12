// Numbers and dates as a page has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "page/html/html.h"
#include "query/report/report.h"

namespace residue::page {

// "0.873"; "–" where there is none.
std::string number(const std::optional<double>& value);

// As it was typed: 0.7449, 13.
std::string as_given(double number);

// number(), with as many digits more as it needs to stand on its own side of `limit`.
std::string number_beside(const std::optional<double>& value, double limit);

// "[0.842, 0.901]"; empty where an end lacks.
std::string interval(const std::optional<double>& low, const std::optional<double>& high);

// "98.4 %"; "–" where there is none.
std::string percent(const std::optional<double>& share);

// "1 240"; of a mean of several seeds with one decimal.
std::string count(double number);

// "2026-11-28".
std::string day(std::int64_t at_ms);

// A cell with a number for people and, in the attribute data-value, to its last bit.
void number_cell(Html& html, const std::optional<double>& value, const std::string& shown);

// What a reader must be told of a share: the claims or records behind it, "61 of 70 claims".
std::string behind(const query::MetricValue& value, const std::string& units);

}  // namespace residue::page
