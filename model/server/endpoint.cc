#include "model/server/endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "model/server/server_url.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/model.h"

namespace residue::model {
namespace {

constexpr std::array<std::pair<AnswerForm, std::string_view>, 3> kForms = {
    {{AnswerForm::kSchema, "json_schema"}, {AnswerForm::kObject, "json_object"}, {AnswerForm::kText, "text"}}};

template <class T>
Json maybe(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

template <class T>
std::optional<T> read_maybe(const Json& json, const char* name) {
  const Json& value = json.at(name);
  if (value.is_null()) return std::nullopt;
  return value.get<T>();
}

// Of a setting that older versions did not write: nothing.
template <class T>
std::optional<T> read_newer(const Json& json, const char* name) {
  return json.contains(name) ? read_maybe<T>(json, name) : std::nullopt;
}

std::string transport_json(const Transport& transport) {
  Json json = {{"url", transport.url},
               {"concurrency", maybe(transport.concurrency)},
               {"key_file", transport.key_file},
               {"key_env", transport.key_env},
               {"price_in", transport.price_in},
               {"price_out", transport.price_out},
               {"timeout_s", transport.timeout_s},
               {"output_limit", maybe(transport.output_limit)},
               {"context", maybe(transport.context)},
               {"longest_prompt", maybe(transport.longest_prompt)},
               {"counts_prompts", transport.counts_prompts}};
  if (transport.cut_from) json["cut_from"] = *transport.cut_from;
  if (!transport.query.empty()) json["query"] = transport.query;
  if (!transport.key_header.empty()) json["key_header"] = transport.key_header;
  if (!transport.proxy.empty()) json["proxy"] = transport.proxy;
  return json.sorted().dump();
}

// The library's own messages quote what they read.
template <class Read>
auto reading(Read read) {
  try {
    return read();
  } catch (const JsonError&) {
    throw Error(Code::kCorrupt, "the catalog holds an endpoint that cannot be read",
                "remove it with residue model rm and add it again");
  }
}

Transport transport_of(std::string_view text) {
  return reading([&] {
    const Json json = Json::parse(text).value_or(Json());
    Transport transport;
    transport.url = json.at("url").get<std::string>();
    transport.concurrency = read_maybe<std::uint32_t>(json, "concurrency");
    transport.key_file = json.at("key_file").get<std::string>();
    transport.key_env = json.at("key_env").get<std::string>();
    transport.price_in = json.at("price_in").get<double>();
    transport.price_out = json.at("price_out").get<double>();
    transport.timeout_s = json.at("timeout_s").get<std::uint32_t>();
    transport.output_limit = read_newer<std::int64_t>(json, "output_limit");
    transport.context = read_newer<std::int64_t>(json, "context");
    transport.longest_prompt = read_newer<std::int64_t>(json, "longest_prompt");
    transport.cut_from = read_newer<std::int64_t>(json, "cut_from");
    transport.counts_prompts = read_newer<bool>(json, "counts_prompts").value_or(true);
    transport.query = json.value("query", "");
    transport.key_header = json.value("key_header", "");
    transport.proxy = json.value("proxy", "");
    return transport;
  });
}

// Of a chat endpoint nothing: what it is asked with never had this field.
std::optional<Embedding> embedding_of(std::string_view text) {
  return reading([&]() -> std::optional<Embedding> {
    const Json json = Json::parse(text).value_or(Json());
    if (json.value("task", "") != "embeddings") return std::nullopt;
    Embedding embedding;
    embedding.model = json.at("model").get<std::string>();
    embedding.revision = read_maybe<std::string>(json, "revision");
    embedding.dimensions = read_maybe<std::int64_t>(json, "dimensions");
    embedding.query_prefix = json.at("query_prefix").get<std::string>();
    embedding.passage_prefix = json.at("passage_prefix").get<std::string>();
    return embedding;
  });
}

Endpoint endpoint_of(const storage::Statement& row) {
  Endpoint endpoint;
  endpoint.name = std::string(row.text(0));
  endpoint.embedding = embedding_of(row.text(1));
  if (endpoint.embedding) {
    endpoint.asking.model = endpoint.embedding->model;
    endpoint.asking.revision = endpoint.embedding->revision;
  } else {
    endpoint.asking = asking_of(row.text(1));
  }
  endpoint.transport = transport_of(row.text(2));
  endpoint.votes = static_cast<std::uint32_t>(row.integer(3));
  endpoint.canaries = row.integer(4) != 0;
  if (!row.is_null(5)) endpoint.instructions = std::string(row.text(5));
  endpoint.claims_per_request = static_cast<std::uint32_t>(row.integer(6));
  return endpoint;
}

}  // namespace

std::string_view form_name(AnswerForm form) {
  for (const auto& [known, name] : kForms) {
    if (known == form) return name;
  }
  return {};
}

AnswerForm parse_form(std::string_view name) {
  for (const auto& [form, known] : kForms) {
    if (known == name) return form;
  }
  throw Error(Code::kUsage, "--answer: unknown form of answer", "it is one of json_schema, json_object, text");
}

std::string asking_json(const Asking& asking) {
  Json json{{"model", asking.model},
            {"revision", maybe(asking.revision)},
            {"temperature", maybe(asking.temperature)},
            {"top_p", maybe(asking.top_p)},
            {"presence_penalty", maybe(asking.presence_penalty)},
            {"frequency_penalty", maybe(asking.frequency_penalty)},
            {"max_tokens", maybe(asking.max_tokens)},
            {"seed", maybe(asking.seed)},
            {"reasoning_effort", maybe(asking.reasoning_effort)},
            {"answer", form_name(asking.form)}};
  // Only where it is set: answers of older versions keep their spec.
  if (asking.max_completion_tokens) json["max_completion_tokens"] = *asking.max_completion_tokens;
  if (asking.random_seed) json["random_seed"] = true;
  for (const auto& [name, value] : asking.body) json["body"][name] = value;
  return json.sorted().dump();
}

namespace {

constexpr const char* kMore = "asks for several answers, of which one would be read and all be paid for";
constexpr const char* kPieces = "has the answer come in pieces, which nobody puts together here";
constexpr const char* kNoText = "asks for something else than a text";
constexpr const char* kForm = "asks for another form of answer than --answer says";
constexpr const char* kCut = "cuts prompts: what the model does not read looks private";
constexpr const char* kLimit =
    "is a limit that --max-cost would not know; --max-tokens and --max-completion-tokens are";

// Fields that change how many answers come, or what they are read by, and why they cannot be set.
constexpr std::pair<std::string_view, const char*> kNoFields[] = {
    {"n", kMore},
    {"best_of", kMore},
    {"candidate_count", kMore},
    {"num_return_sequences", kMore},
    {"stream", kPieces},
    {"stream_options", kPieces},
    {"tools", kNoText},
    {"tool_choice", kNoText},
    {"parallel_tool_calls", kNoText},
    {"functions", kNoText},
    {"function_call", kNoText},
    {"modalities", kNoText},
    {"audio", kNoText},
    {"response_format", kForm},
    {"echo", kForm},
    {"stop", "ends answers early, and a cut answer looks whole"},
    {"stop_token_ids", "ends answers early, and a cut answer looks whole"},
    {"truncate_prompt_tokens", kCut},
    {"truncation", kCut},
    {"transforms", kCut},
    {"num_ctx", kCut},
    {"n_predict", kLimit},
    {"num_predict", kLimit},
    {"max_new_tokens", kLimit},
    {"max_output_tokens", kLimit}};

constexpr std::string_view kOurs[] = {"model",
                                      "messages",
                                      "temperature",
                                      "top_p",
                                      "presence_penalty",
                                      "frequency_penalty",
                                      "max_tokens",
                                      "max_completion_tokens",
                                      "reasoning_effort",
                                      "seed",
                                      "random_seed",
                                      "logprobs",
                                      "top_logprobs"};

// Fields whose own fields servers read as if they stood beside them.
constexpr std::string_view kHolders[] = {"options", "extra_body", "parameters", "sampling_params", "generation_config"};

void check_field(std::string_view name) {
  for (const auto& [refused, why] : kNoFields) {
    if (name != refused) continue;
    throw Error(Code::kUsage, fmt::format("--body: {} {}", name, why), "leave it out");
  }
  if (std::ranges::find(kOurs, name) != std::end(kOurs)) {
    throw Error(Code::kUsage, fmt::format("--body: {} is set otherwise", name),
                "residue help model add lists the options; what answers are read by cannot be set");
  }
}

void check_fields_in(const Json& value) {
  if (!value.is_object()) return;
  for (const auto& [name, inner] : value.items()) {
    check_field(name);
    check_fields_in(inner);
  }
}

}  // namespace

std::pair<std::string, std::string> body_field(std::string_view words) {
  const std::size_t equals = words.find('=');
  const std::string_view name = words.substr(0, equals);
  bool repeated = false;
  const auto value = equals == std::string_view::npos ? std::nullopt : Json::parse(words.substr(equals + 1), repeated);
  const bool named = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
  if (!named || !value || repeated) {
    throw Error(Code::kUsage, "--body: not NAME=JSON",
                "for example --body 'chat_template_kwargs={\"enable_thinking\":false}'; words stand in double quotes");
  }
  check_field(name);
  if (std::ranges::find(kHolders, name) != std::end(kHolders)) check_fields_in(*value);
  return {std::string(name), value->dump()};
}

Asking asking_of(std::string_view text) {
  return reading([&] {
    const Json json = Json::parse(text).value_or(Json());
    Asking asking;
    asking.model = json.at("model").get<std::string>();
    asking.revision = read_maybe<std::string>(json, "revision");
    asking.temperature = read_maybe<double>(json, "temperature");
    asking.top_p = read_maybe<double>(json, "top_p");
    asking.presence_penalty = read_maybe<double>(json, "presence_penalty");
    asking.frequency_penalty = read_maybe<double>(json, "frequency_penalty");
    asking.max_tokens = read_maybe<std::int64_t>(json, "max_tokens");
    asking.max_completion_tokens = read_newer<std::int64_t>(json, "max_completion_tokens");
    asking.seed = read_maybe<std::int64_t>(json, "seed");
    asking.reasoning_effort = read_maybe<std::string>(json, "reasoning_effort");
    asking.random_seed = json.value("random_seed", false);
    if (const Json* body = json.find("body")) {
      for (const auto& [name, value] : body->items()) asking.body.emplace_back(name, value.string());
    }
    asking.form = parse_form(json.at("answer").get<std::string>());
    return asking;
  });
}

std::string embedding_json(const Embedding& embedding) {
  return Json{{"task", "embeddings"},
              {"model", embedding.model},
              {"revision", maybe(embedding.revision)},
              {"dimensions", maybe(embedding.dimensions)},
              {"query_prefix", embedding.query_prefix},
              {"passage_prefix", embedding.passage_prefix}}
      .sorted()
      .dump();
}

void require_chat(const Endpoint& endpoint) {
  if (!endpoint.embedding) return;
  throw Error(Code::kUsage, fmt::format("model {} makes vectors of texts: it answers no questions", endpoint.name),
              "residue model list says what each model is for");
}

const Embedding& require_embedding(const Endpoint& endpoint) {
  if (endpoint.embedding) return *endpoint.embedding;
  throw Error(Code::kUsage, fmt::format("model {} answers questions: it makes no vectors", endpoint.name),
              "residue model add NAME --task embeddings --url URL --model MODEL adds one that does");
}

void save_endpoint(storage::Db& db, const Endpoint& endpoint) {
  storage::Statement imported = db.prepare(storage::sql::kJudgeExistsElsewhere);
  if (imported.bind(endpoint.name).step()) {
    throw Error(Code::kUsage,
                fmt::format("{} is the name of a judge whose ratings came from elsewhere: a server of that name would "
                            "take its place",
                            endpoint.name),
                "give the server another name; residue judge list names all judges");
  }
  db.prepare(storage::sql::kInsertOrUpdateModel)
      .run(endpoint.name, endpoint.embedding ? embedding_json(*endpoint.embedding) : asking_json(endpoint.asking),
           transport_json(endpoint.transport), endpoint.votes, endpoint.canaries, endpoint.instructions,
           endpoint.claims_per_request);
}

std::optional<Endpoint> endpoint_named(storage::Db& db, std::string_view name) {
  storage::Statement row = db.prepare(storage::sql::kModelByName);
  row.bind(name);
  if (!row.step()) return std::nullopt;
  return endpoint_of(row);
}

Endpoint find_endpoint(storage::Db& db, std::string_view name) {
  if (auto found = endpoint_named(db, name)) return *std::move(found);
  std::vector<std::string> names;
  for (const Endpoint& endpoint : list_endpoints(db)) names.push_back(endpoint.name);
  throw Error(Code::kNotFound, fmt::format("no model named \"{}\"{}", name, did_you_mean(name, names)),
              names.empty() ? "residue model add NAME --url URL --model MODEL adds one" : "residue model list");
}

std::vector<Endpoint> list_endpoints(storage::Db& db) {
  std::vector<Endpoint> endpoints;
  storage::Statement row = db.prepare(storage::sql::kModelsByName);
  while (row.step()) endpoints.push_back(endpoint_of(row));
  return endpoints;
}

bool remove_endpoint(storage::Db& db, std::string_view name) {
  db.prepare(storage::sql::kDeleteModel).run(name);
  return db.changes() > 0;
}

std::vector<std::string> same_label_elsewhere(storage::Db& db, const Endpoint& endpoint) {
  std::vector<std::string> names;
  for (const Endpoint& other : list_endpoints(db)) {
    if (other.name != endpoint.name && other.asking.model == endpoint.asking.model &&
        other.asking.revision == endpoint.asking.revision && other.transport.url != endpoint.transport.url) {
      names.push_back(other.name);
    }
  }
  return names;
}

}  // namespace residue::model
