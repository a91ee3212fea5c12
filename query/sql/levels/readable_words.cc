// Which level reads the words and bytes that stand in the catalog itself.
#include <array>
#include <span>

#include "query/sql/levels/readable.h"

namespace residue::query {
namespace {

using enum ReadLevel;

// Fingerprints named `content` are of ids and keys, not of words.
constexpr auto kWords = std::to_array<ReadColumn>({
    {"store_info", "key", kReleased},
    {"store_info", "value", kReleased},
    {"dataset", "name", kReleased},
    {"dataset", "content", kReleased},
    {"record", "key", kReleased},  // keys and persons name rows in every table of results
    {"record", "person", kReleased},
    {"record", "label", kReleased},
    {"claim_set", "name", kReleased},
    {"claim_set", "source", kReleased},
    {"claim_set", "content", kReleased},
    {"claim_set", "made_from", kReleased},
    {"claim_set", "words_of", kReleased},
    {"claim_set", "categorizer", kReleased},
    {"claim_set", "categories", kReleased},
    {"claim_set", "origin", kReleased},
    {"claim", "category", kReleased},
    {"label", "kind", kReleased},
    {"label", "annotator", kClaims},  // who said something
    {"label_asked", "chosen", kReleased},
    {"intruder_attempt", "protocol", kReleased},
    {"intruder_attempt", "annotator", kClaims},
    {"intruder_attempt", "present", kClaims},  // from here on what somebody said, and what came of it: no words
    {"intruder_attempt", "answered_at", kClaims},
    {"intruder_attempt", "chosen_id", kClaims},
    {"intruder_attempt", "sure", kClaims},
    {"intruder_attempt", "ms", kClaims},
    {"intruder_attempt", "searches", kClaims},
    {"intruder_attempt", "about", kClaims},
    {"intruder_attempt", "told", kClaims},
    {"intruder_attempt", "blind", kClaims},
    {"intruder_attempt", "stratum", kReleased},  // names a value of record.label, or what a link is
    {"intruder_look", "protocol", kReleased},
    {"intruder_look", "reader", kClaims},
    {"embedder", "name", kReleased},
    {"embedder", "content", kOriginals},  // of the values of vectors
    {"vector", "digest", kOriginals},     // of the values
    {"embedder_origin", "name", kReleased},
    {"embedder_origin", "spec", kReleased},
    {"embedder_origin", "queries", kReleased},
    {"run", "name", kReleased},
    {"run", "kind", kReleased},
    {"run", "sanitizer", kReleased},
    {"run", "params", kReleased},
    {"run", "grp", kReleased},
    {"run", "content", kReleased},
    {"run", "substitutions", kReleased},
    {"run", "made_from", kReleased},
    {"variant", "key", kReleased},
    {"variant", "error", kOriginals},  // a sanitizer's own words: they may quote what it was given
    {"program_answer", "asked", kReleased},
    {"run_vote", "vote", kOriginals},
    {"run_tag", "tag", kReleased},
    {"run_note", "note", kOriginals},  // the owner's own words: they may quote what they are about
    {"run_made", "version", kReleased},
    {"saved_view", "name", kReleased},
    {"saved_view", "words", kReleased},  // arguments of a command: names, conditions on runs
    {"privacy_release", "dataset", kReleased},
    {"privacy_release", "run", kReleased},
    {"privacy_release", "release", kOriginals},
    {"privacy_release", "unit", kReleased},
    {"privacy_release", "noise", kReleased},
    {"privacy_release", "spending", kReleased},
    {"run_claim_set", "name", kReleased},
    {"run_claim_set", "source", kReleased},
    {"run_claim_set", "content", kReleased},
    {"run_claim_set", "made_from", kReleased},
    {"ingest_progress", "target", kReleased},
    {"ingest_progress", "path", kReleased},
    {"ingest_progress", "counts", kReleased},
    {"auxiliary", "policy", kReleased},
    {"auxiliary", "content", kReleased},
    {"auxiliary_query", "claims", kReleased},  // numbers
    {"protocol", "name", kReleased},
    {"protocol", "linker", kReleased},
    {"protocol_input", "kind", kReleased},
    {"protocol_input", "name", kReleased},
    {"index_segment", "analyzer", kReleased},
    {"index_segment", "file", kReleased},
    {"index_segment", "sha256", kOriginals},  // of an index of words
    {"indexed", "analyzer", kReleased},
    {"link_basis", "analyzer", kReleased},
    {"link_basis", "documents", kReleased},
    {"link_basis", "links", kOriginals},
    {"judge", "name", kReleased},
    {"judge", "spec", kClaims},  // with the prompt, and so with its examples
    {"judge", "digest", kClaims},
    {"request", "claims", kReleased},  // numbers of texts
    {"task_answer", "model", kReleased},
    {"task_answer", "task", kReleased},
    {"answer_set", "model", kReleased},
    {"answer_set", "task", kReleased},
    {"answer_set", "content", kReleased},
    {"answer_set", "digest", kClaims},
    {"model", "name", kReleased},
    {"model", "asking", kClaims},
    {"model", "transport", kReleased},
    {"model", "template", kClaims},
    {"asked_with", "digest", kClaims},
    {"asked_with", "spec", kClaims},
    {"egress_rule", "host", kReleased},
    {"attempt", "vote", kOriginals},
    {"attempt", "model", kReleased},
    {"attempt", "dataset", kReleased},
    {"attempt", "host", kReleased},
    {"attempt", "body", kOriginals},  // SHA-256 of a request: a guess at the text could be confirmed by it
    {"attempt", "state", kReleased},
    {"attempt", "reason", kOriginals},
    {"attempt", "line", kOriginals},
    {"vote_text", "vote", kOriginals},
    {"vote_text", "text", kOriginals},
    {"erased_vote", "vote", kOriginals},
    {"erasure", "target", kOriginals},
    {"backup", "path", kReleased},
    {"evaluation", "tier", kReleased},
    {"evaluation", "definitions", kReleased},
    {"evaluation", "run_content", kReleased},
    {"evaluation", "dataset_content", kReleased},
    {"evaluation", "claims_content", kOriginals},
    {"scored", "scores", kReleased},
    {"cut", "name", kReleased},
    {"aggregate", "replicates", kReleased},
    {"metric_definition", "name", kReleased},
    {"metric_definition", "direction", kReleased},
    {"metric_definition", "source", kReleased},
    {"metric", "slice", kReleased},
    {"metric_reason", "reason", kReleased},
});

}  // namespace

std::span<const ReadColumn> word_columns() { return kWords; }

}  // namespace residue::query
