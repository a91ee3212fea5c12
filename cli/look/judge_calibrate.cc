// judge calibrate: a judge against people's labels, and the lexical judge taught by them, fold by fold.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/labelled_pairs.h"
#include "cli/print/output.h"
#include "cli/report/agreement_json.h"
#include "cli/syntax.h"
#include "verbs/look/calibrate.h"

namespace residue::cli {
namespace {

struct Options {
  std::string judge = "lexical", scale = "standard", fit, name = "unnamed labels";
  PairFile file;
  bool bands = false;
};

struct Line {
  std::string how;
  query::Agreement agreement;
};

Table figures(const std::vector<Line>& lines) {
  Table table;
  table.columns = {{"how", Type::kText, "judge"},
                   {"pairs", Type::kInteger, ""},
                   {"records", Type::kInteger, ""},
                   {"spearman", Type::kReal, ""},
                   {"spearman_low", Type::kReal, "low"},
                   {"spearman_high", Type::kReal, "high"},
                   {"rating_spearman", Type::kReal, "of ratings"},
                   {"quadratic_kappa", Type::kReal, "kappa"},
                   {"kappa_low", Type::kReal, "low"},
                   {"kappa_high", Type::kReal, "high"}};
  const auto end = [](const std::optional<numbers::Interval>& interval, bool high) {
    return interval ? Cell(high ? interval->high : interval->low) : Cell();
  };
  for (const auto& [how, a] : lines) {
    table.rows.push_back({Cell(how), cell(a.pairs), cell(a.records), cell(a.spearman), end(a.spearman_interval, false),
                          end(a.spearman_interval, true), cell(a.rating_spearman), cell(a.kappa),
                          end(a.kappa_interval, false), end(a.kappa_interval, true)});
  }
  return table;
}

Table confusion(const std::vector<Line>& lines) {
  static constexpr std::array<std::string_view, 3> kLabels = {"1 same", "2 similar", "3 unsupported"};
  Table table;
  table.columns = {{"how", Type::kText, "judge"},
                   {"label", Type::kText, "people"},
                   {"rated_1", Type::kInteger, "rated 1"},
                   {"rated_2", Type::kInteger, "rated 2"},
                   {"rated_3", Type::kInteger, "rated 3"}};
  for (const auto& [how, a] : lines) {
    for (std::size_t label = 0; label < 3; ++label) {
      const auto& row = a.confusion[label];
      table.rows.push_back({Cell(how), Cell(std::string(kLabels[label])), cell(row[0]), cell(row[1]), cell(row[2])});
    }
  }
  return table;
}

// What a cascade that begins with this judge would ask about, for several bands.
Table bands(const std::vector<query::BandAgreement>& all) {
  Table table;
  table.columns = {{"low", Type::kReal, "from"},
                   {"high", Type::kReal, "to"},
                   {"asked", Type::kPercent, ""},
                   {"right", Type::kPercent, ""},
                   {"right_low", Type::kPercent, "low"},
                   {"right_high", Type::kPercent, "high"},
                   {"reversed", Type::kPercent, ""},
                   {"below", Type::kInteger, "pairs below"},
                   {"below_right", Type::kPercent, "right"},
                   {"above", Type::kInteger, "pairs above"},
                   {"above_right", Type::kPercent, "right"}};
  const auto count = [](const numbers::Confusion& of) {
    std::uint64_t sum = 0;
    for (const auto& row : of) sum = std::accumulate(row.begin(), row.end(), sum);
    return sum;
  };
  for (const query::BandAgreement& found : all) {
    const auto& interval = found.right_interval;
    Cell asked;
    if (found.pairs > 0) asked = static_cast<double>(found.asked) / static_cast<double>(found.pairs);
    table.rows.push_back({Cell(found.band.low), Cell(found.band.high), asked, cell(found.right),
                          interval ? Cell(interval->low) : Cell(), interval ? Cell(interval->high) : Cell(),
                          cell(found.reversed), cell(count(found.below)),
                          cell(numbers::observed_agreement(found.below)), cell(count(found.above)),
                          cell(numbers::observed_agreement(found.above))});
  }
  return table;
}

void print_bands(Context& context, const Options& options, const verbs::CalibratedBands& found) {
  context.out.table(bands(found.bands));
  context.out.flush();
  context.out.note(
      fmt::format("judge {} ({}){}: asked: pairs with a score in the band, or one that the rating contradicts; right, "
                  "reversed (1 for 3, 3 for 1): "
                  "shares of the others; 95 % intervals over records",
                  options.judge, found.version, found.fitted ? ", fitted, 5 folds" : ""));
}

// Of `labels` labels; `open`: rows without a rating.
void print_agreement(Context& context, const Options& options, const verbs::Calibrated& found, std::size_t labels,
                     std::size_t open) {
  if (context.out.wants_json()) {
    context.out.json({{"judge", options.judge},
                      {"version", found.version},
                      {"open", open},
                      {"fitted_to_these", found.fitted_to_these},
                      {"as_is", agreement_json(found.as_is)},
                      {"five_fold", found.five_fold ? agreement_json(*found.five_fold) : Json(nullptr)}});
    return;
  }
  std::vector<Line> lines = {{found.fitted_to_these ? "as it is (fitted to these)" : "as it is", found.as_is}};
  if (found.five_fold) lines.push_back({"fitted, 5 folds", *found.five_fold});
  context.out.table(figures(lines));
  if (context.globals.format == Format::kTable || context.globals.format == Format::kMarkdown) {
    context.out.write("\n");
    context.out.table(confusion(lines));
  }
  context.out.flush();
  context.out.note(fmt::format("judge {} ({}); 95 % intervals over records; Spearman of scores, kappa is quadratic",
                               options.judge, found.version));
  if (!found.not_fitted.empty()) context.out.note("not fitted: " + found.not_fitted);
  if (open > 0) context.out.note(fmt::format("rows without a rating: {}", open));
  if (labels < query::kFewLabels) {
    context.out.note(fmt::format("only {} labels: the intervals are wide, {} are better", labels, query::kFewLabels));
  }
  if (found.fitted_to_these) context.out.note("the first line is no validation: these labels made the judge");
}

int calibrate(Context& context, const Options& options) {
  const auto judge = query::make_judge(options.judge);
  std::size_t open = 0;
  const auto pairs = read_labelled_pairs(options.file, &open);
  if (!options.fit.empty()) {
    context.out.write_json(verbs::fit_weights(*judge, pairs, options.fit, options.name).dump(2) + "\n");
  } else if (options.bands) {
    print_bands(context, options, verbs::calibrate_bands(*judge, pairs));
  } else {
    print_agreement(context, options, verbs::calibrate(*judge, pairs), pairs.size(), open);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("NAME", options->judge, "lexical (default), lexical-wordnet or rouge");
  syntax
      .add("--labels", options->file.paths,
           "JSON Lines or CSV with \"claim\", \"passage\", \"rating\"; - is standard input")
      .required();
  syntax.add("--preset", options->file.preset, "the layout of a published dataset: wice").one_of({"wice"});
  syntax.add("--scale", options->scale, "reversed: in the file, 3 means same and 1 unsupported")
      .one_of({"standard", "reversed"});
  syntax.add("--fit", options->fit, "print weights fitted to all labels, with this version name, instead");
  syntax.flag("--bands", options->bands, "what a cascade would ask about, and how far people confirm the rest")
      .excludes("--fit");
  syntax.add("--labels-name", options->name, "what the labels are called in these weights");
  return [options](Context& context) {
    options->file.reversed = options->scale == "reversed";
    return calibrate(context, *options);
  };
}

}  // namespace

Command judge_calibrate_command() {
  return {.name = "judge calibrate",
          .group = Group::kLook,
          .summary = "a judge against people's labels: Spearman, kappa, confusion",
          .usage = "[NAME] --labels FILE... [--preset wice] [--scale reversed] [--fit VERSION | --bands]",
          .details =
              "Compares the judge with the labels. Beside it stands the lexical judge fitted to four fifths of the "
              "records and tested on the last fifth, five times.\n"
              "Lines are {\"claim\", \"passage\", \"rating\"}, with \"record\" where several pairs belong together. "
              "Files of residue label work as they are, CSV too. Fewer than 50 labels are refused.",
          .examples = {{"residue judge calibrate --labels labels.jsonl", "how far people confirm the lexical judge"},
                       {"residue judge calibrate rouge --labels labels.jsonl --json", "the baseline, as one object"},
                       {"residue judge calibrate --labels labels.jsonl --bands",
                        "which band a cascade should have on such texts"},
                       {"residue judge calibrate --labels labels.jsonl --fit clinic-1 -o weights.json",
                        "weights fitted to these labels, in the shape of the embedded ones"}},
          .paged = true,
          .setup = setup};
}

}  // namespace residue::cli
