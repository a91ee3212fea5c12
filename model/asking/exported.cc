#include "model/asking/exported.h"

#include <algorithm>

#include "storage/catalog/answers/attempt.h"

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

bool awaited(storage::Db& db, const VoteKey& vote) {
  Statement find = db.prepare(storage::sql::kAttemptExistsUnknownForReason);
  return find.bind(Statement::Blob{vote.bytes()}, kExported).step();
}

std::optional<std::string> asked_model(storage::Db& db, const VoteKey& vote) {
  Statement find = db.prepare(storage::sql::kAttemptModelOfVote);
  if (!find.bind(Statement::Blob{vote.bytes()}).step()) return std::nullopt;
  return std::string(find.text(0));
}

std::uint32_t asked_claims(storage::Db& db, const VoteKey& vote) {
  Statement find = db.prepare(storage::sql::kAttemptClaimCountOfVote);
  return find.bind(Statement::Blob{vote.bytes()}).step() ? static_cast<std::uint32_t>(find.integer(0)) : 0;
}

std::uint32_t arrived(storage::Db& db, const VoteKey& vote, std::uint32_t last, std::int64_t now_ms) {
  Statement open = db.prepare(storage::sql::kAttemptNextUnknownOfVote);
  open.bind(Statement::Blob{vote.bytes()}, last, kExported);
  if (open.step() && !open.is_null(0)) return static_cast<std::uint32_t>(open.integer(0));
  open.reset();
  Statement most = db.prepare(storage::sql::kAttemptLastNumberOfVote);
  most.bind(Statement::Blob{vote.bytes()});
  most.step();
  const std::uint32_t n = std::max(static_cast<std::uint32_t>(most.integer(0)), last) + 1;
  most.reset();
  db.prepare(storage::sql::kInsertAttemptLikeLast).run(Statement::Blob{vote.bytes()}, n, now_ms, kExported);
  return n;
}

bool record_refusal(storage::Db& db, const VoteKey& vote, std::string_view reason, std::string_view line) {
  Statement known = db.prepare(storage::sql::kAttemptExistsByLine);
  if (known.bind(Statement::Blob{vote.bytes()}, Statement::Blob{line}).step()) return false;
  db.prepare(storage::sql::kUpdateAttemptRefused)
      .run(Statement::Blob{vote.bytes()}, kExported, reason, Statement::Blob{line});
  return db.changes() > 0;
}

bool settled(storage::Db& db, const VoteKey& vote, std::uint32_t attempt) {
  Statement find = db.prepare(storage::sql::kAttemptExistsAnswered);
  return find.bind(Statement::Blob{vote.bytes()}, attempt).step();
}

}  // namespace residue::model
