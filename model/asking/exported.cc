#include "model/asking/exported.h"

#include <algorithm>

namespace residue::model {
namespace {

using storage::Statement;

// As the ledger shows it; what became of it stands behind.
constexpr std::string_view kExported = "exported to a file";

}  // namespace

void record_export(storage::Db& db, const Sender& sender, const Sending& sending, std::int64_t now_ms) {
  Outgoing outgoing;
  outgoing.vote = sending.vote;
  outgoing.attempt = record_sending(db, sender, sending, now_ms);
  outgoing.reason = kExported;
  record_fate(db, outgoing);
}

bool awaited(storage::Db& db, std::string_view vote) {
  Statement find = db.prepare("SELECT 1 FROM attempt WHERE vote = ?1 AND state = 'unknown' AND reason = ?2");
  return find.bind(Statement::Blob{vote}, kExported).step();
}

std::optional<std::string> asked_model(storage::Db& db, std::string_view vote) {
  Statement find =
      db.prepare("SELECT model FROM attempt WHERE vote = ?1 AND dataset IS NOT NULL ORDER BY n DESC LIMIT 1");
  if (!find.bind(Statement::Blob{vote}).step()) return std::nullopt;
  return std::string(find.text(0));
}

std::uint32_t asked_claims(storage::Db& db, std::string_view vote) {
  Statement find = db.prepare("SELECT coalesce(max(claims), 0) FROM attempt WHERE vote = ?1");
  return find.bind(Statement::Blob{vote}).step() ? static_cast<std::uint32_t>(find.integer(0)) : 0;
}

std::uint32_t arrived(storage::Db& db, std::string_view vote, std::uint32_t last, std::int64_t now_ms) {
  Statement open = db.prepare(
      "SELECT min(n) FROM attempt WHERE vote = ?1 AND n > ?2 AND state = 'unknown'"
      " AND reason = ?3");
  open.bind(Statement::Blob{vote}, last, kExported);
  if (open.step() && !open.is_null(0)) return static_cast<std::uint32_t>(open.integer(0));
  open.reset();
  Statement most = db.prepare("SELECT coalesce(max(n), 0) FROM attempt WHERE vote = ?1");
  most.bind(Statement::Blob{vote});
  most.step();
  const std::uint32_t n = std::max(static_cast<std::uint32_t>(most.integer(0)), last) + 1;
  most.reset();
  db.prepare(
        "INSERT INTO attempt (vote, n, model, dataset, host, loopback, sent_at, bytes, body, state, reason, claims)"
        " SELECT vote, ?2, model, dataset, host, loopback, ?3, (SELECT max(bytes) FROM attempt WHERE vote = ?1), body,"
        " 'unknown', ?4, claims FROM attempt"
        " WHERE vote = ?1 ORDER BY n DESC LIMIT 1")
      .run(Statement::Blob{vote}, n, now_ms, kExported);
  return n;
}

bool record_refusal(storage::Db& db, std::string_view vote, std::string_view reason, std::string_view line) {
  Statement known = db.prepare("SELECT 1 FROM attempt WHERE vote = ?1 AND line = ?2");
  if (known.bind(Statement::Blob{vote}, Statement::Blob{line}).step()) return false;
  db.prepare(
        "UPDATE attempt SET state = 'refused', reason = ?2 || ': ' || ?3, line = ?4 WHERE vote = ?1 AND n ="
        " (SELECT min(n) FROM attempt WHERE vote = ?1 AND state = 'unknown' AND reason = ?2)")
      .run(Statement::Blob{vote}, kExported, reason, Statement::Blob{line});
  return db.changes() > 0;
}

bool settled(storage::Db& db, std::string_view vote, std::uint32_t attempt) {
  Statement find =
      db.prepare("SELECT 1 FROM attempt WHERE vote = ?1 AND n = ?2 AND state IN ('saved','invalid') LIMIT 1");
  return find.bind(Statement::Blob{vote}, attempt).step();
}

}  // namespace residue::model
