#include "query/sql/rows/judged_walk.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "storage/catalog/packed_scores.h"

namespace residue::query {
namespace {

// run, protocol, judge -> the run's kind and dataset, auxiliary, claim set, claims per request, evaluation, the metric
// that says whether a record counts
constexpr char kCase[] =
    "SELECT u.kind, u.dataset_id, p.auxiliary_id, a.claim_set_id, j.claims_per_request, e.id, "
    "(SELECT f.id FROM main.metric_definition f WHERE f.name = 'semantic_distance') "
    "FROM main.run u CROSS JOIN main.protocol p CROSS JOIN main.auxiliary a ON a.id = p.auxiliary_id "
    "CROSS JOIN main.judge j LEFT JOIN main.evaluation e ON e.run_id = u.id AND e.tier = 'judge' "
    "AND e.protocol_id = p.id AND coalesce(e.judge_id, e.answer_set_id, e.embedder_id, 0) = j.id "
    "WHERE u.id = ?1 AND p.id = ?2 AND j.id = ?3";
constexpr char kRecordByKey[] = "SELECT id FROM main.record WHERE dataset_id = ?1 AND key = ?2";
constexpr char kLinks[] =
    "SELECT record_id, linked_id FROM main.link WHERE run_id = ?1 AND protocol_id = ?2 AND record_id BETWEEN ?3 AND ?4 "
    "ORDER BY record_id";
// The plus keeps SQLite from the index by key: they are wanted in order of ids.
constexpr char kRecords[] = "SELECT id, key, text_id FROM main.record WHERE +dataset_id = ?1 AND id >= ?2 ORDER BY id";
constexpr char kVariants[] =
    "SELECT record_id, text_id FROM main.variant WHERE run_id = ?1 AND record_id >= ?2 ORDER BY record_id";
constexpr char kQueries[] =
    "SELECT record_id, claims FROM main.auxiliary_query WHERE auxiliary_id = ?1 AND record_id >= ?2 ORDER BY record_id";
constexpr char kScored[] =
    "SELECT record_id, scores FROM main.scored WHERE evaluation_id = ?1 AND record_id >= ?2 ORDER BY record_id";
constexpr char kClaims[] =
    "SELECT record_id, n, text_id, category FROM main.claim WHERE claim_set_id = ?1 AND record_id >= ?2 "
    "ORDER BY record_id, n";
constexpr char kVariantOfRecord[] = "SELECT text_id FROM main.variant WHERE run_id = ?1 AND record_id = ?2";
constexpr char kVariant[] = "SELECT text_id FROM main.variant WHERE id = ?1";
constexpr char kTextOfRecord[] = "SELECT text_id FROM main.record WHERE id = ?1";
constexpr char kRequest[] =
    "SELECT request_id FROM main.claim_request WHERE claim_set_id = ?1 AND size = ?2 AND record_id = ?3 AND n = ?4";
constexpr char kJudgments[] =
    "SELECT claim_id, request_id, rating FROM main.judgment WHERE judge_id = ?1 AND passage_id = ?2 "
    "AND claim_id BETWEEN ?3 AND ?4 ORDER BY claim_id, request_id";
constexpr char kJudgment[] =
    "SELECT rating FROM main.judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 AND request_id = ?4";

constexpr std::uint8_t kNotApplicable = 3;  // PackedScore::state

// The numbers of "[1,5,9]".
void read_numbers(std::string_view json, std::vector<std::int64_t>& numbers) {
  numbers.clear();
  bool inside = false;
  for (const char c : json) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inside) numbers.push_back(0);
    if (digit) numbers.back() = numbers.back() * 10 + (c - '0');
    inside = digit;
  }
}

bool has_score(std::string_view scores, std::int64_t metric, std::uint8_t state) {
  storage::ScoreReader reader(scores);
  for (storage::PackedScore one; reader.next(one);) {
    if (one.metric == metric && one.cut == 0 && one.state == state) return true;
  }
  return false;
}

}  // namespace

int JudgedWalk::open(sqlite3* db) {
  for (const auto& [statement, sql] : {std::pair{&case_rows_, kCase},
                                       {&record_by_key_, kRecordByKey},
                                       {&links_, kLinks},
                                       {&variant_of_record_, kVariantOfRecord},
                                       {&variant_, kVariant},
                                       {&text_of_record_, kTextOfRecord},
                                       {&request_, kRequest},
                                       {&judgments_, kJudgments},
                                       {&judgment_, kJudgment}}) {
    if (const int code = statement->prepare(db, sql); code != SQLITE_OK) return code;
  }
  for (const auto& [rows, sql] : {std::pair{&records_, kRecords},
                                  {&variants_, kVariants},
                                  {&queries_, kQueries},
                                  {&scored_, kScored},
                                  {&claims_, kClaims}}) {
    if (const int code = rows->prepare(db, sql); code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

int JudgedWalk::read_case(bool& found) {
  if (const int code = case_rows_.begin({of_.run, of_.protocol, of_.judge}); code != SQLITE_OK) return code;
  const int code = case_rows_.next();
  found = code == SQLITE_ROW;
  if (!found) return code == SQLITE_DONE ? SQLITE_OK : code;
  const std::string_view kind = case_rows_.bytes(0);
  kind_ = kind == "aligned"     ? Kind::kAligned
          : kind == "synthetic" ? Kind::kSynthetic
          : kind == "none"      ? Kind::kNone
                                : Kind::kOther;
  dataset_ = case_rows_.integer(1);
  auxiliary_ = case_rows_.integer(2);
  claim_set_ = case_rows_.integer(3);
  together_ = case_rows_.integer(4);
  evaluation_ = case_rows_.integer(5);
  applies_ = case_rows_.is_null(6) ? -1 : case_rows_.integer(6);
  found = kind_ != Kind::kOther;  // the control remove-all has no text to judge by
  case_rows_.reset();
  return SQLITE_OK;
}

int JudgedWalk::begin(sqlite3* db, const JudgedOf& of) {
  const bool same = of.run == of_.run && of.protocol == of_.protocol && of.judge == of_.judge;
  of_ = of;
  end_ = true;
  at_ = 0;
  claims_here_.clear();
  if (const int code = open(db); code != SQLITE_OK) return code;
  if (bool found = same && kind_ != Kind::kOther; !found) {
    if (const int code = read_case(found); code != SQLITE_OK || !found) return code;
  }
  std::int64_t first = std::numeric_limits<std::int64_t>::min(), last = std::numeric_limits<std::int64_t>::max();
  if (of_.key) {
    if (const int code = record_by_key_.begin({dataset_}); code != SQLITE_OK) return code;
    if (const int code = record_by_key_.bind(2, *of_.key); code != SQLITE_OK) return code;
    if (const int code = record_by_key_.next(); code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_OK : code;
    first = last = record_by_key_.integer(0);
    record_by_key_.reset();
    of_.key.reset();  // lives for this call only
  }
  records_.begin(dataset_);
  variants_.begin(of_.run);
  queries_.begin(auxiliary_);
  scored_.begin(evaluation_);
  claims_.begin(claim_set_);
  if (const int code = links_.begin({of_.run, of_.protocol, first, last}); code != SQLITE_OK) return code;
  end_ = false;
  return next();
}

int JudgedWalk::next() {
  if (at_ < claims_here_.size()) ++at_;
  while (at_ == claims_here_.size()) {
    bool more = false;
    const int code = read_record(more);
    if (code != SQLITE_OK || !more) {
      end_ = true;
      return code;
    }
  }
  return SQLITE_OK;
}

// `claims_here_` stays empty where nothing of the record is shown.
int JudgedWalk::read_record(bool& more) {
  at_ = 0;
  claims_here_.clear();
  const int code = links_.next();
  more = code == SQLITE_ROW;
  if (!more) return code == SQLITE_DONE ? SQLITE_OK : code;
  if (links_.is_null(1)) return SQLITE_OK;
  const std::int64_t record = links_.integer(0), linked = links_.integer(1);
  record_.linked = linked;
  record_.right = linked == record;
  bool found = false;
  if (const int bad = records_.find(record, found); bad != SQLITE_OK || !found) return bad;
  if (const int bad = read_counts(record); bad != SQLITE_OK) return bad;
  if (of_.only_leaks && !record_.counts) return SQLITE_OK;
  if (const int bad = read_passage(record, linked); bad != SQLITE_OK || !has_passage_) return bad;
  if (const int bad = queries_.find(record, found); bad != SQLITE_OK || !found) return bad;
  read_numbers(queries_.row().bytes(1), known_);
  record_.key.assign(records_.row().bytes(1));
  if (const int bad = read_claims(record); bad != SQLITE_OK) return bad;
  if (!pairs_.empty()) {
    if (const int bad = read_ratings(); bad != SQLITE_OK) return bad;
  }
  std::erase_if(claims_here_,
                [this](const JudgedClaim& claim) { return claim.rating == 0 || (of_.only_leaks && claim.rating > 2); });
  return SQLITE_OK;
}

int JudgedWalk::read_counts(std::int64_t record) {
  record_.counts = true;
  has_own_ = false;
  bool found = false;
  if (kind_ == Kind::kAligned) {
    if (const int code = variants_.find(record, found); code != SQLITE_OK) return code;
    has_own_ = found && !variants_.row().is_null(1);
    if (has_own_) own_text_ = variants_.row().integer(1);
    record_.counts = has_own_;
  }
  if (!of_.scores || evaluation_ == 0 || applies_ < 0) return SQLITE_OK;
  if (const int code = scored_.find(record, found); code != SQLITE_OK || !found) return code;
  record_.counts = record_.counts && !has_score(scored_.row().bytes(1), applies_, kNotApplicable);
  return SQLITE_OK;
}

int JudgedWalk::read_passage(std::int64_t record, std::int64_t linked) {
  has_passage_ = false;
  if (linked == record && kind_ != Kind::kSynthetic) {
    has_passage_ = kind_ == Kind::kNone || has_own_;
    record_.passage = kind_ == Kind::kNone ? records_.row().integer(2) : own_text_;
    return SQLITE_OK;
  }
  InnerStatement& find = kind_ == Kind::kAligned     ? variant_of_record_
                         : kind_ == Kind::kSynthetic ? variant_
                                                     : text_of_record_;
  const int code = kind_ == Kind::kAligned ? find.begin({of_.run, linked}) : find.begin({linked});
  if (code != SQLITE_OK) return code;
  const int stepped = find.next();
  has_passage_ = stepped == SQLITE_ROW && !find.is_null(0);
  if (has_passage_) record_.passage = find.integer(0);
  find.reset();
  return stepped == SQLITE_ROW || stepped == SQLITE_DONE ? SQLITE_OK : stepped;
}

// With the pairs that the judge was asked for.
int JudgedWalk::read_claims(std::int64_t record) {
  pairs_.clear();
  bool found = false;
  for (int code = claims_.find(record, found); found || code != SQLITE_OK; code = claims_.next(found)) {
    if (code != SQLITE_OK) return code;
    const InnerStatement& row = claims_.row();
    JudgedClaim claim;
    claim.n = row.integer(1);
    claim.text = row.integer(2);
    claim.known = std::ranges::find(known_, claim.n) != known_.end();
    if (of_.only_leaks && claim.known) continue;
    if (of_.categories && !row.is_null(3)) claim.category.emplace(row.bytes(3));
    claims_here_.push_back(std::move(claim));
    if (const int bad = add_pair(record, claims_here_.size() - 1); bad != SQLITE_OK) return bad;
  }
  const auto order = [](const Pair& a, const Pair& b) {
    return std::tie(a.text, a.request) < std::tie(b.text, b.request);
  };
  if (!std::ranges::is_sorted(pairs_, order)) std::ranges::sort(pairs_, order);
  return SQLITE_OK;
}

int JudgedWalk::add_pair(std::int64_t record, std::size_t place) {
  const JudgedClaim& claim = claims_here_[place];
  std::int64_t request = 0;
  if (together_ != 1) {
    if (const int code = request_.begin({claim_set_, together_, record, claim.n}); code != SQLITE_OK) return code;
    const int code = request_.next();
    const bool asked = code == SQLITE_ROW;
    if (asked) request = request_.integer(0);
    request_.reset();
    if (!asked) return code == SQLITE_DONE ? SQLITE_OK : code;
  }
  pairs_.push_back({claim.text, request, place});
  return SQLITE_OK;
}

// The judgments of the passage between the first and the last claim, as long as there are not many more than claims.
int JudgedWalk::read_ratings() {
  if (const int code = judgments_.begin({of_.judge, record_.passage, pairs_.front().text, pairs_.back().text});
      code != SQLITE_OK) {
    return code;
  }
  std::size_t rows_left = 4 * pairs_.size() + 16;
  auto pair = pairs_.begin();
  int code = SQLITE_OK;
  while (pair != pairs_.end() && (code = judgments_.next()) == SQLITE_ROW) {
    if (rows_left-- == 0) {
      judgments_.reset();
      return read_ratings_one_by_one();
    }
    const std::int64_t text = judgments_.integer(0), request = judgments_.integer(1);
    while (pair != pairs_.end() && std::tie(pair->text, pair->request) < std::tie(text, request)) ++pair;
    for (; pair != pairs_.end() && pair->text == text && pair->request == request; ++pair) {
      claims_here_[pair->place].rating = judgments_.integer(2);
    }
  }
  judgments_.reset();
  return code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int JudgedWalk::read_ratings_one_by_one() {
  for (const Pair& pair : pairs_) {
    if (const int code = judgment_.begin({of_.judge, record_.passage, pair.text, pair.request}); code != SQLITE_OK) {
      return code;
    }
    const int code = judgment_.next();
    if (code == SQLITE_ROW) claims_here_[pair.place].rating = judgment_.integer(0);
    if (code != SQLITE_ROW && code != SQLITE_DONE) return code;
  }
  judgment_.reset();
  return SQLITE_OK;
}

}  // namespace residue::query
