// The table of commands. To add one: write verb_NAME.cc with `Command NAME_command()`, and its line here.
#include <string>
#include <vector>

#include "cli/command.h"

// Order within a group is the order of help.
#define RESIDUE_COMMANDS(X)     \
  X(plan_command)               \
  X(eval_command)               \
  X(work_export_command)        \
  X(work_import_command)        \
  X(status_command)             \
  X(report_command)             \
  X(verify_report_command)      \
  X(bundle_command)             \
  X(verify_bundle_command)      \
  X(compare_command)            \
  X(leaks_command)              \
  X(show_command)               \
  X(link_command)               \
  X(explain_command)            \
  X(search_command)             \
  X(history_command)            \
  X(view_command)               \
  X(view_save_command)          \
  X(view_list_command)          \
  X(view_rm_command)            \
  X(sql_command)                \
  X(serve_command)              \
  X(export_command)             \
  X(export_snapshot_command)    \
  X(export_trec_command)        \
  X(export_qrels_command)       \
  X(text_rouge_command)         \
  X(text_bleu_command)          \
  X(text_jaro_winkler_command)  \
  X(text_vader_command)         \
  X(text_diff_command)          \
  X(text_stem_command)          \
  X(label_command)              \
  X(rate_next_command)          \
  X(rate_answer_command)        \
  X(rate_show_command)          \
  X(intruder_next_command)      \
  X(intruder_search_command)    \
  X(intruder_read_command)      \
  X(intruder_answer_command)    \
  X(intruder_tell_command)      \
  X(intruder_show_command)      \
  X(canary_check_command)       \
  X(judge_list_command)         \
  X(judge_show_command)         \
  X(judge_rate_command)         \
  X(judge_calibrate_command)    \
  X(judge_selftest_command)     \
  X(judge_unstable_command)     \
  X(judge_explain_miss_command) \
  X(quick_command)              \
  X(canary_make_command)        \
  X(init_command)               \
  X(model_add_command)          \
  X(model_list_command)         \
  X(model_show_command)         \
  X(model_test_command)         \
  X(model_rm_command)           \
  X(egress_command)             \
  X(egress_allow_command)       \
  X(egress_revoke_command)      \
  X(ingest_dataset_command)     \
  X(ingest_claims_command)      \
  X(ingest_run_command)         \
  X(ingest_labels_command)      \
  X(ingest_vectors_command)     \
  X(ingest_judgments_command)   \
  X(ingest_answers_command)     \
  X(ingest_attempts_command)    \
  X(atomize_command)            \
  X(paraphrase_command)         \
  X(embed_command)              \
  X(categorize_command)         \
  X(ask_command)                \
  X(sanitize_command)           \
  X(restore_command)            \
  X(tag_command)                \
  X(rename_command)             \
  X(rm_command)                 \
  X(purge_command)              \
  X(gc_command)                 \
  X(backup_command)             \
  X(check_command)              \
  X(migrate_command)            \
  X(info_command)               \
  X(doctor_command)             \
  X(help_command)               \
  X(version_command)

namespace residue::cli {

#define RESIDUE_DECLARE(function) Command function();
RESIDUE_COMMANDS(RESIDUE_DECLARE)
#undef RESIDUE_DECLARE

const std::vector<Command>& commands() {
#define RESIDUE_CALL(function) function(),
  static const std::vector<Command> table = {RESIDUE_COMMANDS(RESIDUE_CALL)};
#undef RESIDUE_CALL
  return table;
}

}  // namespace residue::cli
