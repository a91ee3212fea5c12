// Answers to questions about sanitized texts against those about the originals: pure functions.
//
//   answers about the run's text ── substitutions taken back ──> words ── equal? ── answers about the original
//
// ZSTS, "Question Answering" and Table 2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/task_scores.h"
#include "text/replacing/substitution.h"

namespace residue::query {

// Whether two answers are one, in words: in lower case, without punctuation; where neither has a word, in characters.
bool same_answer(std::string_view original, std::string_view own, const text::Substitutions& table);

// Whether an answer is true: it says yes first. Such answers mostly name something that has to be recovered.
bool is_true(std::string_view answer);

// qa_accuracy (units: questions) and qa_accuracy_true (questions whose answer about the original is true; not
// applicable where none is known to be). A record is lost where the answers about either text are. Answers to another
// number of questions are answers to others: missing.
std::vector<Contribution> qa_scores(const TaskCase& original, const TaskCase& own, const text::Substitutions& table);

}  // namespace residue::query
