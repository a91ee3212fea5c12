// People's ratings of claims, one at a time, and how far they agree with the judge and with each other. These answers
// change the store: they keep what a person said.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/body.h"
#include "page/answers/rows.h"
#include "query/agree/calibration.h"
#include "query/agree/people_agreement.h"
#include "query/people/rating_queue.h"
#include "verbs/people/rate.h"

namespace residue::page {
namespace {

query::RatingOrder order_of(const Wanted& wanted) {
  const std::string name = wanted.text("order");
  if (name.empty()) return query::RatingOrder::kSample;
  const auto order = query::rating_order(name);
  if (!order) throw Error(Code::kUsage, "order is sample, disagreements or unsure", "change order");
  return *order;
}

query::RatingQueue queue_of(storage::Store& store, const Viewer& viewer, const Wanted& wanted) {
  verbs::RatingOptions options;
  options.level = viewer.level;
  options.draw.dataset = wanted.needed("dataset");
  options.draw.run = wanted.needed("run");
  options.draw.protocol = wanted.text("protocol");
  if (const std::string judge = wanted.text("judge"); !judge.empty()) options.draw.judge = judge;
  return verbs::open_ratings(store, options);
}

Json with_interval(const std::optional<double>& value, const std::optional<numbers::Interval>& interval,
                   std::uint64_t n) {
  if (!value) return {};
  return {{"value", *value},
          {"low", interval ? Json(interval->low) : Json()},
          {"high", interval ? Json(interval->high) : Json()},
          {"n", n}};
}

Json confusion_json(const numbers::Confusion& confusion) {
  Json rows = Json::array();
  for (const auto& row : confusion) {
    Json cells = Json::array();
    for (const auto cell : row) cells.push_back(cell);
    rows.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace

Reply answer_label(const Viewer& viewer, const Wanted& wanted) {
  storage::Store store(viewer.store);
  const query::RatingQueue queue = queue_of(store, viewer, wanted);
  verbs::NextPair next;
  next.order = order_of(wanted);
  next.annotator = wanted.needed("annotator");
  next.show = wanted.text("show") == "1";
  const std::string skipped = wanted.text("skip");
  for (std::size_t begin = 0; begin < skipped.size();) {
    const std::size_t end = std::min(skipped.find(',', begin), skipped.size());
    next.passed_over.insert(skipped.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::optional<verbs::PairToRate> pair = verbs::next_pair(store, queue, next);
  if (!pair) return {.body = Json({{"pair", nullptr}, {"left", 0}}).dump()};
  Json others = Json::array();
  for (const auto& [name, rating] : pair->by_others) others.push_back(Json::array({name, rating}));
  return {.body = Json({{"pair", pair->pair},
                        {"claim", pair->claim},
                        {"claim_text", pair->claim_text},
                        {"passage", pair->passage},
                        {"done", pair->done},
                        {"left", pair->left},
                        {"blind", pair->blind},
                        {"judge", pair->judge},
                        {"others", std::move(others)}})
                      .dump()};
}

Reply answer_rating(const Viewer& viewer, const Wanted& wanted) {
  const Body body(wanted.request());
  storage::Store store(viewer.store);
  const query::RatingQueue queue = queue_of(store, viewer, wanted);
  verbs::GivenRating given;
  given.pair = body.text("pair");
  given.rating = body.whole("rating");
  given.annotator = wanted.needed("annotator");
  given.blind = body.yes("blind", false);  // who does not say so was shown something
  given.seconds = body.number("seconds");
  given.order = order_of(wanted);
  return {.body = Json({{"kept", name_of(verbs::keep_rating(store, queue, given))}}).dump()};
}

namespace {

// The labels of which annotators agree with each other, of all runs. Null where they may not be read.
Json labels_sql(const Viewer& viewer, const std::string& dataset) {
  if (!viewer.claims()) return {};
  return "-- the labels that it is computed from, of all runs\n"
         "SELECT record, run, annotator, text(label_text) AS label FROM labels WHERE dataset = " +
         sql_string(dataset) + " AND kind = 'support' ORDER BY record, run, annotator;";
}

}  // namespace

Reply answer_agreement(const Viewer& viewer, const Wanted& wanted) {
  verbs::AgreementOptions options;
  options.dataset = wanted.needed("dataset");
  if (const std::string run = wanted.text("run"); !run.empty()) options.run = run;
  if (const std::string judge = wanted.text("judge"); !judge.empty()) options.judge = judge;
  options.sample_only = wanted.text("sample_only") == "1";
  const auto store = open_to_read(viewer);
  const query::PeopleAgreement all = verbs::people_agreement(*store, options);
  Json annotators = Json::array(), between = Json::array(), notes = Json::array();
  AnnotatorNames names(viewer);
  for (const auto& one : all.annotators) {
    annotators.push_back({{"name", names.shown(one.name)},
                          {"labels", one.labels},
                          {"blind", one.blind},
                          {"shown", one.shown},
                          {"median_seconds", one.median_seconds}});
  }
  for (const auto& line : all.between) {
    between.push_back({{"kind", line.kind},
                       {"a", line.first},
                       {"b", line.second},
                       {"n", line.n},
                       {"too_few", line.too_few},
                       {"agreement", line.agreement},
                       {"kappa", line.kappa},
                       {"spearman", line.spearman}});
  }
  if (all.too_few) notes.push_back(fmt::format("too few: statistics begin at {} labels", query::kFewestLabels));
  if (all.not_samples > 0) {
    notes.push_back(
        fmt::format("{} labels are of pairs that were chosen because they are hard: they agree less", all.not_samples));
  }
  if (all.shown > 0) notes.push_back(fmt::format("{} labels were given with the judge's rating in sight", all.shown));
  const query::Agreement& agreement = all.everyone;
  return {.body = Json({{"dataset", all.dataset},
                        {"judge", all.judge},
                        {"labels", all.labels},
                        {"blind", all.blind},
                        {"pairs", agreement.pairs},
                        {"records", agreement.records},
                        {"annotators", std::move(annotators)},
                        {"spearman", with_interval(agreement.spearman, agreement.spearman_interval, agreement.pairs)},
                        {"rating_spearman", with_interval(agreement.rating_spearman, std::nullopt, agreement.pairs)},
                        {"kappa", with_interval(agreement.kappa, agreement.kappa_interval, agreement.pairs)},
                        {"confusion", confusion_json(agreement.confusion)},
                        {"between", std::move(between)},
                        {"notes", std::move(notes)},
                        {"sql", labels_sql(viewer, all.dataset)}})
                      .dump()};
}

}  // namespace residue::page
