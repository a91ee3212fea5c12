// A request on its way and what came back: what asking (asker.cc) hands from step to step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/waiting.h"
#include "model/server/endpoint.h"
#include "model/server/http_client.h"
#include "model/server/retry.h"

namespace residue::model {

struct Draft {  // about to be sent
  Pending pending;
  std::string body;
  double cost = 0;  // at most, about
};

struct InFlight {
  Pending pending;
  std::uint32_t attempt = 0;
  double cost = 0;  // at most, about
};

struct Fresh {  // a reply, with what was in flight
  HttpReply reply;
  InFlight flight;
  Decision decision;
  Reading reading;  // of an answer
  bool save = false;
  bool gave_up = false;
};

// USD.
double price(const Endpoint& endpoint, double tokens_in, double tokens_out);

// What a request costs at most, about.
double estimate(const Endpoint& endpoint, std::string_view body);

// Its status, or why there was none.
std::string words(const Fresh& fresh);

// For the ledger, but for its fate.
Outgoing outgoing_of(const Fresh& fresh);

// Why a model's server will not answer, whatever it is asked: Error{io}.
Error refusal(const Fresh& fresh, const std::string& model);

}  // namespace residue::model
