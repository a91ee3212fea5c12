// Trying an endpoint with invented texts: what it understands, and what goes over the wire.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::model {

struct Probe {
  std::string tried;  // "json_schema", "n = 2", "seed twice" ...
  bool works = false;
  std::string found;    // in words of ours, and the server's reason
  std::string request;  // body
  std::string reply;    // body
  int status = 0;       // 0: no reply
};

// Sends a handful of requests one after the other, each recorded in the ledger. Stops after the first that the server
// refuses whoever asks (401, 403) or that gets no reply.
std::vector<Probe> probe(storage::Store& store, const Endpoint& endpoint);

// `tried` of the probe without which the endpoint is of no use.
std::string needed(const Endpoint& endpoint);

// Whether the server says how probable the words of a text are: what the sanitizer p-filter-model needs.
bool finds_words_probable(std::span<const Probe> probes);

}  // namespace residue::model
