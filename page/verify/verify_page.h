// Is a page what the store says? The store makes the page again, and both are compared byte by byte.
//
//   page ── data ──> request ── release, release_page ──> the page that it should be ── differences
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "page/release/page_request.h"
#include "page/verify/page_rows.h"
#include "storage/store.h"

namespace residue::page {

struct PageCheck {
  bool same = false;                       // to the last byte
  std::size_t first_byte = 0;              // where they begin to differ; from 0
  std::string part;                        // in which part of the page: "criteria"; empty: before the first
  std::vector<RowDifference> differences;  // `other` is the store's; none: other words, or other places
  std::vector<std::string> changed;        // of what the page is about, in words: texts, judge, version of the program
  std::uint64_t numbers = 0;               // compared
};

// Throws Error{bad input} for a file that is no page of ours, or one of which the part that says what it was asked for
// is damaged; as verbs::release.
PageCheck verify_page(storage::Store& store, std::string_view html, const std::string& version);

}  // namespace residue::page
