// judge calibrate: a judge against people's labels, and the lexical judge taught by them, fold by fold.
#include <CLI/CLI.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/labelled_pairs.h"
#include "cli/output.h"
#include "query/calibration.h"
#include "query/lexical_judge.h"
#include "storage/files.h"

namespace residue::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string judge = "lexical", scale = "standard", fit, name = "unnamed labels";
  PairFile file;
};

Json interval_json(const std::optional<double>& value, const std::optional<query::Interval>& interval) {
  Json out = {{"value", nullptr}, {"low", nullptr}, {"high", nullptr}};
  if (value) out["value"] = *value;
  if (interval) {
    out["low"] = interval->low;
    out["high"] = interval->high;
  }
  return out;
}

Json agreement_json(const query::Agreement& a) {
  Json out = {{"pairs", a.pairs},           {"unrated", a.unrated},
              {"records", a.records},       {"spearman", interval_json(a.spearman, a.spearman_interval)},
              {"rating_spearman", nullptr}, {"quadratic_kappa", interval_json(a.kappa, a.kappa_interval)},
              {"confusion", a.confusion}};
  if (a.rating_spearman) out["rating_spearman"] = *a.rating_spearman;
  return out;
}

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
  const auto end = [](const std::optional<query::Interval>& interval, bool high) {
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

// The weights file for these labels: what lexical_weights.json was made with.
Json weights_document(const std::vector<query::LabelledPair>& pairs, const Options& options) {
  const auto tested = query::cross_validate(pairs);
  const auto interval = tested.spearman_interval.value_or(query::Interval{});
  const auto rounded = [](double value) { return std::round(value * 10000) / 10000; };
  return {{"model", query::model_json(query::fit_lexical(pairs, options.fit))},
          {"statistics",
           "none of any corpus: the evidence of a word is its tier in text/support_words.cc, whose digest is in the "
           "spec"},
          {"validated",
           {{"labels", options.name},
            {"pairs", tested.pairs},
            {"records", tested.records},
            {"digest", query::labels_digest(pairs)},
            {"spearman", {rounded(tested.spearman.value_or(0)), rounded(interval.low), rounded(interval.high)}}}}};
}

int calibrate(Context& context, const Options& options) {
  const auto judge = query::make_judge(options.judge);
  std::size_t open = 0;
  const auto pairs = read_labelled_pairs(options.file, &open);
  if (pairs.size() < query::kFewestLabels) {
    throw Error(Code::kBadInput, fmt::format("{} labels are too few to calibrate a judge", pairs.size()),
                fmt::format("at least {} are needed, better {}", query::kFewestLabels, query::kFewLabels));
  }
  if (!options.fit.empty()) {
    context.out.write(weights_document(pairs, options).dump(2) + "\n");
    return 0;
  }
  const bool lexical = judge->name() == "lexical";
  const bool known = lexical && query::lexical_validation().digest == query::labels_digest(pairs);
  std::vector<Line> lines = {{known ? "as it is (fitted to these)" : "as it is", query::agreement_with(*judge, pairs)}};
  std::string not_fitted;
  if (lexical) {
    try {
      lines.push_back({"fitted, 5 folds", query::cross_validate(pairs)});
    } catch (const Error& error) {  // What the judge as it is agrees on can be said all the same.
      if (error.code() != Code::kBadInput) throw;
      not_fitted = error.what();
    }
  }
  const std::string version = storage::to_hex(storage::sha256(judge->spec()).substr(0, 4));
  if (context.out.wants_json()) {
    Json out = {{"judge", options.judge},
                {"version", version},
                {"open", open},
                {"fitted_to_these", known},
                {"as_is", agreement_json(lines[0].agreement)},
                {"five_fold", nullptr}};
    if (lines.size() > 1) out["five_fold"] = agreement_json(lines[1].agreement);
    context.out.json(out);
    return 0;
  }
  context.out.table(figures(lines));
  if (context.globals.format == Format::kTable || context.globals.format == Format::kMarkdown) {
    context.out.write("\n");
    context.out.table(confusion(lines));
  }
  context.out.flush();
  context.out.note(fmt::format("judge {} ({}); 95 % intervals over records; Spearman of scores, kappa is quadratic",
                               options.judge, version));
  if (!not_fitted.empty()) context.out.note("not fitted: " + not_fitted);
  if (open > 0) context.out.note(fmt::format("rows without a rating: {}", open));
  if (pairs.size() < query::kFewLabels) {
    context.out.note(
        fmt::format("only {} labels: the intervals are wide, {} are better", pairs.size(), query::kFewLabels));
  }
  if (known) context.out.note("the first line is no validation: these labels made the judge");
  return 0;
}

Run setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->judge, "lexical (default) or rouge");
  app.add_option("--labels", options->file.paths,
                 "JSON Lines with \"claim\", \"passage\", \"rating\"; - is standard input")
      ->required();
  app.add_option("--preset", options->file.preset, "a published shape: wice")->check(CLI::IsMember({"wice"}));
  app.add_option("--scale", options->scale, "reversed: ratings are 3 same ... 1 unsupported")
      ->check(CLI::IsMember({"standard", "reversed"}));
  app.add_option("--fit", options->fit, "print weights fitted to all labels, with this version name, instead");
  app.add_option("--labels-name", options->name, "what the labels are called in these weights");
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
          .usage = "[NAME] --labels FILE... [--preset wice] [--scale reversed] [--fit VERSION]",
          .details =
              "The judge as it is, and the lexical one fitted to four fifths of the records and tested on the last\n"
              "fifth, five times. Lines are {\"claim\", \"passage\", \"rating\"}, with \"record\" where several pairs\n"
              "belong together; files of `residue label` work as they are. Fewer than 50 labels are refused.",
          .examples = {{"residue judge calibrate --labels labels.jsonl", "how far people confirm the lexical judge"},
                       {"residue judge calibrate rouge --labels labels.jsonl --json", "the baseline, as one object"},
                       {"residue judge calibrate --labels labels.jsonl --fit clinic-1 -o weights.json",
                        "weights fitted to these labels, in the shape of the embedded ones"}},
          .setup = setup};
}

}  // namespace residue::cli
