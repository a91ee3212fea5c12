// rate show: how far people and the judge agree so far.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/report/agreement_json.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"
#include "verbs/people/rate.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target;
  std::optional<std::string> judge;
  bool sample_only = false;
};

using Annotator = query::PeopleAgreement::Annotator;

Json json_of(const Annotator& one) {
  return {{"annotator", one.name.empty() ? Json(nullptr) : Json(one.name)},
          {"labels", one.labels},
          {"blind", one.blind},
          {"shown", one.shown},
          {"median_seconds", one.median_seconds ? Json(*one.median_seconds) : Json(nullptr)},
          {"with_judge", agreement_json(one.with_judge)}};
}

Json rows_of(const query::PeopleAgreement& found) {
  Json rows = Json::array();
  for (const Annotator& one : found.annotators) rows.push_back(json_of(one));
  return rows;
}

Json json_of(const query::PeopleAgreement& found) {
  Json between = Json::array();
  for (const query::AgreementLine& line : found.between) {
    between.push_back({{"annotators", line.first},
                       {"pairs", line.n},
                       {"too_few", line.too_few},
                       {"fleiss_kappa", line.kappa ? Json(*line.kappa) : Json(nullptr)},
                       {"alpha", line.alpha ? Json(*line.alpha) : Json(nullptr)}});
  }
  return {{"dataset", found.dataset},     {"judge", found.judge},
          {"labels", found.labels},       {"blind", found.blind},
          {"shown", found.shown},         {"not_samples", found.not_samples},
          {"too_few", found.too_few},     {"everyone", agreement_json(found.everyone)},
          {"annotators", rows_of(found)}, {"between", std::move(between)}};
}

std::vector<Cell> row_of(const std::string& name, std::uint64_t labels, std::uint64_t blind,
                         const query::Agreement& agreement) {
  const auto end = [](const std::optional<numbers::Interval>& interval, bool high) {
    return interval ? Cell(high ? interval->high : interval->low) : Cell();
  };
  std::uint64_t same = 0;
  for (std::size_t i = 0; i < 3; ++i) same += agreement.confusion[i][i];
  return {Cell(name),
          cell(labels),
          cell(blind),
          cell(agreement.pairs),
          cell(same),
          cell(agreement.spearman),
          end(agreement.spearman_interval, false),
          end(agreement.spearman_interval, true),
          cell(agreement.kappa),
          end(agreement.kappa_interval, false),
          end(agreement.kappa_interval, true)};
}

Table table_of(const query::PeopleAgreement& found) {
  Table table;
  table.columns = {{"annotator", Type::kText, "", true},
                   {"labels", Type::kInteger, ""},
                   {"blind", Type::kInteger, ""},
                   {"pairs", Type::kInteger, "judged"},
                   {"same", Type::kInteger, ""},
                   {"spearman", Type::kReal, "Spearman"},
                   {"spearman_low", Type::kReal, "low"},
                   {"spearman_high", Type::kReal, "high"},
                   {"quadratic_kappa", Type::kReal, "kappa"},
                   {"kappa_low", Type::kReal, "low"},
                   {"kappa_high", Type::kReal, "high"}};
  for (const Annotator& one : found.annotators) {
    table.rows.push_back(row_of(one.name.empty() ? "(unnamed)" : one.name, one.labels, one.blind, one.with_judge));
  }
  if (found.annotators.size() > 1) {
    table.rows.push_back(row_of("(all labels)", found.labels, found.blind, found.everyone));
  }
  return table;
}

int show(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  const auto store = open_store(context, true);
  const query::PeopleAgreement found =
      verbs::people_agreement(*store, {target.dataset, target.run, options.judge, options.sample_only});
  context.out.shaped([&] { return json_of(found); }, [&] { return rows_of(found); },
                     [&] { context.out.table(table_of(found)); });
  context.out.flush();
  context.out.note(
      fmt::format("{} labels of support held against judge {}; kappa is quadratic, 95 % intervals over "
                  "persons",
                  found.labels, found.judge));
  if (found.too_few) {
    context.out.note(fmt::format("too few: {} of {} labels that the judge rated, too: no Spearman and no kappa",
                                 found.everyone.pairs, query::kFewestLabels));
  }
  if (found.not_samples > 0) {
    context.out.note(
        fmt::format("{} labels are of pairs that were chosen because they are hard: agreement on them is "
                    "low; --sample-only leaves them out",
                    found.not_samples));
  }
  return 0;
}

}  // namespace

Command rate_show_command() {
  return {
      .name = "rate show",
      .group = Group::kLook,
      .summary = "how far people and a judge agree so far",
      .usage = "DATASET[/RUN] [--judge NAME] [--sample-only]",
      .details =
          "Holds the stored labels of the kind support against a judge, annotator by annotator and all together. The "
          "numbers are those of residue judge calibrate on the same labels; where persons are known they are "
          "resampled, else records. Fewer than 50 labels give counts alone.",
      .examples = {{"residue rate show clinic", "all labels"},
                   {"residue rate show clinic/scrub --judge gpt4 --json", "of one run, as one object"}},
      .paged = true,
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("TARGET", options->target, "DATASET or DATASET/RUN").required();
        syntax.add("--judge", options->judge, "judge; default: the last one");
        syntax.flag("--sample-only", options->sample_only, "only labels of a sample, not of pairs chosen as hard");
        return [options](Context& context) { return show(context, *options); };
      }};
}

}  // namespace residue::cli
