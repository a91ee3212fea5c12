// What servers call themselves in their answers: the model and the fingerprint of each reply, which no setting decides.
// A server that swaps the model behind a name is noticed by them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "storage/store.h"

namespace residue::model {

// Names as servers wrote them, fit to be printed: at most 80 bytes, "?" for what is no usual character of names.
struct ServerName {
  std::string model, fingerprint;  // empty: not said

  friend auto operator<=>(const ServerName&, const ServerName&) = default;
};

// Of the answer of this vote and attempt; empty names where none is saved.
ServerName name_in(const storage::Facts::Reader& answers, const VoteKey& vote, std::uint32_t attempt);

struct AnsweredAs {
  std::string endpoint;
  ServerName name;
  std::uint64_t answers = 0;               // usable ones of the ledger
  std::int64_t first_ms = 0, last_ms = 0;  // when the first and the last were asked for
  std::int64_t median_ms = 0;              // how long they took; of an even number the lower
};

// By endpoint, oldest name first; probes, of which no answer is kept, left out. Reads every usable answer.
std::vector<AnsweredAs> answered_as(storage::Store& store);

// "model far answered as m-1 and m-2: ..."; empty where the first usable answer of the endpoint and its newest 64 have
// one model's name. Fingerprints, which change with every update of a server, are left to answered_as().
std::string swapped_note(storage::Store& store, std::string_view endpoint);

}  // namespace residue::model
