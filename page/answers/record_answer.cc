// One record: its texts side by side, its claims, what the attacker made of it, and why.
#include <fmt/format.h>

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
#include "query/report/report.h"
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
  Json rows, missing;
};

Terms terms_of(const Viewer& viewer, const query::Lens& lens, const std::string& run, const std::string& record) {
  if (!lens.spec.name().starts_with("bm25/")) return {};
  try {
    const Rows found = rows(
        viewer, fmt::format(
                    "SELECT term, documents, winner_share AS winner, truth_share AS truth FROM link_terms({}, {}, {})",
                    sql_string(lens.dataset_name + "/" + run), sql_string(record), sql_string(lens.spec.name())));
    return {.rows = found.objects(), .missing = {}};
  } catch (const Error& error) {
    return {.rows = {}, .missing = error.hint().empty() ? Json(error.what()) : fmt::format("{}; {}", error.what(), error.hint())};
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
      if (error.code() != Code::kNotFound || !wanted.text("protocol").empty()) throw;
    }
    here_ = fmt::format("dataset = {} AND record = {}", sql_string(dataset_), sql_string(record_));
  }

  Json make() {
    add_record();
    add_runs();
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
  void add_record() {
    std::string columns = "person, label";
    if (viewer_.originals()) columns += ", text(record_text) AS original";
    const Rows found = rows(viewer_, fmt::format("SELECT {} FROM records WHERE {}", columns, here_));
    if (found.rows.empty()) throw Error(Code::kNotFound, "there is no record of this name", "/records lists them");
    answer_ = {{"dataset", dataset_}, {"record", record_}, {"person", found.first(0)}, {"label", found.first(1)}};
    answer_["original"] = viewer_.originals() ? found.first(2) : hide("original");
  }

  void add_runs() {
    std::string links = "SELECT NULL AS run, NULL AS outcome, NULL AS linked WHERE 0";
    if (lens_) {
      links = fmt::format("SELECT run, outcome, linked FROM links WHERE {} AND protocol = {} AND sample = {}", here_,
                          sql_string(lens_->spec.name()), lens_->sample);
    }
    // Whether a text failed as one for many is taken from the numbers: the view would read all texts where these are
    // old.
    std::string failed = "SELECT NULL AS run WHERE 0";
    if (lens_) {
      failed = fmt::format(
          "SELECT run FROM scores WHERE {} AND protocol = {} AND sample = {} AND metric = 'linkage_rate' AND slice "
          "= '' AND state = 'failed'",
          here_, sql_string(lens_->spec.name()), lens_->sample);
    }
    // Each statement is a process of its own: the run's text comes with what the page lists anyway.
    const std::string own = run_.empty() || !readable()
                                ? "NULL"
                                : fmt::format("iif(v.run = {}, text(v.text), NULL)", sql_string(run_));
    Rows found =
        rows(viewer_,
             fmt::format("SELECT v.run AS run, iif(f.run IS NULL AND v.text IS NOT NULL, 'ok', 'failed') AS state, "
                         "iif(f.run IS NULL AND v.text IS NOT NULL, l.outcome, 'failed') AS outcome, l.linked AS "
                         "linked, {} AS own "
                         "FROM (SELECT run, variant_text AS text FROM variants WHERE dataset = {} AND record = {}) v "
                         "LEFT JOIN ({}) l ON l.run = v.run LEFT JOIN ({}) f ON f.run = v.run ORDER BY 1",
                         own, sql_string(dataset_), sql_string(record_), links, failed));
    bool made = false;
    for (auto& row : found.rows) {
      if (json_of(row.front()) == Json(run_)) {
        made = true;
        own_ = json_of(row.back());
      }
      row.pop_back();
    }
    found.columns.pop_back();
    answer_["runs"] = found.objects();
    if (run_.empty() || made) return;
    if (rows(viewer_,
             fmt::format("SELECT 1 FROM runs WHERE dataset = {} AND run = {}", sql_string(dataset_), sql_string(run_)))
            .rows.empty()) {
      throw Error(Code::kNotFound, "there is no run of this name", "/runs lists them");
    }
  }

  void add_released() {
    answer_["run"] = run_;
    answer_["error"] = error_of(run_);
    answer_["released"] = readable() ? std::move(own_) : hide("released");
    const auto original = words(answer_["original"]), released = words(answer_["released"]);
    answer_["diff"] = original && released ? word_diff(*original, *released) : Json();
  }

  void add_attack() {
    const std::string of = fmt::format("{} AND run = {} AND protocol = {} AND sample = {}", here_, sql_string(run_),
                                       sql_string(lens_->spec.name()), lens_->sample);
    const Rows link = rows(viewer_, fmt::format("SELECT linked, outcome, tied, rank, {}, {} FROM links WHERE {}",
                                                viewer_.claims() ? "text(query_text)" : "NULL",
                                                readable() ? "text(linked_text)" : "NULL", of));
    answer_.update(lens_json(*lens_));
    // The link of a failed record says where another text points. That is no outcome of the attack on it.
    answer_["outcome"] = answer_["error"].is_null() ? link.first(1) : Json("failed");
    answer_["tied"] = link.first(2);
    answer_["rank"] = link.first(3);
    answer_["query"] = viewer_.claims() ? link.first(4) : hide("query");
    if (!link.rows.empty() && !link.first(0).is_null()) {
      answer_["found"] = {{"record", link.first(0)}, {"text", readable() ? link.first(5) : hide("found")}};
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
    if (lens_) {
      claims = rows(viewer_,
                    fmt::format("SELECT n, {} AS claim, category, known, rating, counts FROM judgments WHERE {} AND "
                                "run = {} AND protocol = {} AND sample = {} AND judge = {} ORDER BY n",
                                text, here_, sql_string(run_), sql_string(lens_->spec.name()), lens_->sample,
                                sql_string(lens_->judge_name)));
    }
    if (claims.rows.empty()) {
      claims = rows(
          viewer_,
          fmt::format("SELECT n, {} AS claim, category, NULL AS known, NULL AS rating, NULL AS counts FROM "
                      "claims WHERE {}{} ORDER BY claim_set, n",
                      text, here_, lens_ ? " AND claim_set = " + sql_string(lens_->spec.claim_set) : std::string()));
    }
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
    answer_["scores"] =
        rows(viewer_, fmt::format("SELECT metric, state, value, outcome FROM scores WHERE {} AND run = {} AND "
                                  "slice = '' AND {} ORDER BY 1",
                                  here_, sql_string(run_), lens))
            .objects();
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
      return said.is_null() ? Json("failed") : said;
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
  Json own_;  // what the run made of it
  Json answer_;
};

}  // namespace

Reply answer_record(const Viewer& viewer, const Wanted& wanted) {
  return {.body = RecordAnswer(viewer, wanted).make().dump()};
}

Reply answer_terms(const Viewer& viewer, const Wanted& wanted) {
  const std::string run = wanted.needed("run"), record = wanted.needed("record");
  const query::Lens lens = lens_of(viewer, wanted);
  Json answer = {{"dataset", lens.dataset_name}, {"run", run}, {"record", record}};
  answer.update(lens_json(lens));
  const Terms terms = viewer.claims() ? terms_of(viewer, lens, run, record) : Terms();
  answer["terms"] = terms.rows;
  answer["missing"] = terms.missing;
  answer["hidden"] = Json::array();
  if (!viewer.claims()) answer["hidden"].push_back("terms");
  return {.body = answer.dump()};
}

}  // namespace residue::page
