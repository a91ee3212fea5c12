// Statements on the table attempt (schema.sql).
#pragma once

namespace residue::storage::sql {

// vote -> most claims that it rates together; 0: nobody said
inline constexpr char kAttemptClaimCountOfVote[] = "SELECT coalesce(max(claims), 0) FROM attempt WHERE vote = ?1";

// vote, n: with an answer, usable or not
inline constexpr char kAttemptExistsAnswered[] =
    "SELECT 1 FROM attempt WHERE vote = ?1 AND n = ?2 AND state IN ('saved','invalid') LIMIT 1";

// vote, line
inline constexpr char kAttemptExistsByLine[] = "SELECT 1 FROM attempt WHERE vote = ?1 AND line = ?2";

// vote, reason: any that was not sent for it
inline constexpr char kAttemptExistsNotSentForReason[] =
    "SELECT 1 FROM attempt WHERE vote = ?1 AND state = 'refused' AND bytes = 0 AND reason = ?2";

// vote: any of unknown outcome
inline constexpr char kAttemptExistsUnknown[] = "SELECT 1 FROM attempt WHERE vote = ?1 AND state = 'unknown'";

// vote, reason
inline constexpr char kAttemptExistsUnknownForReason[] =
    "SELECT 1 FROM attempt WHERE vote = ?1 AND state = 'unknown' AND reason = ?2";

// vote -> largest n; 0: none
inline constexpr char kAttemptLastNumberOfVote[] = "SELECT coalesce(max(n), 0) FROM attempt WHERE vote = ?1";

// vote -> model of the last attempt that was no probe
inline constexpr char kAttemptModelOfVote[] =
    "SELECT model FROM attempt WHERE vote = ?1 AND dataset IS NOT NULL ORDER BY n DESC LIMIT 1";

// vote, n, reason -> smallest n after it of unknown outcome for this reason, or NULL
inline constexpr char kAttemptNextUnknownOfVote[] =
    "SELECT min(n) FROM attempt WHERE vote = ?1 AND n > ?2 AND state = 'unknown' AND reason = ?3";

// most tokens that are believed -> what left, by host, model and dataset; 16 columns
inline constexpr char kAttemptSumsByReceiver[] =
    "SELECT host, model, coalesce(dataset, ''), max(loopback), sum(bytes > 0), sum(bytes), sum(state = 'saved'), "
    "sum(state = 'invalid'), sum(state = 'refused' AND bytes > 0), sum(state IN ('unknown','sent')), sum(iif(tokens_in "
    "BETWEEN 0 AND ?1, tokens_in, 0)), sum(iif(tokens_out BETWEEN 0 AND ?1, tokens_out, 0)), total(max(coalesce(cost, "
    "0), 0)), max(sent_at), sum(bytes = 0), total(iif(tokens_in IS NULL OR tokens_out IS NULL, max(coalesce(cost, 0), "
    "0), "
    "0)) FROM attempt GROUP BY host, model, dataset ORDER BY loopback, host, model, "
    "dataset";

// run -> attempts, input tokens, output tokens, cost, and how much of it nobody counted; of what its making asked
inline constexpr char kAttemptSumsOfRunVotes[] =
    "SELECT count(*), coalesce(sum(a.tokens_in), 0), coalesce(sum(a.tokens_out), 0), coalesce(sum(a.cost), 0), "
    "coalesce(sum(iif(a.tokens_in IS NULL OR a.tokens_out IS NULL, a.cost, 0)), 0) FROM "
    "run_vote v JOIN attempt a ON a.vote = v.vote WHERE v.run_id = ?1";

// dataset's name ('': all) -> run, requests, tokens in, tokens out, cost, cost that no server counted; of runs that asked
inline constexpr char kAttemptSumsOfRuns[] =
    "SELECT v.run_id, count(*), coalesce(sum(a.tokens_in), 0), coalesce(sum(a.tokens_out), 0), coalesce(sum(a.cost), "
    "0), coalesce(sum(iif(a.tokens_in IS NULL OR a.tokens_out IS NULL, a.cost, 0)), 0) FROM run_vote v JOIN run u ON "
    "u.id = v.run_id JOIN dataset d ON d.id = u.dataset_id JOIN attempt a ON a.vote = v.vote WHERE ?1 = '' OR d.name = "
    "?1 GROUP BY v.run_id";

// model, host, most tokens that are believed -> vote, n, is it usable, bytes; of the answers of which the most tokens
// were counted, or next to that, the newest, without probes
inline constexpr char kAttemptsCountedMost[] =
    "SELECT vote, n, state = 'saved', bytes FROM attempt WHERE model = ?1 AND host = ?2 AND dataset IS NOT NULL AND "
    "state IN ('saved','invalid') AND tokens_in >= (SELECT max(tokens_in) * 39 / 40 FROM attempt WHERE model = ?1 AND "
    "host = ?2 AND dataset IS NOT NULL AND state IN ('saved','invalid') AND tokens_in <= ?3) AND tokens_in <= ?3 ORDER "
    "BY state = 'saved' DESC, id DESC LIMIT 4096";

// model, host, most tokens that are believed -> the same columns of the longest requests that were answered
inline constexpr char kAttemptsLongest[] =
    "SELECT vote, n, state = 'saved', bytes FROM attempt WHERE model = ?1 AND host = ?2 AND dataset IS NOT NULL AND "
    "state IN ('saved','invalid') AND tokens_in <= ?3 ORDER BY bytes DESC LIMIT 1024";

// model, host: any with a usable answer, without probes
inline constexpr char kAttemptExistsSavedOfModel[] =
    "SELECT 1 FROM attempt WHERE model = ?1 AND host = ?2 AND dataset IS NOT NULL AND state = 'saved' LIMIT 1";

// vote, two reasons -> the reason of the last attempt, if it was refused for one of them
inline constexpr char kAttemptRefusedForReason[] =
    "SELECT reason FROM attempt WHERE vote = ?1 AND state = 'refused' AND reason IN (?2, ?3) ORDER BY n DESC LIMIT 1";

// model, host, bytes -> vote, n of the usable answers to longer requests, without probes
inline constexpr char kAttemptsSavedLonger[] =
    "SELECT vote, n FROM attempt WHERE model = ?1 AND host = ?2 AND dataset IS NOT NULL AND state = 'saved' AND bytes "
    "> "
    "?3";

// model, host, bytes, tokens -> vote, n of the usable answers to requests of so many bytes and more of which nobody
// counted so many tokens, without probes
inline constexpr char kAttemptsSavedUncounted[] =
    "SELECT vote, n FROM attempt WHERE model = ?1 AND host = ?2 AND dataset IS NOT NULL AND state = 'saved' AND bytes "
    ">= ?3 AND coalesce(tokens_in, 0) < ?4 ORDER BY id";

// vote -> n of its answers, usable or not
inline constexpr char kAttemptsAnsweredOfVote[] =
    "SELECT n FROM attempt WHERE vote = ?1 AND state IN ('saved','invalid')";

// vote, n -> model, dataset ('': a probe), is it a judge's, time
inline constexpr char kAttemptAskedOf[] =
    "SELECT model, coalesce(dataset, ''), claims IS NOT NULL, strftime('%Y-%m-%d %H:%M:%S', sent_at / 1000, "
    "'unixepoch') FROM attempt WHERE vote = ?1 AND n = ?2";

// vote, n -> bytes
inline constexpr char kAttemptBytes[] = "SELECT bytes FROM attempt WHERE vote = ?1 AND n = ?2";

// model -> vote, n
inline constexpr char kAttemptsInFlightOfModel[] = "SELECT vote, n FROM attempt WHERE model = ?1 AND state = 'sent'";

// how many (-1: all) -> time, host, model, dataset, ..., ms, is there an answer; oldest first
inline constexpr char kAttemptsNewest[] =
    "SELECT sent_at, host, model, coalesce(dataset, ''), vote, body, n, bytes, iif(bytes = 0, 'not sent', state), "
    "coalesce(reason, ''), ms, state IN ('saved','invalid') FROM (SELECT * FROM attempt ORDER BY id DESC LIMIT ?1) "
    "ORDER BY id";

// -> model, vote, n, time, ms (0: unknown), without probes, oldest first
inline constexpr char kAttemptsSavedByTime[] =
    "SELECT model, vote, n, sent_at, coalesce(ms, 0) FROM attempt WHERE state = 'saved' AND dataset IS NOT NULL ORDER "
    "BY sent_at, id";

// model, how many newest -> vote, n of these and of the oldest, without probes
inline constexpr char kAttemptsSavedOldestAndNewestOfModel[] =
    "SELECT vote, n FROM (SELECT * FROM attempt WHERE model = ?1 AND state = 'saved' AND dataset NOTNULL ORDER BY id "
    "LIMIT 1) UNION SELECT vote, n FROM (SELECT * FROM attempt WHERE model = ?1 AND state = 'saved' AND dataset "
    "NOTNULL ORDER BY id DESC LIMIT ?2)";

// vote, n, model, dataset, host, loopback, time, bytes, body, claims (0: unknown), set aside for it (or NULL); the
// state is 'sent'
inline constexpr char kInsertAttempt[] =
    "INSERT INTO attempt (vote, n, model, dataset, host, loopback, sent_at, bytes, body, state, claims, cost) VALUES "
    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'sent', nullif(?10, 0), ?11)";

// vote, n, time, reason: the vote's last attempt again, as of unknown outcome
inline constexpr char kInsertAttemptLikeLast[] =
    "INSERT INTO attempt (vote, n, model, dataset, host, loopback, sent_at, bytes, body, state, reason, claims) SELECT "
    "vote, ?2, model, dataset, host, loopback, ?3, (SELECT max(bytes) FROM attempt WHERE vote = ?1), body, 'unknown', "
    "?4, claims FROM attempt WHERE vote = ?1 ORDER BY n DESC LIMIT 1";

// vote, n, reason: an answer that was saved and is of no use
inline constexpr char kUpdateAttemptInvalid[] =
    "UPDATE attempt SET state = 'invalid', reason = ?3 WHERE vote = ?1 AND n = ?2";

// vote, n, state, reason, status, tokens in, tokens out, cost, ms, did it leave (0: bytes become 0). Without a cost
// what was set aside stays, the most that it may have been; what was refused has none
inline constexpr char kUpdateAttemptOutcome[] =
    "UPDATE attempt SET state = ?3, reason = ?4, status = ?5, tokens_in = ?6, tokens_out = ?7, cost = iif(?10 "
    "AND ?3 <> 'refused', coalesce(?8, cost), NULL), ms = ?9, bytes = iif(?10, bytes, 0) WHERE vote = ?1 AND n = ?2";

// vote, reason it is open for, why refused, line: the first of unknown outcome for that reason
inline constexpr char kUpdateAttemptRefused[] =
    "UPDATE attempt SET state = 'refused', reason = ?2 || ': ' || ?3, line = ?4 WHERE vote = ?1 AND n = (SELECT min(n) "
    "FROM attempt WHERE vote = ?1 AND state = 'unknown' AND reason = ?2)";

}  // namespace residue::storage::sql
