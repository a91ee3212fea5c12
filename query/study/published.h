// The figures that the papers print, with their source, to be shown beside ours: facts as data (published.json).
//
//   table of ours, dataset, names of a run ── find_published ──> rows of the papers' tables
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace residue::query {

struct PublishedFigure {
  double value = 0;
  std::optional<double> deviation;  // as printed behind it: over seeds; of topic_distance over records
};

// One row of a paper's table, in our units: shares, not per cent.
struct PublishedRow {
  std::string table;                               // of ours: "metrics"
  std::string paper;                               // "FSP"
  std::string version;                             // of the paper: "arXiv v2"
  std::string source;                              // where in it: "Table 8"
  std::string dataset;                             // the paper's; empty: it has one only, or none
  std::string name;                                // as printed: "No Sanitization"
  std::map<std::string, PublishedFigure> figures;  // by a metric's id, and "ID/PART" of a part or of an attacker

  // "FSP (arXiv v2), Table 8, MedQA: No Sanitization"
  [[nodiscard]] std::string text() const;
};

// All of them, in the order of the file.
std::span<const PublishedRow> published_rows();

// The rows of a table of ours that one of `names` means: the printed name or another name of it, case and punctuation
// aside. Where the table has a dataset that `dataset` names (as a part of its own name) only of that one.
std::vector<const PublishedRow*> find_published(std::string_view table, std::string_view dataset,
                                                std::span<const std::string> names);

// The papers' titles by their short names.
const std::map<std::string, std::string>& published_titles();

}  // namespace residue::query
