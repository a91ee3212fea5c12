#include "cli/study/lone_tables.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cli/print/output.h"
#include "cli/report/report_tables.h"
#include "cli/study/abstention_table.h"
#include "cli/study/agreement_table.h"
#include "cli/study/copies_table.h"
#include "cli/study/open_claims_table.h"
#include "cli/study/print_tables.h"
#include "cli/study/references.h"
#include "cli/study/spans_table.h"

namespace residue::cli {
namespace {

// FSP Table 5, of all judges at once.
void print_agreement(Context& context, const std::vector<verbs::AgreementFigures>& lines, bool reference) {
  std::set<const query::PublishedRow*> published;
  const bool json = context.out.wants_json();
  print_shown(context, agreement_table(lines, form_of(context.globals.format), json, reference, published));
  context.out.flush();
  for (const std::string& note : agreement_notes(lines)) context.out.note(note);
  for (const std::string& note : reference_notes(published)) context.out.note(note);
  context.out.note(
      "Spearman of ratings; kappa is of the kind beside it, cohen is unweighted, alpha Krippendorff's of ranks; "
      "linear: Cohen's with distances; confusion: ratings 1 2 3 of the second where the first rated 1 / 2 / 3; 95 % "
      "intervals by bootstrap");
}

// FSP 3.1.1: of all runs and models with answers.
void print_task(Context& context, const std::vector<query::TaskAccuracy>& lines, bool drop) {
  context.out.table(task_table(lines, drop));
  context.out.flush();
  context.out.note(
      fmt::format("share of right answers of {}; 95 % intervals",
                  drop ? "those that were given" : "all records with a task: failed and missing count as wrong"));
}

void print_corrected(Context& context, const query::CorrectedRates& rates) {
  context.out.table(corrected_table(rates));
  context.out.flush();
  context.out.note(fmt::format("as {1} counts under {0}, and as the people behind {2} labels would have counted",
                               rates.lens.spec.name(), rates.lens.judge_name, rates.labels));
}

void print_noise(Context& context, const query::Noise& noise, bool drop) {
  context.out.table(noise_table(noise));
  context.out.flush();
  context.out.note(
      fmt::format("standard deviations under {} by {}: of records, seeds, what is left of both; of claims "
                  "and of votes on one claim; failed and missing records {}",
                  query::seeds_name(noise.lens.spec, noise.seeds), noise.lens.judge_name,
                  drop ? "are left out" : "count as leaked"));
}

}  // namespace

void print_lone(Context& context, const verbs::TableResult& result, bool reference) {
  const bool drop = result.what.missing == query::MissingPolicy::kDrop;
  const verbs::LoneNumbers& lone = result.lone;
  if (const auto* lines = std::get_if<std::vector<verbs::AgreementFigures>>(&lone)) {
    print_agreement(context, *lines, reference);
  } else if (const auto* answers = std::get_if<std::vector<query::TaskAccuracy>>(&lone)) {
    print_task(context, *answers, drop);
  } else if (const auto* rates = std::get_if<query::CorrectedRates>(&lone)) {
    print_corrected(context, *rates);
  } else if (const auto* noise = std::get_if<query::Noise>(&lone)) {
    print_noise(context, *noise, drop);
  } else if (const auto* abstention = std::get_if<query::Abstention>(&lone)) {
    print_abstention(context, *abstention, result.what);
  } else if (const auto* claims = std::get_if<std::vector<query::OpenClaims>>(&lone)) {
    print_open_claims(context, *claims, result.what, result.absent_share);
  } else if (const auto* copies = std::get_if<std::vector<query::RunCopies>>(&lone)) {
    print_copies(context, *copies, result.what.dataset);
  } else {
    print_spans(context, std::get<std::vector<query::RunSpans>>(lone));
  }
}

}  // namespace residue::cli
