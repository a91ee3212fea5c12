// Files of programs beside ours, by --preset or by what they are, in the place of files in our formats.
//
//   --preset inspect | promptfoo | presidio | tau-eval ─> rows as of JSON Lines ─> ingest/rows
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ingest/rows/rows.h"

namespace residue::ingest {

// "inspect" or "promptfoo" where the file is surely of that program: it begins with the members that these write first,
// in their order, which no row of ours has. Else "". Looks at regular files alone, at their first 4 KiB.
std::string_view recognised(const std::string& path);

// As open_variants, open_judgments and open_answers, also of files of other programs. Without a preset, what is
// recognised is read as such, and a note says so. Throws Error{usage} for --id auto
// and flags of other kinds of files with a preset of theirs, and for answers without --task, --run and --map run.
std::unique_ptr<RowSource<VariantRow>> open_run(const VariantSourceOptions& options);
std::unique_ptr<RowSource<JudgmentRow>> open_judgments_of(const JudgmentSourceOptions& options);
std::unique_ptr<RowSource<AnswerRow>> open_answers_of(const AnswerSourceOptions& options);

}  // namespace residue::ingest
