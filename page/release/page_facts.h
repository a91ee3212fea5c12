// What else stands on a page, as data: with the contributions and the request, all of the page is written again from
// it, without a store. Nothing is in it that the page does not show.
//
//   release ── facts_of ──> "facts" in the data of a page ── release_of ──> release ── release_page ──> the same page
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "page/release/page_request.h"
#include "verbs/release/release.h"

namespace residue::page {

// Numbers that the contributions give are not among it. `made_ms`: of the page, of which nothing is younger. Of a
// release without ids and texts.
Json facts_of(const verbs::Release& release, std::int64_t made_ms);

// Each gate as it was held: what it is about is the request's. All pages have them, their script compares them.
Json gates_of(const verbs::Release& release, const std::vector<std::string>& asked);

// The release that `data`, those of a page, and `proof`, what its contributions are, make: what release_page() needs
// of it. `values`: what the contributions add up to. Throws JsonError for what facts_of() and gates_of() do not write,
// and Error{usage} for attackers that cannot be read.
verbs::Release release_of(const Json& data, const PageRequest& request, const verbs::Proof& proof,
                          const std::map<std::pair<std::string, std::string>, query::MetricValue>& values);

}  // namespace residue::page
