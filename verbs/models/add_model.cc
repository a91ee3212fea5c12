#include "verbs/models/add_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/error.h"
#include "ingest/rows/names.h"
#include "model/server/presets.h"
#include "model/server/server_url.h"
#include "model/tasks/claim_support.h"
#include "query/judge/judge.h"
#include "text/characters/unicode.h"

namespace residue::verbs {
namespace {

constexpr double kOneVote = 0.0;  // the same answer every time, where the server can
constexpr double kSeveral = 0.7;  // votes that cannot differ would tell nothing
constexpr std::int64_t kMaxTokens = 1024;
constexpr std::int64_t kTokensPerClaim = 256;  // of an answer about many
constexpr std::int64_t kMostSeed = std::int64_t{1} << 53U;

template <class T>
void check_range(const char* flag, const std::optional<T>& value, T low, T high) {
  if (!value || (*value >= low && *value <= high)) return;
  throw Error(Code::kUsage, fmt::format("{}: out of range", flag), fmt::format("{} to {}, or unset", low, high));
}

void check_names(const ModelOptions& options) {
  const model::Endpoint& endpoint = options.endpoint;
  ingest::check_name("model", endpoint.name);
  for (const std::string_view embedded : query::judge_names()) {
    if (endpoint.name == embedded) {
      throw Error(Code::kUsage, fmt::format("{} is the name of an embedded judge", embedded), "choose another name");
    }
  }
  const model::Embedding vectors = endpoint.embedding.value_or(model::Embedding{});
  const std::pair<const char*, std::string> words[] = {{"--model", endpoint.asking.model},
                                                       {"--revision", endpoint.asking.revision.value_or("")},
                                                       {"--reasoning-effort", options.reasoning_effort.value_or("")},
                                                       {"--query-prefix", vectors.query_prefix},
                                                       {"--passage-prefix", vectors.passage_prefix}};
  for (const auto& [flag, word] : words) {
    if (!text::valid_utf8(word)) throw Error(Code::kUsage, fmt::format("{}: not UTF-8", flag), "write it in UTF-8");
  }
  if (endpoint.asking.model.empty()) {
    throw Error(Code::kUsage, "--model is empty", "give the name that the server has for the model");
  }
}

void complete_asking(const ModelOptions& options, model::Endpoint& endpoint) {
  model::Asking& asking = endpoint.asking;
  asking.temperature =
      options.temperature.given ? options.temperature.value : std::optional(endpoint.votes > 1 ? kSeveral : kOneVote);
  asking.top_p = options.top_p.value;
  asking.presence_penalty = options.presence_penalty.value;
  asking.frequency_penalty = options.frequency_penalty.value;
  asking.max_completion_tokens = options.max_completion_tokens.value;
  if (options.max_tokens.value && options.max_completion_tokens.value) {
    throw Error(Code::kUsage, "--max-tokens and --max-completion-tokens are two names of one limit",
                "give one of them");
  }
  if (options.max_tokens.given) {
    asking.max_tokens = options.max_tokens.value;
  } else if (!options.max_completion_tokens.given) {
    asking.max_tokens = std::max(kMaxTokens, kTokensPerClaim * std::int64_t{endpoint.claims_per_request});
  }
  asking.seed = options.seed.given ? options.seed.value : std::optional(std::int64_t{0});
  asking.reasoning_effort = options.reasoning_effort;
  check_range("--temperature", asking.temperature, 0.0, 2.0);
  check_range("--top-p", asking.top_p, 0.0, 1.0);
  check_range("--presence-penalty", asking.presence_penalty, -2.0, 2.0);
  check_range("--frequency-penalty", asking.frequency_penalty, -2.0, 2.0);
  check_range("--max-completion-tokens", asking.max_completion_tokens, std::int64_t{1}, kMostTokens);
  check_range("--max-tokens", asking.max_tokens, std::int64_t{1}, kMostTokens);
  check_range("--seed", asking.seed, std::int64_t{0}, kMostSeed);
  std::map<std::string, std::string> fields;
  for (const auto& [name, value] : options.body) {
    if (!fields.emplace(name, value).second) {
      throw Error(Code::kUsage, fmt::format("--body: {} is given twice", name), "give it once");
    }
  }
  asking.body = {fields.begin(), fields.end()};
}

// What a user asks for is never dropped in silence.
void check_against(const model::Preset& preset, const ModelOptions& options) {
  struct Asked {
    const char* flag;
    bool taken, given;
  };
  const Asked all[] = {{"--temperature", preset.takes_temperature, options.temperature.value.has_value()},
                       {"--top-p", preset.takes_top_p, options.top_p.value.has_value()},
                       {"--presence-penalty", preset.takes_penalties, options.presence_penalty.value.has_value()},
                       {"--frequency-penalty", preset.takes_penalties, options.frequency_penalty.value.has_value()},
                       {"--seed", preset.takes_seed, options.seed.value.has_value()},
                       {"--max-tokens", preset.takes_max_tokens, options.max_tokens.value.has_value()}};
  for (const auto& [flag, taken, given] : all) {
    if (given && !taken) {
      throw Error(Code::kUsage, fmt::format("{} does not take {}", preset.name, flag), "leave it out");
    }
  }
}

void complete_from_preset(const ModelOptions& options, model::Endpoint& endpoint) {
  endpoint.asking.form = options.form.value_or(model::AnswerForm::kSchema);
  if (!options.preset.empty()) {
    const model::Preset& preset = model::preset_named(options.preset);
    if (!endpoint.embedding) {
      check_against(preset, options);
      if (endpoint.asking.temperature.value_or(0) > preset.most_temperature) {
        throw Error(Code::kUsage,
                    fmt::format("--temperature: {} takes at most {}", preset.name, preset.most_temperature),
                    "give a lower one");
      }
    }
    endpoint.transport.url = model::url_of_preset(preset, endpoint.transport.url);
    model::apply_preset(preset, options.form, endpoint);
    const auto& limit = options.max_completion_tokens;
    if (limit.given && !limit.value) endpoint.asking.max_completion_tokens.reset();
  }
  if (options.key_header) endpoint.transport.key_header = *options.key_header == "bearer" ? "" : *options.key_header;
  if (endpoint.transport.url.empty()) {
    throw Error(Code::kUsage, "--url is missing",
                "for example --url http://localhost:8000, or a --preset that has the address");
  }
}

void complete_addresses(model::Transport& transport) {
  const model::ServerUrl server = model::parse_server_url(transport.url);
  transport.url = server.base;
  transport.query = server.query;
  if (server.query.empty() && server.base.find("/openai/deployments/") != std::string::npos) {
    throw Error(Code::kUsage, "--url: the address of an Azure deployment lacks ?api-version=",
                "for example --url 'https://NAME.openai.azure.com/openai/deployments/MODEL?api-version=2024-10-21'");
  }
  if (transport.proxy.empty()) return;
  if (server.loopback) {
    throw Error(Code::kUsage, "--proxy: a server on this machine needs none", "leave it out");
  }
  transport.proxy = model::parse_proxy_url(transport.proxy).base;
}

void complete_transport(model::Transport& transport) {
  if (transport.context && transport.output_limit && *transport.context < *transport.output_limit) {
    throw Error(Code::kUsage,
                fmt::format("--context: {} tokens for prompt and answer together, fewer than the {} of --output-limit",
                            *transport.context, *transport.output_limit),
                "--context counts prompt and answer together; for example --context 128000 --output-limit 16000");
  }
  complete_addresses(transport);
  const bool named = std::ranges::all_of(transport.key_env,
                                         [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); });
  if (!named) {
    throw Error(Code::kUsage, "--api-key-env: not the name of a variable",
                "give the name of the variable that holds the key, never the key itself");
  }
  if (!transport.key_file.empty()) transport.key_file = std::filesystem::absolute(transport.key_file).string();
  check_range("--concurrency", transport.concurrency, 1U, model::kMaxConcurrency);
}

}  // namespace

model::Endpoint endpoint_of(const ModelOptions& options) {
  check_names(options);
  model::Endpoint endpoint = options.endpoint;
  if (endpoint.embedding) {
    endpoint.embedding->model = endpoint.asking.model;
    endpoint.embedding->revision = endpoint.asking.revision;
  }
  complete_asking(options, endpoint);
  complete_from_preset(options, endpoint);
  if (endpoint.instructions) model::check_template(*endpoint.instructions);
  complete_transport(endpoint.transport);
  return endpoint;
}

std::vector<std::string> add_model(storage::Store& store, const model::Endpoint& endpoint) {
  const auto batch = store.write();
  model::save_endpoint(batch->db(), endpoint);
  batch->commit();
  return model::same_label_elsewhere(store.db(), endpoint);
}

void remove_model(storage::Store& store, const std::string& name) {
  (void)model::find_endpoint(store.db(), name);
  const auto batch = store.write();
  model::remove_endpoint(batch->db(), name);
  batch->commit();
}

}  // namespace residue::verbs
