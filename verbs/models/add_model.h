// `model add`, `model rm`: which server answers under a name, and how it is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::verbs {

inline constexpr std::int64_t kMostTokens = 1'000'000;  // of an answer, as a limit

// A setting of requests that has a default: somebody gave a value, or said that the server is to decide.
template <class T>
struct Setting {
  bool given = false;
  std::optional<T> value;  // given, but nothing: the server decides
};

struct ModelOptions {
  // What is taken as it is: its name, `asking.model` and `revision`, `transport` (`url` and `proxy` as people write
  // them), votes, claims_per_request, canaries, instructions, and `embedding` where it makes vectors. Of that, model
  // and revision are filled in here.
  model::Endpoint endpoint;
  std::string preset;  // of a well-known server; empty: none. What is given goes before what it says
  std::optional<model::AnswerForm> form;
  std::optional<std::string> key_header;                  // "bearer", or the header's name
  std::vector<std::pair<std::string, std::string>> body;  // further fields of each request, by model::body_field()
  // Of chats.
  Setting<double> temperature, top_p, presence_penalty, frequency_penalty;
  Setting<std::int64_t> max_tokens, max_completion_tokens, seed;
  std::optional<std::string> reasoning_effort;
};

// The endpoint with its defaults and what its preset says. Throws Error{usage} for what cannot be, is out of range, or
// is refused by the preset's server, in terms of the flags of `model add`; Error{bad input} for instructions that
// cannot be.
model::Endpoint endpoint_of(const ModelOptions& options);

// Adds the model, or replaces the settings of the one of its name; its answers stay. The names of others of its label
// and revision on another server: their answers count as the same.
std::vector<std::string> add_model(storage::Store& store, const model::Endpoint& endpoint);

// Forgets the server; its answers stay. Throws Error{not found}.
void remove_model(storage::Store& store, const std::string& name);

}  // namespace residue::verbs
