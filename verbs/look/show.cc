#include "verbs/look/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "verbs/look/show_record.h"

namespace residue::verbs {
namespace {

// Nothing where nothing was evaluated yet, and nothing special was asked for.
std::optional<query::Lens> lens_of(storage::Store& store, const std::string& dataset, const ShowOptions& options) {
  try {
    return query::find_lens(store.db(), dataset, options.protocol, options.judge);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound || options.lens_asked || !options.run.empty()) throw;
    return std::nullopt;
  }
}

void check_where(const ShowOptions& options, const query::Reference& reference) {
  if ((options.where.empty() && !options.numbers) || !(reference.run || reference.record)) return;
  throw Error(Code::kUsage, "--where, --sort, --group and --columns are about the runs of a dataset",
              fmt::format("residue show {} --where ...", reference.dataset));
}

void check_delta(const ShowOptions& options, const query::Reference& reference) {
  if (!options.delta) return;
  if (!(*options.delta > 0 && *options.delta < 1)) {
    throw Error(Code::kUsage, "--delta is not a number above 0 and below 1", "--delta 1e-5");
  }
  if (reference.run || reference.record) {
    throw Error(Code::kUsage, "--delta applies to a dataset, not to a run, record or claim",
                fmt::format("residue show {} --delta {:g}", reference.dataset, *options.delta));
  }
}

ShownRun show_run(storage::Store& store, const std::string& dataset, const std::string& run, bool evaluated,
                  const ShowOptions& options) {
  ShownRun shown{dataset, query::load_run_card(store, dataset, run), {}};
  for (RunFacts& facts : run_facts(store.db(), dataset)) {
    if (facts.run == run) shown.facts = std::move(facts);
  }
  if (!evaluated) return shown;
  query::ReportOptions wanted;
  wanted.dataset = dataset;
  wanted.protocols = options.protocol;
  wanted.judge = options.judge;
  shown.report = query::load_report(store, wanted);
  return shown;
}

ShownDataset show_dataset(storage::Store& store, const std::string& dataset, const ShowOptions& options) {
  ShownDataset shown{query::load_dataset_card(store, dataset), query::load_privacy(store, dataset, options.delta)};
  shown.runs = run_facts(store.db(), dataset);
  query::ReportOptions wanted;
  wanted.protocols = options.protocol;
  wanted.judge = options.judge;
  RunNumbers numbers(store, wanted);
  shown.chosen = choose(options.where, shown.runs, numbers);
  if (!options.where.empty()) {
    require_some(shown.chosen, dataset);
    std::erase_if(shown.card.runs, [&](const query::RunCard& run) {
      const bool control = run.kind == "none" || run.kind == "remove-all";
      return !control && !shown.chosen.has(dataset, run.run);
    });
  }
  if (options.numbers) {
    if (const query::Report* report = numbers.report(dataset)) shown.report = *report;
  }
  return shown;
}

}  // namespace

const query::ReportRun* ShownRun::numbers() const {
  if (!report) return nullptr;
  const auto found = std::ranges::find_if(
      report->runs, [&](const query::ReportRun& one) { return one.run == card.run && one.evaluated; });
  return found == report->runs.end() ? nullptr : &*found;
}

ShowResult show(storage::Store& store, const ShowOptions& options) {
  const storage::Lock held = store.hold_texts();
  const query::Reference reference = query::resolve(store.db(), options.reference, options.record);
  const std::string& dataset = reference.dataset;
  ShowResult result{lens_of(store, dataset, options), {}};
  check_delta(options, reference);
  check_where(options, reference);
  if (reference.run) {
    result.shown = show_run(store, dataset, *reference.run, result.lens.has_value(), options);
    return result;
  }
  if (!reference.record) {
    result.shown = show_dataset(store, dataset, options);
    return result;
  }
  query::RecordCard card = query::load_record_card(store, dataset, *reference.record,
                                                   result.lens ? result.lens->spec.claim_set : std::string());
  if (reference.claim) {
    result.shown = show_claim(store, result.lens, card, *reference.claim);
  } else if (!options.run.empty()) {
    static_cast<void>(query::load_run_card(store, dataset, options.run));  // there is such a run
    result.shown = show_attack(store, *result.lens, std::move(card), options.run);
  } else {
    result.shown = show_record(store, std::move(card));
  }
  return result;
}

}  // namespace residue::verbs
