// Is a page what its own data give? All of it is written again from them, by the code that writes pages, and compared
// byte by byte. No store is needed, and none is believed: who changes a page and its data alike, in numbers that no
// contributions are behind, is not found out.
//
//   contributions ── values_of ──┐
//   data of the page ────────────┴─ release_of ── release_page ──> the page that it should be ── parts that differ
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "page/verify/page_rows.h"

namespace residue::page {

struct Remade {
  bool computed = false;                   // whether its contributions could be read
  std::vector<RowDifference> differences;  // `page` stands in its table, `other` is computed from its contributions
  std::uint64_t numbers = 0;               // compared
  bool made = false;                       // whether its data are enough to write it again
  // That are not what its data give, in the order of the page: "gates", "style", "data", "scripts" ...
  std::vector<std::string> parts;
  // What the data say against themselves, in words: of gates, and of rates beside corrected ones.
  std::vector<std::string> contradictions;
  std::string version;       // of the program that made the page, as it says
  std::size_t gates = 0;     // rows
  std::size_t believed = 0;  // rows whose number has no contributions: its data are believed

  [[nodiscard]] bool fits() const {
    return computed && made && differences.empty() && parts.empty() && contradictions.empty();
  }
};

// What of a page only its store can confirm, in words: no contributions are behind it.
std::string_view only_the_store();

// Of any bytes. Throws Error{bad input} as limit_request().
Remade remade(std::string_view html);

}  // namespace residue::page
