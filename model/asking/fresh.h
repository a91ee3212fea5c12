// One request of a run on its way: as it is about to be sent, in flight, and with its reply.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/spending.h"
#include "model/asking/waiting.h"
#include "model/server/http_client.h"
#include "model/server/retry.h"

namespace residue::model {

struct Draft {  // about to be sent
  Pending pending;
  std::string body;
  MostCost cost;
};

struct InFlight {
  Pending pending;
  std::uint32_t attempt = 0;
  MostCost cost;
  std::int64_t sent_ms = 0;
};

struct Fresh {  // a reply, with what was in flight
  HttpReply reply;
  InFlight flight;
  Decision decision;
  Reading reading;  // of an answer
  bool save = false;
  bool gave_up = false;
};

// Its status, or why there was none.
std::string words(const Fresh& fresh);

// For the ledger, but for its fate.
Outgoing outgoing_of(const Fresh& fresh);

// Why a model's server will not answer, whatever it is asked: Error{io}.
Error refusal(const Fresh& fresh, const std::string& model);

}  // namespace residue::model
