// The intruder test in a browser: a target's facts, searches in the release, an answer, and what the answers say.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/body.h"
#include "page/answers/rows.h"
#include "query/people/intruder_report.h"
#include "text/characters/unicode.h"
#include "verbs/people/intruder.h"

namespace residue::page {
namespace {

std::unique_ptr<query::IntruderTest> test_of(storage::Store& store, const Viewer& viewer, const Wanted& wanted) {
  verbs::IntruderOptions options;
  options.dataset = wanted.needed("dataset");
  options.run = wanted.needed("run");
  options.protocol = wanted.text("protocol");
  options.sample = wanted.sample();
  options.level = viewer.level;
  return verbs::open_intruder(store, options);
}

Json pieces_of(const query::Snippet& snippet) {
  Json pieces = Json::array();
  std::size_t at = 0;
  const auto add = [&](const char* kind, std::size_t end) {
    if (end > at) pieces.push_back(Json::array({kind, std::string_view(snippet.text).substr(at, end - at)}));
    at = std::max(at, end);
  };
  for (const text::Span& mark : snippet.marks) {
    add("plain", mark.begin);
    add("match", mark.end);
  }
  add("plain", snippet.text.size());
  return pieces;
}

Json rate_json(const std::string& who, const query::IntruderRate& rate) {
  return {{"who", who},        {"value", rate.value}, {"low", rate.low},
          {"high", rate.high}, {"hits", rate.hits},   {"n", rate.n}};
}

Json steps_json(const std::vector<query::SureStep>& steps) {
  Json all = Json::array();
  for (const query::SureStep& step : steps) {
    all.push_back({{"at_least", step.sure},
                   {"claims", step.claims},
                   {"right", step.precision.hits},
                   {"precision", rate_json("precision", step.precision)},
                   {"recall", rate_json("recall", step.recall)}});
  }
  return all;
}

verbs::IntruderReportOptions report_options(const Wanted& wanted) {
  verbs::IntruderReportOptions options;
  options.dataset = wanted.needed("dataset");
  options.run = wanted.needed("run");
  options.protocol = wanted.text("protocol");
  options.sample = wanted.sample();
  if (const std::string annotator = wanted.text("annotator"); !annotator.empty()) options.annotator = annotator;
  return options;
}

Json annotators_json(const Viewer& viewer, const query::IntruderReport& report) {
  Json annotators = Json::array();
  AnnotatorNames names(viewer);
  const auto outcome = [&](std::uint64_t count) { return report.held ? Json(nullptr) : Json(count); };
  for (const auto& one : report.annotators) {
    annotators.push_back({{"name", names.shown(one.name)},
                          {"attempts", one.attempts},
                          {"right", outcome(one.right)},
                          {"wrong", outcome(one.wrong)},
                          {"none", outcome(one.none)},
                          {"rightly_none", outcome(one.rightly_none)},
                          {"told", one.told},
                          {"blind", one.blind},
                          {"after_look", one.after_look},
                          {"median_seconds", one.median_seconds},
                          {"median_searches", one.median_searches}});
  }
  return annotators;
}

// None where outcomes are held back.
Json strata_json(const query::IntruderReport& report) {
  Json strata = Json::array();
  if (report.held) return strata;
  for (const auto& one : report.strata) {
    strata.push_back({{"stratum", one.name},
                      {"targets", one.targets},
                      {"attempts", one.attempts},
                      {"present", one.present},
                      {"person", one.person},
                      {"machine_person", one.machine_person}});
  }
  return strata;
}

Json notes_of(const query::IntruderReport& report) {
  Json notes = Json::array();
  if (report.attempts < query::kFewestAttempts) {
    notes.push_back(fmt::format("too few: rates begin at {} attempts", query::kFewestAttempts));
  }
  if (report.stale) notes.push_back("the machine's links are of other contents: residue eval");
  if (report.outdated > 0) {
    notes.push_back(fmt::format("{} attempts are about earlier facts or texts of their targets", report.outdated));
  }
  if (report.named_changed > 0) {
    notes.push_back(
        fmt::format("{} attempts named a text that is another one by now, or gone: they count as they were given",
                    report.named_changed));
  }
  if (report.told > 0) notes.push_back(fmt::format("{} outcomes were told to who looked", report.told));
  if (!report.readers.empty()) {
    notes.push_back(
        fmt::format("outcomes were read while the test went on: {} attempts are blind, {} came after a look",
                    report.blind, report.after_look));
  }
  if (!report.unweighted.empty()) {
    notes.push_back(fmt::format("no share of all targets is given: {}", report.unweighted));
  } else if (!report.held && !report.strata.empty()) {
    notes.push_back("targets were drawn by strata: shares weigh each stratum by its targets, all else are counts");
  }
  if (report.failed_targets > 0) {
    notes.push_back(
        fmt::format("{} attacked records cannot be targets: their texts failed; of all records they count as found",
                    report.failed_targets));
  }
  return notes;
}

// What says how attempts came out.
Json outcomes_json(const query::IntruderReport& report) {
  Json rows =
      Json::array({rate_json("people", report.person), rate_json("machine, same targets", report.machine_person),
                   rate_json("machine, all targets", report.machine_all_person)});
  if (report.after_look > 0) {  // else they are all in the first row
    rows.push_back(rate_json("people, blind", report.person_blind));
    rows.push_back(rate_json("people, after a look", report.person_after_look));
  }
  return {
      {"rows", std::move(rows)},
      {"difference", {{"value", report.difference}, {"low", report.difference_low}, {"high", report.difference_high}}},
      {"false_claims", rate_json("people", report.false_claim)},
      {"machine_false_claims", rate_json("machine", report.machine_false_claim)},
      {"present", report.present},
      {"right", report.right},
      {"shared", report.shared},
      {"wrong", report.wrong},
      {"none", report.none},
      {"failed", report.failed},
      {"absent", report.absent},
      {"rightly_none", report.rightly_none},
      {"named_changed", report.named_changed},
      {"confidence", steps_json(report.sure)},
      {"machine_confidence", steps_json(report.machine_sure)}};
}

// The attempts that the numbers are of. Null while outcomes are held back, and where they may not be read: they stand
// in these rows.
Json attempts_sql(const Viewer& viewer, const query::IntruderReport& report,
                  const std::optional<std::string>& annotator) {
  if (report.held || !viewer.claims()) return {};
  const std::string whose = annotator ? " AND annotator = " + sql_string(*annotator) : std::string();
  return fmt::format(
      "-- the attempts that these numbers are of, and {} that are about earlier facts or texts and count nowhere\n"
      "SELECT annotator, record, present, chosen, outcome, sure, seconds, searches, told, blind, stratum FROM intruder "
      "WHERE dataset = {} AND run = {} AND protocol = {} AND sample = {}{} ORDER BY annotator, record;",
      report.outdated, sql_string(report.dataset), sql_string(report.run), sql_string(report.protocol), report.sample,
      whose);
}

Reply report_reply(const Viewer& viewer, const verbs::IntruderReportOptions& options) {
  storage::Store store(viewer.store);
  const query::IntruderReport report = verbs::intruder_report(store, options);
  Json body = {{"dataset", report.dataset},
               {"run", report.run},
               {"protocol", report.protocol},
               {"held_back", report.held},
               {"targets", report.targets},
               {"attempts", report.attempts},
               {"open", report.open},
               {"persons", report.persons},
               {"outdated", report.outdated},
               {"blind", report.blind},
               {"after_look", report.after_look},
               {"chance", report.chance.person},
               {"median_seconds", report.median_seconds},
               {"strata", strata_json(report)},
               {"annotators", annotators_json(viewer, report)},
               {"notes", notes_of(report)},
               {"sql", attempts_sql(viewer, report, options.annotator)}};
  if (report.held) {
    body["rows"] = Json::array({rate_json("machine, all targets", report.machine_all_person)});
  } else {
    for (const auto& [name, value] : outcomes_json(report).items()) body[name] = value;
  }
  return {.body = body.dump()};
}

}  // namespace

Reply answer_intruder_next(const Viewer& viewer, const Wanted& wanted) {
  const std::string annotator = wanted.needed("annotator");
  storage::Store store(viewer.store);
  const auto test = test_of(store, viewer, wanted);
  const auto target = verbs::next_target(store, *test, annotator);
  if (!target) return {.body = Json({{"target", nullptr}, {"left", 0}}).dump()};
  return {.body = Json({{"target", target->target},
                        {"facts", target->facts},
                        {"again", target->again},
                        {"answered", target->answered},
                        {"left", target->left}})
                      .dump()};
}

Reply answer_intruder_search(const Viewer& viewer, const Wanted& wanted) {
  verbs::ReleaseSearch search;
  search.annotator = wanted.needed("annotator");
  search.target = wanted.needed("target");
  search.text = wanted.needed("q");
  storage::Store store(viewer.store);
  const auto test = test_of(store, viewer, wanted);
  Json hits = Json::array();
  for (const verbs::ReleasedHit& hit : verbs::search_release(store, *test, search)) {
    hits.push_back({{"code", hit.code}, {"rank", hit.rank}, {"score", hit.score}, {"snippet", pieces_of(hit.snippet)}});
  }
  return {.body = Json({{"hits", std::move(hits)}}).dump()};
}

Reply answer_intruder_text(const Viewer& viewer, const Wanted& wanted) {
  const std::string annotator = wanted.needed("annotator"), target = wanted.needed("target"),
                    code = wanted.needed("code");
  storage::Store store(viewer.store);
  const auto test = test_of(store, viewer, wanted);
  return {.body = Json({{"text", verbs::read_release(store, *test, annotator, target, code)}}).dump()};
}

Reply answer_intruder_answer(const Viewer& viewer, const Wanted& wanted) {
  const Body body(wanted.request());
  verbs::IntruderAnswer answer;
  answer.annotator = wanted.needed("annotator");
  answer.target = body.text("target");
  answer.choice = body.text_or_none("choice");
  answer.sure = body.whole("sure");
  answer.seconds = body.number("seconds");
  if (const auto searches = body.number("searches")) {
    if (*searches < 0 || *searches > 1e9) throw Error(Code::kUsage, "searches is no count", "a whole number from 0");
    answer.searches = static_cast<std::uint64_t>(*searches);
  }
  storage::Store store(viewer.store);
  const auto test = test_of(store, viewer, wanted);
  return {.body = Json({{"kept", name_of(verbs::answer_target(store, *test, answer))}}).dump()};
}

Reply answer_intruder_outcome(const Viewer& viewer, const Wanted& wanted) {
  const std::string annotator = wanted.needed("annotator"), target = Body(wanted.request()).text("target");
  storage::Store store(viewer.store);
  const auto test = test_of(store, viewer, wanted);
  return {.body = Json({{"outcome", verbs::tell_outcome(store, *test, annotator, target)}}).dump()};
}

Reply answer_intruder_report(const Viewer& viewer, const Wanted& wanted) {
  if (!viewer.claims() && !wanted.text("annotator").empty()) {
    throw Error(Code::kUsage, "annotators have no names at the level released", "residue serve --claims");
  }
  return report_reply(viewer, report_options(wanted));
}

Reply answer_intruder_outcomes(const Viewer& viewer, const Wanted& wanted) {
  verbs::IntruderReportOptions options = report_options(wanted);
  options.outcomes = true;
  options.reader = Body(wanted.request()).text_or_none("reader").value_or("");
  if (viewer.level < query::ReadLevel::kClaims) {
    throw Error(Code::kUsage, "that outcomes were read is stored, and this level stores nothing",
                "--claims does; or wait until everybody has finished");
  }
  return report_reply(viewer, options);
}

}  // namespace residue::page
