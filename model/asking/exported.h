// The ledger's part of the offline exchange. What is written into a batch file counts as sent: nobody knows whether it
// was, and what it costs, until its answer comes. So the rows say which answers may come back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "model/asking/egress.h"
#include "storage/catalog/sqlite.h"

namespace residue::model {

// A row of fate unknown; inside a write batch. `sending.after` as in record_sending().
void record_export(storage::Db& db, const Sender& sender, const Sending& sending, std::int64_t now_ms);

// Exported before, and neither answered nor refused since.
bool awaited(storage::Db& db, const VoteKey& vote);

// The endpoint that was asked last for this vote about somebody's texts, by name. Nothing: this store never asked for
// it.
std::optional<std::string> asked_model(storage::Db& db, const VoteKey& vote);

// How many claims the vote is about; 0: nobody said.
std::uint32_t asked_claims(storage::Db& db, const VoteKey& vote);

// The number of an answer that has come from a file: that of the first export which has neither answer nor refusal,
// else a new row's, but always behind `last`, the last that facts/ has: answers are never put before those that were
// read already. A refused export stays refused: whoever answered was asked again, elsewhere.
std::uint32_t arrived(storage::Db& db, const VoteKey& vote, std::uint32_t last, std::int64_t now_ms);

// The first export that has neither answer nor refusal was refused, by the line of this digest. False, and nothing is
// changed, where there is none, or an earlier export was refused by the same line: an old file says nothing about a
// later request.
bool record_refusal(storage::Db& db, const VoteKey& vote, std::string_view reason, std::string_view line);

// Whether the ledger knows what became of an attempt whose answer is in facts/.
bool settled(storage::Db& db, const VoteKey& vote, std::uint32_t attempt);

}  // namespace residue::model
