// model add, list, show, rm: servers that answer questions or make vectors.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/numbers.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/rows/names.h"
#include "model/server/endpoint.h"
#include "model/server/presets.h"
#include "model/server/server_url.h"
#include "model/tasks/claim_support.h"
#include "query/judge/judge.h"
#include "storage/vectors.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr double kOneVote = 0.0;  // the same answer every time, where the server can
constexpr double kSeveral = 0.7;  // votes that cannot differ would tell nothing
constexpr std::int64_t kMaxTokens = 1024;
constexpr std::int64_t kMostTokens = 1'000'000;
constexpr std::int64_t kMostContext = 100'000'000;
constexpr std::int64_t kTokensPerClaim = 256;  // of an answer about many

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

// A number from `low` to `high`, or nothing for "unset".
template <class T>
std::optional<T> number(const char* flag, const std::string& word, T low, T high) {
  if (word == "unset") return std::nullopt;
  const std::optional<T> value = decimal<T>(word);
  if (!value) {
    throw Error(Code::kUsage, fmt::format("{}: not a number", flag),
                "give a number, or unset to leave it to the server");
  }
  if (!(*value >= low && *value <= high)) {
    throw Error(Code::kUsage, fmt::format("{}: out of range", flag), fmt::format("{} to {}, or unset", low, high));
  }
  return value;
}

void check_utf8(const Flags& flags) {
  const std::pair<const char*, const std::string*> words[] = {{"--model", &flags.endpoint.asking.model},
                                                              {"--revision", &flags.revision},
                                                              {"--reasoning-effort", &flags.effort},
                                                              {"--query-prefix", &flags.embedding.query_prefix},
                                                              {"--passage-prefix", &flags.embedding.passage_prefix}};
  for (const auto& [flag, word] : words) {
    if (!text::valid_utf8(*word)) throw Error(Code::kUsage, fmt::format("{}: not UTF-8", flag), "write it in UTF-8");
  }
}

void complete_transport(model::Transport& transport, const std::string& concurrency) {
  const model::ServerUrl server = model::parse_server_url(transport.url);
  transport.url = server.base;
  transport.query = server.query;
  if (server.query.empty() && server.base.find("/openai/deployments/") != std::string::npos) {
    throw Error(Code::kUsage, "--url: the address of an Azure deployment lacks ?api-version=",
                "for example --url 'https://NAME.openai.azure.com/openai/deployments/MODEL?api-version=2024-10-21'");
  }
  if (!transport.proxy.empty()) {
    if (server.loopback) {
      throw Error(Code::kUsage, "--proxy: a server on this machine needs none", "leave it out");
    }
    transport.proxy = model::parse_proxy_url(transport.proxy).base;
  }
  const std::string& variable = transport.key_env;
  const bool named = std::all_of(variable.begin(), variable.end(),
                                 [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); });
  if (!named) {
    throw Error(Code::kUsage, "--api-key-env: not the name of a variable",
                "give the name of the variable that holds the key, never the key itself");
  }
  if (!transport.key_file.empty()) transport.key_file = std::filesystem::absolute(transport.key_file).string();
  if (concurrency != "auto") {
    transport.concurrency = number<std::uint32_t>("--concurrency", concurrency, 1U, model::kMaxConcurrency);
    if (!transport.concurrency || *transport.concurrency == 0 || *transport.concurrency > model::kMaxConcurrency) {
      throw Error(Code::kUsage, "--concurrency: out of range", fmt::format("auto, or 1 to {}", model::kMaxConcurrency));
    }
  }
}

// What a user asks for is never dropped in silence.
void check_against(const model::Preset& preset, const Flags& flags, const model::Asking& asking) {
  struct Asked {
    const char* flag;
    bool taken;
    const std::string& word;
  };
  const Asked all[] = {{"--temperature", preset.takes_temperature, flags.temperature},
                       {"--top-p", preset.takes_top_p, flags.top_p},
                       {"--presence-penalty", preset.takes_penalties, flags.presence},
                       {"--frequency-penalty", preset.takes_penalties, flags.frequency},
                       {"--seed", preset.takes_seed, flags.seed},
                       {"--max-tokens", preset.takes_max_tokens, flags.max_tokens}};
  for (const auto& [flag, taken, word] : all) {
    if (taken || word.empty() || word == "unset") continue;
    throw Error(Code::kUsage, fmt::format("{} does not take {}", preset.name, flag), "leave it out");
  }
  if (asking.temperature.value_or(0) > preset.most_temperature) {
    throw Error(Code::kUsage, fmt::format("--temperature: {} takes at most {}", preset.name, preset.most_temperature),
                "give a lower one");
  }
}

void complete_from_preset(const Flags& flags, model::Endpoint& endpoint) {
  std::optional<model::AnswerForm> form;
  if (!flags.answer.empty()) form = model::parse_form(flags.answer);
  endpoint.asking.form = form.value_or(model::AnswerForm::kSchema);
  if (!flags.preset.empty()) {
    const model::Preset& preset = model::preset_named(flags.preset);
    if (!endpoint.embedding) check_against(preset, flags, endpoint.asking);
    endpoint.transport.url = model::url_of_preset(preset, endpoint.transport.url);
    model::apply_preset(preset, form, endpoint);
    if (flags.max_completion_tokens == "unset") endpoint.asking.max_completion_tokens.reset();
  }
  if (!flags.key_header.empty()) endpoint.transport.key_header = flags.key_header == "bearer" ? "" : flags.key_header;
  if (endpoint.transport.url.empty()) {
    throw Error(Code::kUsage, "--url is missing",
                "for example --url http://localhost:8000, or a --preset that has the address");
  }
}

std::vector<std::pair<std::string, std::string>> body_fields(const std::vector<std::string>& words) {
  std::map<std::string, std::string> fields;
  for (const std::string& word : words) {
    auto [name, value] = model::body_field(word);
    if (fields.contains(name))
      throw Error(Code::kUsage, fmt::format("--body: {} is given twice", name), "give it once");
    fields.emplace(std::move(name), std::move(value));
  }
  return {fields.begin(), fields.end()};
}

model::Endpoint endpoint_of(const Flags& flags) {
  model::Endpoint endpoint = flags.endpoint;
  ingest::check_name("model", endpoint.name);
  for (const std::string_view embedded : query::judge_names()) {
    if (endpoint.name == embedded) {
      throw Error(Code::kUsage, fmt::format("{} is the name of an embedded judge", embedded), "choose another name");
    }
  }
  const bool embeds = flags.task == "embeddings";
  if (const std::string& useless = embeds ? flags.of_chat : flags.of_embeddings; !useless.empty()) {
    throw Error(Code::kUsage, fmt::format("{} means nothing to --task {}", useless, flags.task), "leave it out");
  }
  check_utf8(flags);
  model::Asking& asking = endpoint.asking;
  if (asking.model.empty())
    throw Error(Code::kUsage, "--model is empty", "give the name that the server has for the model");
  if (!flags.revision.empty()) asking.revision = flags.revision;
  if (embeds) {
    endpoint.embedding = flags.embedding;
    endpoint.embedding->model = asking.model;
    endpoint.embedding->revision = asking.revision;
  }
  asking.temperature = flags.temperature.empty() ? std::optional(endpoint.votes > 1 ? kSeveral : kOneVote)
                                                 : number<double>("--temperature", flags.temperature, 0.0, 2.0);
  asking.top_p = number<double>("--top-p", flags.top_p, 0.0, 1.0);
  asking.presence_penalty = number<double>("--presence-penalty", flags.presence, -2.0, 2.0);
  asking.frequency_penalty = number<double>("--frequency-penalty", flags.frequency, -2.0, 2.0);
  asking.max_completion_tokens =
      flags.max_completion_tokens.empty()
          ? std::nullopt
          : number<std::int64_t>("--max-completion-tokens", flags.max_completion_tokens, std::int64_t{1}, kMostTokens);
  if (!flags.max_tokens.empty()) {
    asking.max_tokens = number<std::int64_t>("--max-tokens", flags.max_tokens, std::int64_t{1}, kMostTokens);
  } else if (flags.max_completion_tokens.empty()) {
    asking.max_tokens = std::max(kMaxTokens, kTokensPerClaim * std::int64_t{endpoint.claims_per_request});
  }
  asking.seed = flags.seed.empty()
                    ? std::optional(std::int64_t{0})
                    : number<std::int64_t>("--seed", flags.seed, std::int64_t{0}, std::int64_t{1} << 53U);
  if (flags.effort != "unset") asking.reasoning_effort = flags.effort;
  asking.body = body_fields(flags.body);
  complete_from_preset(flags, endpoint);
  const model::Transport& transport = endpoint.transport;
  if (transport.context && transport.output_limit && *transport.context < *transport.output_limit) {
    throw Error(Code::kUsage,
                fmt::format("--context: {} tokens for prompt and answer together, fewer than the {} of --output-limit",
                            *transport.context, *transport.output_limit),
                "--context counts prompt and answer together; for example --context 128000 --output-limit 16000");
  }
  if (!flags.template_file.empty()) {
    endpoint.instructions = text_of_file(flags.template_file);
    model::check_template(*endpoint.instructions);
  }
  complete_transport(endpoint.transport, flags.concurrency);
  return endpoint;
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
  const model::Endpoint endpoint = endpoint_of(flags);
  const auto store = open_store(context);
  const auto batch = store->write();
  model::save_endpoint(batch->db(), endpoint);
  batch->commit();
  show(context, endpoint);
  context.out.flush();
  for (const std::string& other : model::same_label_elsewhere(store->db(), endpoint)) {
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
      .range(std::int64_t{1}, kMostTokens);
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
              (void)model::find_endpoint(store->db(), *name);
              const auto batch = store->write();
              model::remove_endpoint(batch->db(), *name);
              batch->commit();
              context.out.write(fmt::format("removed {}; its answers are kept\n", *name));
              return 0;
            };
          }};
}

}  // namespace residue::cli
