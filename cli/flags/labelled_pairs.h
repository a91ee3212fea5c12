// Pairs of claims and passages from JSON Lines or CSV, with what people said of them.
#pragma once

#include <string>
#include <vector>

#include "query/agree/calibration.h"

namespace residue::cli {

struct PairFile {
  std::vector<std::string> paths;  // "-" is standard input
  bool reversed = false;           // ratings are 3 same ... 1 unsupported
  std::string preset;              // "wice": {"label", "claim", "evidence": [...]}, a record is a claim
};

// {"claim", "passage", "rating"} and, if there, "record"; where "claim" is a reference into a store, its words are in
// "claim_text" and the record is that of the reference. Rows whose rating is null or absent are counted in `*open`. In
// CSV, that --csv=spreadsheet disarmed or not, an empty cell is an absent one.
// Throws Error{bad input} naming file and line.
std::vector<query::LabelledPair> read_labelled_pairs(const PairFile& file, std::size_t* open);

}  // namespace residue::cli
