// Published figures beside ours: how they read.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "query/study/published.h"

namespace residue::cli {

// The tables of ours that papers print figures for: "adversarial, agreement, ...".
std::string tables_with_figures();

// "FSP", "FSP WildChat": short enough for a column of names; `several`: papers' datasets that have rows.
std::string short_source(const query::PublishedRow& row, bool several);

// {"paper","version","source","dataset","row","figures":{KEY:{"value","std"}}}
Json reference_json(const query::PublishedRow& row);

// A line for each source among `rows`: "FSP: A False Sense of Privacy (arXiv v2), Table 8 ...".
std::vector<std::string> reference_notes(const std::set<const query::PublishedRow*>& rows);

}  // namespace residue::cli
