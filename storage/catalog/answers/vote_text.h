// Statements on the table vote_text (schema.sql).
#pragma once

namespace residue::storage::sql {

// vote
inline constexpr char kDeleteVoteTextsOfVote[] = "DELETE FROM vote_text WHERE vote = ?1";

// vote, address; does nothing where it is there
inline constexpr char kInsertVoteText[] = "INSERT OR IGNORE INTO vote_text (vote, text) VALUES (?1, ?2)";

// vote -> addresses
inline constexpr char kVoteTextsOfVote[] = "SELECT text FROM vote_text WHERE vote = ?1";

// -> vote, address; of all
inline constexpr char kVoteTextsOfAll[] = "SELECT vote, text FROM vote_text";

// dataset ('': of any), whether also of those that are not there any more -> vote with an answer, address of a text
// that it is about, or NULL, whether an answer of it was unusable, whether it made a run that is there; none that is to
// be erased
inline constexpr char kVoteTextsOfAnswered[] =
    "SELECT a.vote, t.text, max(a.state = 'invalid'), EXISTS (SELECT 1 FROM run_vote r WHERE r.vote = a.vote) FROM "
    "attempt a LEFT JOIN vote_text t ON t.vote = a.vote WHERE "
    "a.dataset IS NOT NULL AND (?1 IN ('', a.dataset) OR (?2 AND a.dataset NOT IN (SELECT name FROM dataset))) AND "
    "a.state IN ('saved','invalid') AND NOT EXISTS (SELECT 1 FROM erased_vote e WHERE e.vote = a.vote) "
    "GROUP BY a.vote, t.text";

}  // namespace residue::storage::sql
