// Responses of a model to sanitized texts against its responses to the originals: pure functions (LOP Table 3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/task_scores.h"
#include "text/measures/rouge.h"

namespace residue::query {

// The text that is compared, of an answer to the task `response`: the restored one where there is one.
std::string response_text(std::string_view answer);

// response_bleu1 ... response_rougeL_f of one record; the response to the original is the reference. A record is lost
// where either response is; ROUGE is not applicable where the reference has no word that it sees. `tokenizer` stems.
std::vector<Contribution> response_scores(const TaskCase& original, const TaskCase& own,
                                          text::RougeTokenizer& tokenizer);

}  // namespace residue::query
