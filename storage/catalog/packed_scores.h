// What one record adds to all metrics of one evaluation, as one blob of `scored`: a row of its own for each of them was
// a fifth of what evaluating a run costs. The view `score` shows them as rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;

namespace residue::storage {

// The columns of the view `score` (schema.sql).
struct PackedScore {
  std::int64_t metric = 0;  // >= 0
  std::int64_t cut = 0;     // >= 0
  std::uint8_t slice = 0;   // below 4
  std::uint8_t state = 0;   // below 4
  std::int64_t num = 0, den = 0, best = 0;

  friend bool operator==(const PackedScore&, const PackedScore&) = default;
};

// In their order. About eight bytes each.
std::string pack_scores(std::span<const PackedScore> scores);

// Reads them one after the other; throws Error{corrupt} where the bytes are not of pack_scores().
class ScoreReader {
 public:
  explicit ScoreReader(std::string_view bytes) : rest_(bytes) {}

  // False at the end.
  bool next(PackedScore& score);

 private:
  std::string_view rest_;
};

// Makes the table-valued function packed_scores(BLOB) known, with the columns metric, cut, slice, state, num, den,
// best, and the function has_score(BLOB, metric, cut, state). Every connection needs it that reads the view `score`.
void attach_packed_scores(sqlite3* db);

}  // namespace residue::storage
