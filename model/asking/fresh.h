// One request of a run on its way: as it is about to be sent, in flight, and with its reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/waiting.h"
#include "model/limits/read_whole.h"
#include "model/limits/spending.h"
#include "model/server/http_client.h"
#include "model/server/retry.h"
#include "storage/store.h"

namespace residue::model {

struct Draft {  // about to be sent
  Pending pending;
  std::string body;
  MostCost cost;
  std::uint64_t least_tokens = 0;  // of its prompt
};

struct TooLong {  // and so not sent
  Pending pending;
  std::string body;
};

struct InFlight {
  Pending pending;
  std::uint32_t attempt = 0;
  MostCost cost;
  std::uint64_t least_tokens = 0;  // of its prompt
  std::size_t bytes = 0;           // of the request
  std::int64_t sent_ms = 0;
};

struct Fresh {  // a reply, with what was in flight
  HttpReply reply;
  InFlight flight;
  Decision decision;
  Reading reading;  // of an answer
  bool save = false;
  bool gave_up = false;
  const char* skipped = "";  // where this prompt alone is refused: why
  bool cut = false;          // it is to a prompt that was not read whole; it would be so again
};

// Its status, or why there was none.
std::string words(const Fresh& fresh);

// For the ledger, but for its fate.
Outgoing outgoing_of(const Fresh& fresh);

// Why a model's server will not answer, whatever it is asked: Error{io}.
Error refusal(const Fresh& fresh, const std::string& model);

// Why a run stops: answers that are nonsense, or the lack of one without which the others are worth nothing.
Error nonsense(const Usability& usability, const std::string& model);
Error no_answer(const std::string& reason, const std::string& model);

// What is still in flight.
struct Others {
  std::size_t requests = 0;
  double set_aside = 0;  // USD
};

// An answer was longer than `expected` tokens, so the budget does not hold.
Error broken_limit(const Reading& reading, std::int64_t expected, double spent, const Others& others,
                   const std::string& model);

// Rows of the ledger for those that were not sent, each once for ever.
void record_too_long(storage::Db& db, const Sender& sender, const std::vector<TooLong>& too_long, std::int64_t now);

// The answers of which the server of `sender` counted the most tokens that it ever counted for this model, or nearly so
// many, and those to the longest requests, as far as the ledger and what is saved of them tell.
std::vector<PromptGrowth::Seen> longest_counted(storage::Store& store, const Sender& sender);

// Whether its server has ever given an answer that can be used.
bool ever_answered(storage::Db& db, const Sender& sender);

// Keeps with the model that prompts from so many least_tokens() on are cut, where nothing shorter is known to be.
void keep_cut_from(storage::Db& db, std::string_view model, std::uint64_t least);

// Marks saved answers, and their rows of the ledger, as those to prompts that were cut.
void take_back(storage::Store& store, storage::WriteBatch& batch, const std::string& url,
               const std::vector<PromptGrowth::Seen>& answers, std::int64_t now);

}  // namespace residue::model
