#include "storage/catalog/repair/cost.h"

#include <algorithm>

namespace residue::storage {
namespace {

constexpr std::string_view kEval = "residue eval computes it again";
constexpr std::string_view kIngest = "residue ingest dataset NAME FILE again";
constexpr std::string_view kClaims = "residue ingest claims or residue atomize again";
constexpr std::string_view kRun = "residue ingest run or residue sanitize again";
constexpr std::string_view kTag = "residue tag again";
constexpr std::string_view kRunClaims = "residue atomize DATASET/RUN or residue ingest claims again";
constexpr std::string_view kVectors = "residue embed or residue ingest vectors again";
constexpr std::string_view kModels = "residue model add and residue egress allow again";
constexpr std::string_view kAnswers = "residue ask again: what is kept in facts/ is not asked twice";
constexpr std::string_view kJudgments = "residue eval again; judgments from files: residue ingest judgments again";
constexpr std::string_view kGap = "nothing brings it back; no number depends on it";
constexpr std::string_view kAskedPeople = "nothing brings it back: nobody knows which of those labels were blind";
constexpr std::string_view kLooks = "nothing brings it back: answers from now on count as blind";
constexpr std::string_view kSpent = "nothing brings it back: releases before now are not counted any more";
constexpr std::string_view kUnknownQuotes =
    "nothing brings it back: residue purge keeps answers that may quote what it removes";
constexpr std::string_view kBackup = "restore the last backup";

constexpr TableCost kTables[] = {
    {"store_info", Loss::kInput, kBackup, ""},
    {"dataset", Loss::kInput, kIngest, ""},
    {"record", Loss::kInput, kIngest, "dataset.content"},
    {"claim_set", Loss::kInput, kClaims, ""},
    {"claim", Loss::kInput, kClaims, "claim_set.content"},
    {"label", Loss::kInput, "residue ingest labels again", ""},
    {"label_asked", Loss::kRecord, kAskedPeople, ""},
    {"embedder", Loss::kInput, kVectors, ""},
    {"vector", Loss::kInput, kVectors, ""},
    {"embedder_origin", Loss::kInput, kVectors, ""},
    {"run", Loss::kInput, kRun, ""},
    {"variant", Loss::kInput, kRun, "run.content"},
    {"program_answer", Loss::kDerived, "residue sanitize makes what it needs again", ""},
    {"run_vote", Loss::kRecord, kGap, ""},
    {"run_tag", Loss::kInput, kTag, ""},
    {"run_note", Loss::kInput, kTag, ""},
    {"run_made", Loss::kRecord, kGap, ""},
    {"saved_view", Loss::kInput, "residue view save again", ""},
    {"privacy_release", Loss::kRecord, kSpent, ""},
    {"run_claim_set", Loss::kInput, kRunClaims, ""},
    {"run_claim", Loss::kInput, kRunClaims, "run_claim_set.content"},
    {"ingest_progress", Loss::kInput, "repeat what was being ingested", ""},
    {"auxiliary", Loss::kDerived, kEval, ""},
    {"auxiliary_query", Loss::kDerived, kEval, ""},
    {"protocol", Loss::kDerived, kEval, ""},
    {"protocol_input", Loss::kDerived, kEval, ""},
    {"link", Loss::kDerived, kEval, ""},
    {"link_place", Loss::kDerived, kEval, ""},
    {"intruder_attempt", Loss::kInput, "nothing brings it back: people have to be asked again", ""},
    {"intruder_look", Loss::kInput, kLooks, ""},
    {"index_segment", Loss::kDerived, kEval, ""},
    {"indexed", Loss::kDerived, kEval, ""},
    {"link_basis", Loss::kDerived, kEval, ""},
    {"link_basis_change", Loss::kDerived, kEval, ""},
    {"judge", Loss::kInput, kJudgments, ""},
    {"judgment", Loss::kInput, kJudgments, ""},
    {"request", Loss::kInput, kJudgments, ""},
    {"claim_request", Loss::kDerived, kEval, ""},
    {"judgment_sample", Loss::kInput, kJudgments, ""},
    {"task_answer", Loss::kInput, kAnswers, "answer_set.content"},
    {"answer_set", Loss::kInput, kAnswers, ""},
    {"model", Loss::kInput, kModels, ""},
    {"asked_with", Loss::kInput, kAnswers, ""},
    {"egress_rule", Loss::kInput, kModels, ""},
    {"attempt", Loss::kRecord, "nothing brings it back: the ledger of requests has a gap, the answers are kept", ""},
    {"vote_text", Loss::kRecord, kUnknownQuotes, ""},
    {"erased_vote", Loss::kRecord, "residue purge the same again", ""},
    {"erasure", Loss::kRecord, "residue purge the same again", ""},
    {"backup", Loss::kRecord, "nothing brings it back: residue purge does not name those backups", ""},
    {"evaluation", Loss::kDerived, kEval, ""},
    {"scored", Loss::kDerived, kEval, ""},
    {"cut", Loss::kDerived, kEval, ""},
    {"aggregate", Loss::kDerived, kEval, ""},
    {"metric_definition", Loss::kDerived, kEval, ""},
    {"metric", Loss::kDerived, kEval, ""},
    {"metric_reason", Loss::kDerived, kEval, ""},
    {"metric_history", Loss::kRecord, "nothing brings it back: residue history has a gap", ""},
};

constexpr TableCost kUnknown{"", Loss::kInput, kBackup, ""};

}  // namespace

std::span<const TableCost> table_costs() { return kTables; }

const TableCost& cost_of(std::string_view table) {
  const auto* found = std::ranges::find(kTables, table, &TableCost::table);
  return found == std::end(kTables) ? kUnknown : *found;
}

}  // namespace residue::storage
