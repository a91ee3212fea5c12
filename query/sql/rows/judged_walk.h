// The claims of a run's records as one judge rated them against what one attacker found, record after record.
//
//   link ──> record, its own variant, what the attacker knew, scores ──> its claims ──> their judgments, read together
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/rows/inner_statement.h"

namespace residue::query {

struct JudgedClaim {
  std::int64_t n = 0, text = 0;
  std::int64_t rating = 0;
  bool known = false;  // to the attacker
  std::optional<std::string> category;
};

// What the claims of one record share.
struct JudgedRecord {
  std::string key;
  std::int64_t linked = 0;   // the record that was found; of a synthetic run the variant
  std::int64_t passage = 0;  // its text
  bool right = false;        // it is the record's own
  bool counts = true;        // as the view judgments says
};

struct JudgedOf {
  std::int64_t run = 0, protocol = 0, judge = 0;
  bool only_leaks = false;              // what the attacker learned
  bool categories = true;               // false: nobody looks at JudgedClaim::category
  bool scores = true;  // false: a record counts where it has a text of its own, whatever its scores say
  std::optional<std::string_view> key;  // one record; nothing: all
};

// Statements are prepared once; a walk can begin as often as is wanted. Functions return SQLite's codes and throw
// Error{corrupt} for scores that are none.
class JudgedWalk {
 public:
  int begin(sqlite3* db, const JudgedOf& of);
  int next();

  [[nodiscard]] bool at_end() const { return end_; }
  [[nodiscard]] const JudgedClaim& claim() const { return claims_here_[at_]; }
  [[nodiscard]] const JudgedRecord& record() const { return record_; }
  [[nodiscard]] bool synthetic() const { return kind_ == Kind::kSynthetic; }

 private:
  enum class Kind { kAligned, kSynthetic, kNone, kOther };
  struct Pair {
    std::int64_t text, request;
    std::size_t place;  // in claims_here_
  };

  int open(sqlite3* db);
  int read_case(bool& found);
  int read_record(bool& more);
  int read_passage(std::int64_t record, std::int64_t linked);
  int read_counts(std::int64_t record);
  int read_claims(std::int64_t record);
  int read_ratings();
  int read_ratings_one_by_one();
  int add_pair(std::int64_t record, std::size_t place);

  JudgedOf of_;
  Kind kind_ = Kind::kOther;
  std::int64_t dataset_ = 0, auxiliary_ = 0, claim_set_ = 0, together_ = 1;
  std::int64_t evaluation_ = 0;  // 0: there is none
  std::int64_t applies_ = -1;    // the metric that is not applicable to records that do not count

  bool end_ = true;
  std::size_t at_ = 0;
  JudgedRecord record_;
  std::int64_t own_text_ = 0;  // of the record's own variant; 0: none
  bool has_passage_ = false, has_own_ = false;
  std::vector<JudgedClaim> claims_here_;
  std::vector<std::int64_t> known_;
  std::vector<Pair> pairs_;  // that the judge rates, in order

  InnerStatement case_rows_, record_by_key_, links_, variant_of_record_, variant_, text_of_record_, request_,
      judgments_, judgment_;
  RowsByRecord records_, variants_, queries_, scored_, claims_;
};

}  // namespace residue::query
