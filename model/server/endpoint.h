// Endpoints: servers that speak the chat-completions interface, by the names users gave them. What an answer depends on
// (Asking) is kept apart from how it is had (Transport): only the first enters a judge's identity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/catalog/sqlite.h"

namespace residue::model {

// The form of answer that the server is told to keep to.
enum class AnswerForm { kSchema, kObject, kText };  // json_schema, json_object, nothing
std::string_view form_name(AnswerForm form);
AnswerForm parse_form(std::string_view name);  // Error{usage}

// A field that a user adds to requests, from NAME=JSON. Error{usage}: no JSON, a name that is set otherwise.
std::pair<std::string, std::string> body_field(std::string_view words);

// Everything that an answer depends on but the texts. Nothing: not sent, the server decides; it differs from any value.
struct Asking {
  std::string model;
  std::optional<std::string> revision;  // which weights, as the user declares; never sent
  std::optional<double> temperature, top_p, presence_penalty, frequency_penalty;
  std::optional<std::int64_t> max_tokens;
  std::optional<std::int64_t>
      max_completion_tokens;         // the same with what the model thinks, for servers that want it so; never both
  std::optional<std::int64_t> seed;  // of sample 0; sample i gets seed + i
  std::optional<std::string> reasoning_effort;
  AnswerForm form = AnswerForm::kSchema;
  bool random_seed = false;  // the server calls the seed so
  // Further fields of the request: name and value, which is JSON as it is sent; by name. body_field() makes them.
  std::vector<std::pair<std::string, std::string>> body = {};

  friend bool operator==(const Asking&, const Asking&) = default;
};

// The most tokens that an answer may have, by whichever name; nothing: the server decides.
constexpr std::optional<std::int64_t> answer_limit(const Asking& asking) {
  return asking.max_completion_tokens ? asking.max_completion_tokens : asking.max_tokens;
}

// The same of a server that makes vectors of texts.
struct Embedding {
  std::string model;
  std::optional<std::string> revision;
  std::optional<std::int64_t> dimensions;    // to ask for; nothing: as many as the model gives
  std::string query_prefix, passage_prefix;  // put before what is looked for, and before what is looked at

  friend bool operator==(const Embedding&, const Embedding&) = default;
};

struct Transport {
  std::string url;                           // ServerUrl::base
  std::optional<std::uint32_t> concurrency;  // nothing: adapts
  std::string key_file, key_env;             // where the API key is; the key itself is never stored
  double price_in = 0, price_out = 0;        // USD per million tokens
  std::uint32_t timeout_s = 300;             // of one request
  // In tokens, as the user declares: of an answer at most, and of prompt and answer together.
  std::optional<std::int64_t> output_limit = std::nullopt, context = std::nullopt;
  // The longest prompt that it reads to its end, in least_tokens() (model/limits/read_whole.h). Nothing: not known.
  std::optional<std::int64_t> longest_prompt = std::nullopt;
  bool counts_prompts = true;   // how many tokens it says a prompt has is held against the prompt
  std::string query = {};       // behind the address of each request, without its "?"
  std::string key_header = {};  // that the key is sent in; empty: Authorization: Bearer
  std::string proxy = {};       // as parse_proxy_url() has it; empty: none
  // The shortest prompt that it was found to cut, in least_tokens(): such are not sent again. Nothing: not known.
  std::optional<std::int64_t> cut_from = std::nullopt;

  friend bool operator==(const Transport&, const Transport&) = default;
};

struct Endpoint {
  std::string name;
  Asking asking;
  Transport transport;
  std::uint32_t votes = 5;
  bool canaries = true;  // model/canary.h
  // Instead of support_template(); model/claim_support.h.
  std::optional<std::string> instructions = std::nullopt;
  std::optional<Embedding> embedding =
      std::nullopt;  // it makes vectors and cannot chat: `asking` holds its model and revision alone
  std::uint32_t claims_per_request = 1;  // that are rated together, at most; means nothing to other tasks
};

inline constexpr std::uint32_t kMaxConcurrency = 256;
inline constexpr std::uint32_t kMaxVotes = 99;
inline constexpr std::uint32_t kMaxClaimsPerRequest = 50;

// Adds the endpoint, or replaces the one of its name; inside a write batch. Error{usage} for an unusable name.
void save_endpoint(storage::Db& db, const Endpoint& endpoint);

std::optional<Endpoint> endpoint_named(storage::Db& db, std::string_view name);
Endpoint find_endpoint(storage::Db& db, std::string_view name);  // Error{not found} with the nearest names
std::vector<Endpoint> list_endpoints(storage::Db& db);           // by name

// Error{usage} unless the endpoint can do that.
void require_chat(const Endpoint& endpoint);
const Embedding& require_embedding(const Endpoint& endpoint);

// False if there is none. What it answered is kept.
bool remove_endpoint(storage::Db& db, std::string_view name);

// Other endpoints that give this model label and revision on another address: their answers count as the same.
std::vector<std::string> same_label_elsewhere(storage::Db& db, const Endpoint& endpoint);

// The key to send, empty if the endpoint has none. Error{not found}: no such variable or file; Error{usage}: a file
// that others can read, a key of several lines. Never in a message: the key.
std::string load_api_key(const Transport& transport);

// As canonical JSON, keys sorted; and back. What came later than the first version is there where it is set alone, so
// that older answers are found. Error{corrupt} for what was not written here.
std::string asking_json(const Asking& asking);
Asking asking_of(std::string_view json);
std::string embedding_json(const Embedding& embedding);

}  // namespace residue::model
