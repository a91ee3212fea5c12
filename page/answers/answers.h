// The table of what a page may ask the server: a path below /api/, and who answers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "page/answers/viewer.h"
#include "page/serve/request.h"

namespace residue::page {

// Runs in a process of its own, with one thread, nothing of the store open. Errors are answers.
Reply answer(const Viewer& viewer, const Request& request);

// The texts of a run, as the view `runs` counts them: how many are there, and how many of these failed. Records of which
// it has none are counted as failed by attacks, too; nothing: an unaligned run, whose texts are of no record.
struct TextCounts {
  std::uint64_t texts = 0, failed = 0;
  std::optional<std::uint64_t> lacking;
};

// By run. Cost: a look at the texts of runs that are not evaluated, once for each state of the store.
std::map<std::string, TextCounts> text_counts(const Viewer& viewer, storage::Store& store, const std::string& dataset);

// One each; they throw Error. Texts only of the viewer's level.
Reply answer_store(const Viewer& viewer, const Wanted& wanted);
Reply answer_metrics(const Viewer& viewer, const Wanted& wanted);
Reply answer_lenses(const Viewer& viewer, const Wanted& wanted);
Reply answer_runs(const Viewer& viewer, const Wanted& wanted);
// What speaks against believing those numbers: found by a look at every link, so not in answer_runs where notes=no.
Reply answer_notes(const Viewer& viewer, const Wanted& wanted);
Reply answer_compare(const Viewer& viewer, const Wanted& wanted);
Reply answer_records(const Viewer& viewer, const Wanted& wanted);
Reply answer_record(const Viewer& viewer, const Wanted& wanted);
// The terms of the attack on it: they need the run's index, so they are not in answer_record where terms=no.
Reply answer_terms(const Viewer& viewer, const Wanted& wanted);
Reply answer_votes(const Viewer& viewer, const Wanted& wanted);
Reply answer_leaks(const Viewer& viewer, const Wanted& wanted);
Reply answer_search(const Viewer& viewer, const Wanted& wanted);
Reply answer_slices(const Viewer& viewer, const Wanted& wanted);
Reply answer_status(const Viewer& viewer, const Wanted& wanted);
Reply answer_questions(const Viewer& viewer, const Wanted& wanted);
Reply answer_sql(const Viewer& viewer, const Wanted& wanted);

// These keep what a person says; they need the level claims.
Reply answer_label(const Viewer& viewer, const Wanted& wanted);
Reply answer_rating(const Viewer& viewer, const Wanted& wanted);
Reply answer_agreement(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_next(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_search(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_text(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_answer(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_outcome(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_report(const Viewer& viewer, const Wanted& wanted);
Reply answer_intruder_outcomes(const Viewer& viewer, const Wanted& wanted);

}  // namespace residue::page
