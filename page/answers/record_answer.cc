// One record: its texts side by side, its claims, what the attacker made of it, and why.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "page/answers/word_diff.h"
#include "query/inputs/protocol.h"
#include "query/link/protocol_rows.h"
#include "query/metric/metrics.h"
#include "query/report/report.h"
#include "query/report/report_values.h"
#include "query/report/show.h"
#include "verbs/look/show_record.h"

namespace residue::page {
namespace {

std::optional<std::string> words(const Json& value) {
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

// The judge's reasons, by the number of the claim. They quote claims and the linked text.
Json reasons(const Viewer& viewer, const query::Lens& lens, const std::string& run, const std::string& record) {
  const auto store = open_to_read(viewer);
  const storage::Lock held = store->hold_texts();
  Json by_claim = Json::object();
  try {
    const verbs::ShownAttack attack = verbs::show_attack(
        *store, lens, query::load_record_card(*store, lens.dataset_name, record, lens.spec.claim_set), run);
    for (const verbs::RatedClaim& claim : attack.claims) {
      by_claim[std::to_string(claim.claim.n)] = {{"why", claim.why}, {"evidence", claim.evidence}};
    }
  } catch (const Error& error) {
    if (error.code() != Code::kUsage) throw;  // a judge that rated elsewhere: nobody knows its reasons
  }
  return by_claim;
}

// Whom the same attack finds in a release without this record: what it learns there is chance. Null where it was not
// computed.
struct Absent {
  std::string record;  // empty: nobody
  Json ratings;        // by the number of the claim
};

std::optional<Absent> absent_attack(const Viewer& viewer, const query::Lens& lens, const std::string& run,
                                    const std::string& record) {
  const auto store = open_to_read(viewer);
  query::Lens absent = lens;
  absent.spec = query::absent_of(lens.spec);
  const auto protocol = query::find_protocol(store->db(), lens.dataset, absent.spec.name(), lens.sample);
  if (!protocol) return std::nullopt;
  absent.protocol = *protocol;
  const query::AttackCard card = query::load_attack(store->db(), absent, run, record);
  if (!card.evaluated) return std::nullopt;
  Absent found{.record = card.linked_key, .ratings = Json::object()};
  for (const auto& judged : card.ratings) found.ratings[std::to_string(judged.n)] = judged.rating;
  return found;
}

// The terms of an attack by bm25, or why there are none: the record is shown without them. Both null: it has none.
struct Terms {
  Json rows, missing, sql;
};

Terms terms_of(const Viewer& viewer, const query::Lens& lens, const std::string& run, const std::string& record) {
  if (!lens.spec.name().starts_with("bm25/")) return {};
  try {
    const std::string sql = fmt::format(
        "SELECT term, documents, winner_share AS winner, truth_share AS truth FROM link_terms({}, {}, {})",
        sql_string(lens.dataset_name + "/" + run), sql_string(record), sql_string(lens.spec.name()));
    return {.rows = rows(viewer, sql).objects(), .missing = {}, .sql = sql + ";"};
  } catch (const Error& error) {
    const std::string hint = error.hint().empty() ? std::string() : fmt::format("; {}", error.hint());
    return {.rows = {}, .missing = error.what() + hint, .sql = {}};
  }
}

class RecordAnswer {
 public:
  RecordAnswer(const Viewer& viewer, const Wanted& wanted)
      : viewer_(viewer),
        dataset_(wanted.needed("dataset")),
        record_(wanted.needed("record")),
        run_(wanted.text("run")),
        terms_(wanted.text("terms") != "no") {
    try {
      lens_ = lens_of(viewer, wanted);
    } catch (const Error& error) {
      const bool named = !(wanted.text("protocol") + wanted.text("judge") + wanted.text("sample")).empty();
      if (error.code() != Code::kNotFound || named) throw;
    }
    here_ = fmt::format("dataset = {} AND record = {}", sql_string(dataset_), sql_string(record_));
  }

  Json make() {
    read();
    if (!run_.empty()) {
      add_released();
      if (lens_) add_attack();
      add_claims();
      add_scores();
    }
    answer_["hidden"] = hidden_;
    return std::move(answer_);
  }

 private:
  // Each statement is a process of its own. So one says what the record is (part 0), what each run made of it (1), and
  // what the attacker found in the run (2).
  void read() {
    const std::string of_lens =
        lens_ ? fmt::format("{} AND protocol = {} AND sample = {}", here_, sql_string(lens_->spec.name()),
                            lens_->sample)
              : "0";
    const std::string own = run_.empty() || !readable()
                                ? "NULL"
                                : fmt::format("iif(v.run = {}, text(v.text), NULL)", sql_string(run_));
    // Whether a text failed as one for many is taken from the numbers: the view would read all texts where these are
    // old.
    const std::string statement = fmt::format(
        "SELECT 0 AS part, NULL AS run, person, label, {original}, NULL, NULL, NULL FROM records WHERE {here} "
        "UNION ALL SELECT 1, v.run, iif(f.run IS NULL AND v.text IS NOT NULL, 'ok', 'failed'), "
        "iif(f.run IS NULL AND v.text IS NOT NULL, l.outcome, 'failed'), l.linked, {own}, NULL, NULL "
        "FROM (SELECT run, variant_text AS text FROM variants WHERE {here}) v "
        "LEFT JOIN (SELECT run, outcome, linked FROM links WHERE {of_lens}) l ON l.run = v.run "
        "LEFT JOIN (SELECT run FROM scores WHERE {of_lens} AND metric = 'linkage_rate' AND slice = '' AND state = "
        "'failed') f ON f.run = v.run "
        "UNION ALL SELECT 2, run, linked, outcome, tied, rank, {query}, {found} FROM links WHERE {of_lens} AND run = "
        "{run} ORDER BY 1, 2",
        fmt::arg("original", viewer_.originals() ? "text(record_text)" : "NULL"), fmt::arg("here", here_),
        fmt::arg("own", own), fmt::arg("of_lens", of_lens),
        fmt::arg("query", viewer_.claims() ? "text(query_text)" : "NULL"),
        fmt::arg("found", readable() ? "text(linked_text)" : "NULL"), fmt::arg("run", sql_string(run_)));
    Json runs = Json::array();
    bool made = false;
    for (const auto& row : rows(viewer_, statement).rows) {
      const auto cell = [&](std::size_t column) { return json_of(row[column]); };
      const Json run = cell(1);
      switch (std::get<std::int64_t>(row[0])) {
        case 0:
          answer_ = {{"dataset", dataset_}, {"record", record_}, {"person", cell(2)}, {"label", cell(3)}};
          answer_["original"] = viewer_.originals() ? cell(4) : hide("original");
          break;
        case 1:
          runs.push_back({{"run", run}, {"state", cell(2)}, {"outcome", cell(3)}, {"linked", cell(4)}});
          if (run == Json(run_)) {
            made = true;
            own_ = cell(5);
          }
          break;
        default:
          link_ = {.linked = cell(2),
                   .outcome = cell(3),
                   .tied = cell(4),
                   .rank = cell(5),
                   .query = cell(6),
                   .found = cell(7)};
      }
    }
    if (!answer_.is_object()) {
      throw Error(Code::kNotFound, "there is no record of this name", "/records lists them");
    }
    if (!run_.empty() && !made) add_unmade(runs);
    answer_["runs"] = std::move(runs);
  }

  // The run has no text of the record. An aligned one lost it, which counts as leaked; a synthetic one has no text of
  // anybody.
  void add_unmade(Json& runs) {
    const Json kind = rows(viewer_, fmt::format("SELECT kind FROM runs WHERE dataset = {} AND run = {}",
                                                sql_string(dataset_), sql_string(run_)))
                          .first(0);
    if (kind.is_null()) throw Error(Code::kNotFound, "there is no run of this name", "/runs lists them");
    if (!(kind == Json("aligned"))) {
      runs.push_back({{"run", run_}, {"state", "synthetic"}, {"outcome", nullptr}, {"linked", link_.linked}});
      return;
    }
    lost_ = true;
    runs.push_back({{"run", run_}, {"state", "failed"}, {"outcome", "failed"}, {"linked", nullptr}});
  }

  void add_released() {
    answer_["run"] = run_;
    answer_["error"] = error_of(run_);
    answer_["released"] = readable() ? std::move(own_) : hide("released");
    const auto original = words(answer_["original"]), released = words(answer_["released"]);
    answer_["diff"] = original && released ? word_diff(*original, *released) : Json();
  }

  void add_attack() {
    answer_.update(lens_json(*lens_));
    // The link of a failed record says where another text points. That is no outcome of the attack on it.
    answer_["outcome"] = answer_["error"].is_null() ? link_.outcome : Json("failed");
    answer_["tied"] = link_.tied;
    answer_["rank"] = link_.rank;
    answer_["query"] = viewer_.claims() ? link_.query : hide("query");
    if (!link_.linked.is_null()) {
      answer_["found"] = {{"record", link_.linked}, {"text", readable() ? link_.found : hide("found")}};
    } else {
      answer_["found"] = nullptr;
    }
    add_absent();
    if (terms_) answer_["terms"] = viewer_.claims() ? terms_of(viewer_, *lens_, run_, record_).rows : hide("terms");
  }

  void add_absent() {
    answer_["absent"] = nullptr;
    const auto absent = absent_attack(viewer_, *lens_, run_, record_);
    if (!absent) return;
    Json text;
    if (readable() && !absent->record.empty()) {
      text = rows(viewer_,
                  fmt::format("SELECT text(variant_text) FROM variants WHERE dataset = {} AND run = {} AND record = {}",
                              sql_string(dataset_), sql_string(run_), sql_string(absent->record)))
                 .first(0);
    }
    answer_["absent"] = {{"record", absent->record.empty() ? Json() : Json(absent->record)},
                         {"outcome", absent->record.empty() ? "not_linked" : "wrong"},
                         {"text", std::move(text)},
                         {"ratings", absent->ratings}};
  }

  void add_claims() {
    const std::string text = viewer_.claims() ? "text(claim_text)" : "NULL";
    if (!viewer_.claims()) hide("claims");
    Rows claims;
    std::string sql;
    if (lens_) {
      sql = fmt::format(
          "SELECT n, {} AS claim, category, known, rating, counts FROM judgments WHERE {} AND "
          "run = {} AND protocol = {} AND sample = {} AND judge = {} ORDER BY n",
          text, here_, sql_string(run_), sql_string(lens_->spec.name()), lens_->sample, sql_string(lens_->judge_name));
      claims = rows(viewer_, sql);
    }
    if (claims.rows.empty()) {
      sql = fmt::format(
          "SELECT n, {} AS claim, category, NULL AS known, NULL AS rating, NULL AS counts FROM "
          "claims WHERE {}{} ORDER BY claim_set, n",
          text, here_, lens_ ? " AND claim_set = " + sql_string(lens_->spec.claim_set) : std::string());
      claims = rows(viewer_, sql);
    }
    answer_["claims_sql"] = sql + ";";
    Json all = claims.objects();
    Json why = viewer_.claims() && lens_ && readable() && !answer_["found"].is_null()
                   ? reasons(viewer_, *lens_, run_, record_)
                   : Json::object();
    for (std::size_t i = 0; i < all.size(); ++i) {
      Json& one = all[i];
      if (const auto category = words(one["category"])) one["category"] = Json::parse(*category).value_or(Json());
      const Json* const reason = why.find(std::to_string(one.at("n").get<std::int64_t>()));
      one["why"] = reason != nullptr ? reason->at("why") : Json();
      one["evidence"] = reason != nullptr ? reason->at("evidence") : Json();
    }
    answer_["claims"] = std::move(all);
  }

  void add_scores() {
    std::string lens = "protocol IS NULL";
    if (lens_) {
      lens = fmt::format("(protocol IS NULL OR (protocol = {} AND sample = {} AND (judge IS NULL OR judge = {})))",
                         sql_string(lens_->spec.name()), lens_->sample, sql_string(lens_->judge_name));
    }
    const std::string sql = fmt::format(
        "SELECT metric, state, value, outcome, model FROM scores WHERE {} AND run = {} AND slice = '' AND {} ORDER BY 1, "
        "5",
        here_, sql_string(run_), lens);
    Json scores = rows(viewer_, sql).objects();
    mark_old(scores);
    answer_["scores"] = std::move(scores);
    answer_["scores_sql"] = sql + ";";
  }

  // Metrics that `eval` leaves as they were, unless it is asked for them: "stale" says so of their rows.
  void mark_old(Json& scores) {
    std::optional<query::Report> report;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto metric = query::find_metric(scores[i].at("metric").get<std::string>());
      if (!metric || !lens_ || query::definition(*metric).tier != query::Tier::kVector) continue;
      if (!report) report = report_of(viewer_, *lens_);
      const auto run = std::ranges::find(report->runs, run_, &query::ReportRun::run);
      if (run != report->runs.end() && query::is_stale(*run, *metric)) scores[i]["stale"] = true;
    }
  }

  // Whether texts of the run are: those of `none` are originals.
  [[nodiscard]] bool readable() const { return run_ != "none" || viewer_.originals(); }

  // Why the record's own text failed; null where it did not, or there is none.
  Json error_of(const std::string& run) {
    for (std::size_t i = 0; i < answer_["runs"].size(); ++i) {
      const Json& one = answer_["runs"][i];
      if (one.at("run").get<std::string>() != run || one.at("state").get<std::string>() != "failed") continue;
      const Json said =
          rows(viewer_, fmt::format("SELECT error FROM variants WHERE {} AND run = {}", here_, sql_string(run)))
              .first(0);
      return said.is_null() ? Json(lost_ ? "the run has no text of this record" : "failed") : said;
    }
    return {};
  }

  Json hide(const char* name) {
    hidden_.push_back(name);
    return {};
  }

  const Viewer& viewer_;
  std::string dataset_, record_, run_, here_;
  bool terms_;  // they are asked for (answer_terms)
  std::optional<query::Lens> lens_;
  std::vector<std::string> hidden_;
  Json own_;           // what the run made of it
  bool lost_ = false;  // it made nothing, not even an error
  struct {
    Json linked, outcome, tied, rank, query, found;
  } link_;  // what the attacker found in the run; all null: nothing
  Json answer_;
};

}  // namespace

Reply answer_record(const Viewer& viewer, const Wanted& wanted) {
  return {.body = RecordAnswer(viewer, wanted).make().dump()};
}

Reply answer_terms(const Viewer& viewer, const Wanted& wanted) {
  const std::string run = wanted.needed("run"), record = wanted.needed("record");
  const query::Lens lens = lens_of(viewer, wanted);
  require_evaluated(viewer, lens, run);
  if (rows(viewer, fmt::format("SELECT 1 FROM records WHERE dataset = {} AND record = {}",
                               sql_string(lens.dataset_name), sql_string(record)))
          .rows.empty()) {
    throw Error(Code::kNotFound, "there is no record of this name", "/records lists them");
  }
  Json answer = {{"dataset", lens.dataset_name}, {"run", run}, {"record", record}};
  answer.update(lens_json(lens));
  const Terms terms = viewer.claims() ? terms_of(viewer, lens, run, record) : Terms();
  answer["terms"] = terms.rows;
  answer["missing"] = terms.missing;
  answer["sql"] = terms.sql;
  answer["hidden"] = Json::array();
  if (!viewer.claims()) answer["hidden"].push_back("terms");
  return {.body = answer.dump()};
}

}  // namespace residue::page
