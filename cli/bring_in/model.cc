// model add, list, show, rm: servers that answer questions or make vectors.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/numbers.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "model/server/endpoint.h"
#include "storage/vectors.h"
#include "verbs/models/add_model.h"

namespace residue::cli {
namespace {

constexpr std::int64_t kMostContext = 100'000'000;

struct Flags {
  model::Endpoint endpoint;
  std::string template_file;
  std::string preset, answer, concurrency = "auto";
  std::string temperature, max_tokens, max_completion_tokens, seed;
  std::string key_header;
  std::vector<std::string> body;
  std::string top_p = "unset", presence = "unset", frequency = "unset", effort = "unset", revision;
  std::string task = "chat";
  model::Embedding embedding;
  std::string of_chat, of_embeddings;  // flags that were given and mean nothing to the other: the last one
};

// A number, or nothing for "unset".
template <class T>
std::optional<T> number(const char* flag, const std::string& word) {
  if (word == "unset") return std::nullopt;
  const std::optional<T> value = decimal<T>(word);
  if (!value) {
    throw Error(Code::kUsage, fmt::format("{}: not a number", flag),
                "give a number, or unset to leave it to the server");
  }
  return value;
}

// The same of a flag with a default.
template <class T>
verbs::Setting<T> setting(const char* flag, const std::string& word) {
  if (word.empty()) return {};
  return {true, number<T>(flag, word)};
}

std::optional<std::uint32_t> concurrency_of(const std::string& word) {
  if (word == "auto") return std::nullopt;
  const auto value = number<std::uint32_t>("--concurrency", word);
  if (value) return value;
  throw Error(Code::kUsage, "--concurrency: out of range", fmt::format("auto, or 1 to {}", model::kMaxConcurrency));
}

verbs::ModelOptions options_of(const Flags& flags) {
  verbs::ModelOptions options;
  options.endpoint = flags.endpoint;
  const bool embeds = flags.task == "embeddings";
  if (const std::string& useless = embeds ? flags.of_chat : flags.of_embeddings; !useless.empty()) {
    throw Error(Code::kUsage, fmt::format("{} means nothing to --task {}", useless, flags.task), "leave it out");
  }
  if (embeds) options.endpoint.embedding = flags.embedding;
  if (!flags.revision.empty()) options.endpoint.asking.revision = flags.revision;
  options.endpoint.transport.concurrency = concurrency_of(flags.concurrency);
  options.endpoint.instructions = template_of(flags.template_file);
  options.preset = flags.preset;
  if (!flags.answer.empty()) options.form = model::parse_form(flags.answer);
  if (!flags.key_header.empty()) options.key_header = flags.key_header;
  for (const std::string& word : flags.body) options.body.push_back(model::body_field(word));
  options.temperature = setting<double>("--temperature", flags.temperature);
  options.top_p = {true, number<double>("--top-p", flags.top_p)};
  options.presence_penalty = {true, number<double>("--presence-penalty", flags.presence)};
  options.frequency_penalty = {true, number<double>("--frequency-penalty", flags.frequency)};
  options.max_completion_tokens = setting<std::int64_t>("--max-completion-tokens", flags.max_completion_tokens);
  options.max_tokens = setting<std::int64_t>("--max-tokens", flags.max_tokens);
  options.seed = setting<std::int64_t>("--seed", flags.seed);
  if (flags.effort != "unset") options.reasoning_effort = flags.effort;
  return options;
}

Json maybe(const auto& value) { return value ? Json(*value) : Json("unset"); }

std::string_view task_of(const model::Endpoint& endpoint) { return endpoint.embedding ? "embeddings" : "chat"; }

Json transport_json(const model::Transport& transport) {
  Json json = {{"concurrency", transport.concurrency ? Json(*transport.concurrency) : Json("auto")},
               {"timeout_s", transport.timeout_s},
               {"api_key", !transport.key_env.empty()    ? "variable " + transport.key_env
                           : !transport.key_file.empty() ? "file " + transport.key_file
                                                         : std::string("none")},
               {"price_in", transport.price_in},
               {"price_out", transport.price_out},
               {"token_check", transport.counts_prompts}};
  if (!transport.query.empty()) json["query"] = transport.query;
  if (!transport.key_header.empty()) json["key_header"] = transport.key_header;
  if (!transport.proxy.empty()) json["proxy"] = transport.proxy;
  return json;
}

Json embedding_settings(const model::Endpoint& endpoint) {
  const model::Embedding& embedding = *endpoint.embedding;
  return {{"name", endpoint.name},
          {"task", "embeddings"},
          {"url", endpoint.transport.url},
          {"model", embedding.model},
          {"revision", maybe(embedding.revision)},
          {"dimensions", maybe(embedding.dimensions)},
          {"query_prefix", embedding.query_prefix},
          {"passage_prefix", embedding.passage_prefix}};
}

Json chat_settings(const model::Endpoint& endpoint) {
  const model::Asking& asking = endpoint.asking;
  Json json = {{"name", endpoint.name},
               {"url", endpoint.transport.url},
               {"model", asking.model},
               {"revision", maybe(asking.revision)},
               {"votes", endpoint.votes},
               {"claims_per_request", endpoint.claims_per_request},
               {"canaries", endpoint.canaries},
               {"template", endpoint.instructions ? "the user's" : "ours"},
               {"answer", model::form_name(asking.form)},
               {"temperature", maybe(asking.temperature)},
               {"top_p", maybe(asking.top_p)},
               {"max_tokens", maybe(asking.max_tokens)},
               {"max_completion_tokens", maybe(asking.max_completion_tokens)},
               {"seed", maybe(asking.seed)},
               {"presence_penalty", maybe(asking.presence_penalty)},
               {"frequency_penalty", maybe(asking.frequency_penalty)},
               {"reasoning_effort", maybe(asking.reasoning_effort)}};
  // Few servers need these.
  if (asking.random_seed) json["seed_is_sent_as"] = "random_seed";
  for (const auto& [name, value] : asking.body) json["body " + name] = value;
  return json;
}

Json to_json(const model::Endpoint& endpoint) {
  Json json = endpoint.embedding ? embedding_settings(endpoint) : chat_settings(endpoint);
  json.update(transport_json(endpoint.transport));
  if (endpoint.embedding) return json;
  json["output_limit"] = maybe(endpoint.transport.output_limit);
  json["context"] = maybe(endpoint.transport.context);
  json["longest_prompt"] = maybe(endpoint.transport.longest_prompt);
  if (endpoint.transport.cut_from) json["cut_from"] = *endpoint.transport.cut_from;
  return json;
}

void show(Context& context, const model::Endpoint& endpoint) {
  const Json json = to_json(endpoint);
  if (context.out.wants_json()) {
    context.out.json(json);
    return;
  }
  Table table;
  table.rows.emplace_back();
  for (const auto& [name, value] : json.items()) {
    table.columns.push_back({name, Type::kText, ""});
    table.rows.back().emplace_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  context.out.fields(table);
}

int add(Context& context, const Flags& flags) {
  const model::Endpoint endpoint = verbs::endpoint_of(options_of(flags));
  const auto store = open_store(context);
  const std::vector<std::string> others = verbs::add_model(*store, endpoint);
  show(context, endpoint);
  context.out.flush();
  for (const std::string& other : others) {
    context.out.note(
        fmt::format("warning: {} gives the same model and revision on another server: their answers count as "
                    "the same; --revision keeps them apart",
                    other));
  }
  context.out.next("residue model test {0}, then residue {1} {0}", endpoint.name,
                   endpoint.embedding ? "embed DATASET --with" : "eval DATASET --judge");
  return 0;
}

int list(Context& context) {
  const auto store = open_store(context);
  Table table;
  table.columns = {{"name", Type::kText, ""},     {"url", Type::kText, ""},  {"model", Type::kText, ""},
                   {"revision", Type::kText, ""}, {"task", Type::kText, ""}, {"votes", Type::kInteger, ""}};
  for (const model::Endpoint& endpoint : model::list_endpoints(store->db())) {
    table.rows.push_back({endpoint.name, endpoint.transport.url, endpoint.asking.model, cell(endpoint.asking.revision),
                          std::string(task_of(endpoint)),
                          endpoint.embedding ? Cell() : cell(std::uint64_t{endpoint.votes})});
  }
  context.out.table(table);
  return 0;
}

void add_chat_flags(Syntax& syntax, Flags& flags) {
  model::Endpoint& endpoint = flags.endpoint;
  syntax
      .add("--template", flags.template_file,
           "a file with your own instructions; if it has {passage} and {claims}, it is the whole message")
      .notes_its_name(flags.of_chat);
  syntax.flag("!--no-canaries", endpoint.canaries,
              "do not test whether a passage tells its judge what to answer; saves a request for each");
  syntax.add("--votes", endpoint.votes, "answers per question; the most frequent one counts")
      .notes_its_name(flags.of_chat)
      .range(1U, model::kMaxVotes);
  syntax
      .add("--claims-per-request", endpoint.claims_per_request,
           "claims of a record that share a request: cheaper, but a rating may depend on the other claims")
      .notes_its_name(flags.of_chat)
      .range(1U, model::kMaxClaimsPerRequest);
  syntax.add("--answer", flags.answer, "the form of answer to ask for: json_schema (default), json_object or text")
      .notes_its_name(flags.of_chat);
  syntax.add("--temperature", flags.temperature, "sampling temperature (default: 0 for one vote, 0.7 for several)")
      .notes_its_name(flags.of_chat);
  syntax.add("--top-p", flags.top_p, "nucleus sampling, passed on to the server").notes_its_name(flags.of_chat);
  syntax
      .add("--max-tokens", flags.max_tokens,
           "most tokens of an answer (default: 1024, or 256 for each claim of a request if that is more)")
      .notes_its_name(flags.of_chat);
  syntax
      .add("--max-completion-tokens", flags.max_completion_tokens, "the same limit, for servers that refuse max_tokens")
      .excludes("--max-tokens")
      .notes_its_name(flags.of_chat);
  syntax.add("--seed", flags.seed, "the seed of the first vote (default: 0); each further vote has the next seed")
      .notes_its_name(flags.of_chat);
  syntax.add("--presence-penalty", flags.presence, "passed on to the server as it is").notes_its_name(flags.of_chat);
  syntax.add("--frequency-penalty", flags.frequency, "passed on to the server as it is").notes_its_name(flags.of_chat);
  syntax.add("--reasoning-effort", flags.effort, "passed on to the server as it is").notes_its_name(flags.of_chat);
  syntax.repeated("--body", flags.body, "NAME=JSON, one more field of each request; another value makes another judge")
      .notes_its_name(flags.of_chat);
}

void add_embedding_flags(Syntax& syntax, Flags& flags) {
  model::Embedding& embedding = flags.embedding;
  syntax.add("--dimensions", embedding.dimensions, "the length of the vectors to ask for (default: the model's own)")
      .notes_its_name(flags.of_embeddings)
      .range(std::int64_t{1}, static_cast<std::int64_t>(storage::kMaxDimension));
  syntax.add("--query-prefix", embedding.query_prefix, "words put before what an attacker knows")
      .notes_its_name(flags.of_embeddings);
  syntax.add("--passage-prefix", embedding.passage_prefix, "words put before each text that an attacker searches")
      .notes_its_name(flags.of_embeddings);
}

void add_transport_flags(Syntax& syntax, Flags& flags) {
  model::Transport& transport = flags.endpoint.transport;
  syntax.add("--concurrency", flags.concurrency, "requests at the same time; auto adapts to the server");
  syntax.add("--timeout", transport.timeout_s, "seconds that a request may take").range(1U, 3'600U);
  syntax.add("--api-key-file", transport.key_file, "a file with the API key (mode 0600)");
  syntax.add("--api-key-env", transport.key_env, "an environment variable with the API key").excludes("--api-key-file");
  syntax.add("--key-header", flags.key_header, "how the key is sent: bearer (default), api-key or x-api-key")
      .one_of_described({"bearer", "api-key", "x-api-key"});
  syntax.add("--proxy", transport.proxy,
             "a proxy, http://HOST:PORT; without this flag there is none, even if the environment names one");
  syntax.add("--price-in", transport.price_in, "USD per million tokens sent").check(not_an_amount);
  syntax.add("--price-out", transport.price_out, "USD per million tokens answered").check(not_an_amount);
  syntax
      .add(
          "--output-limit", transport.output_limit,
          "the most tokens that the model can answer with; --max-cost reserves as many for a request that has no limit")
      .notes_its_name(flags.of_chat)
      .range(std::int64_t{1}, verbs::kMostTokens);
  syntax.add("--context", transport.context, "the most tokens of prompt and answer together")
      .notes_its_name(flags.of_chat)
      .range(std::int64_t{1}, kMostContext);
  syntax
      .add("--longest-prompt", transport.longest_prompt,
           "the longest prompt, in words, that the server reads to its end; residue model test measures it")
      .notes_its_name(flags.of_chat)
      .range(std::int64_t{1}, kMostContext);
  syntax.flag("!--no-token-check", transport.counts_prompts,
              "do not check whether the server's count of prompt tokens fits the prompt");
}

Run setup_add(Syntax& syntax) {
  auto flags = std::make_shared<Flags>();
  model::Endpoint& endpoint = flags->endpoint;
  syntax.add("NAME", endpoint.name, "the name that other commands use for it").required();
  syntax.add("--preset", flags->preset,
             "the settings of a well-known server: address, key header, fields that it refuses");
  syntax.add("--url", endpoint.transport.url, "the server's address; not needed if the preset has one");
  syntax.add("--model", endpoint.asking.model, "the model's name on the server").required();
  syntax.add("--revision", flags->revision, "which weights the server runs; it tells models of the same name apart");
  syntax.add("--task", flags->task, "what it is for: chat (answers questions), embeddings (makes vectors)")
      .one_of({"chat", "embeddings"});
  add_chat_flags(syntax, *flags);
  add_embedding_flags(syntax, *flags);
  add_transport_flags(syntax, *flags);
  return [flags](Context& context) { return add(context, *flags); };
}

}  // namespace

Command model_add_command() {
  return {
      .name = "model add",
      .group = Group::kBringIn,
      .summary = "name a server that can judge or embed (OpenAI-compatible)",
      .usage =
          "NAME [--preset P] [--url URL] --model MODEL [--task chat|embeddings] [--api-key-env V | --api-key-file F] "
          "[...]",
      .details =
          "Afterwards, residue eval --judge NAME asks this server. The address may end in /v1 or /chat/completions. It "
          "must be https, or http to this machine. The API key is not copied: name a variable that holds it, or a file "
          "that nobody else can read. A judge is defined by all that its answers depend on: model, revision, sampling "
          "and form of answer. If you change one of these, you have another judge, and its questions are asked again. "
          "Address, key, concurrency and prices can change freely. The value unset leaves a setting to the server. "
          "Adding a name again replaces its settings; its answers are kept. Presets: openai, openai-reasoning, azure, "
          "gemini, mistral, anthropic-compatible, vllm,\n"
          "llama.cpp, ollama. A flag goes before what its preset says.",
      .examples = {{"residue model add local --url http://localhost:8000 --model Qwen/Qwen3-32B",
                    "a server on this machine"},
                   {"residue model add gpt --url https://api.example.com --model m-1 --api-key-env KEY --votes 5 "
                    "--price-in 2.5 --price-out 10",
                    "a paid server, with prices per million tokens"},
                   {"residue model add o3 --preset openai-reasoning --model o3 --api-key-env OPENAI_API_KEY",
                    "a well-known server: the preset has its address and knows what it refuses"},
                   {"residue model add qwen --preset vllm --model Qwen/Qwen3-32B --body "
                    "'chat_template_kwargs={\"enable_thinking\":false}'",
                    "one more field in each request, which turns thinking off"},
                   {"residue model add emb --task embeddings --url http://localhost:8001 --model e5 --query-prefix "
                    "'query: ' --passage-prefix 'passage: '",
                    "a server that makes vectors, see residue embed"}},
      .setup = setup_add};
}

Command model_list_command() {
  return {.name = "model list",
          .group = Group::kLook,
          .summary = "the servers that can judge or embed",
          .usage = "",
          .details = "",
          .examples = {{"residue model list", "names, addresses, models"}},
          .paged = true,
          .setup = [](Syntax& /*syntax*/) -> Run { return list; }};
}

Command model_show_command() {
  return {.name = "model show",
          .group = Group::kLook,
          .summary = "the settings of a server",
          .usage = "NAME",
          .details = "Says where its API key is, never the key.",
          .examples = {{"residue model show gpt", "address, sampling, where its key is"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto name = std::make_shared<std::string>();
            syntax.add("NAME", *name, "as given to model add").required();
            return [name](Context& context) {
              const auto store = open_store(context);
              show(context, model::find_endpoint(store->db(), *name));
              return 0;
            };
          }};
}

Command model_rm_command() {
  return {.name = "model rm",
          .group = Group::kKeep,
          .summary = "forget a server; its answers stay",
          .usage = "NAME",
          .details = "Answers and judgments were paid for and are kept: adding the same settings again finds them.",
          .examples = {{"residue model rm gpt", "it is not asked any more"}},
          .setup = [](Syntax& syntax) -> Run {
            auto name = std::make_shared<std::string>();
            syntax.add("NAME", *name, "as given to model add").required();
            return [name](Context& context) {
              const auto store = open_store(context);
              verbs::remove_model(*store, *name);
              context.out.write(fmt::format("removed {}; its answers are kept\n", *name));
              return 0;
            };
          }};
}

}  // namespace residue::cli
