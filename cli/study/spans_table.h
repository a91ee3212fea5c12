// report --table spans: what runs replaced against what people marked, by type.
#pragma once

#include <vector>

#include "cli/command.h"
#include "query/study/span_confusion.h"

namespace residue::cli {

// A terminal gets a line for each type, a file one for each pair of types.
void print_spans(Context& context, const std::vector<query::RunSpans>& runs);

}  // namespace residue::cli
