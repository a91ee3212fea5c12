#include "model/server/presets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace residue::model {
namespace {

constexpr Preset kPresets[] = {
    {.name = "openai", .url = "https://api.openai.com/v1", .documentation = "OpenAI API reference, Chat Completions"},
    // o-series and GPT-5 take no sampling settings, and their reasoning counts as output tokens.
    {.name = "openai-reasoning",
     .url = "https://api.openai.com/v1",
     .takes_max_tokens = false,
     .takes_temperature = false,
     .takes_top_p = false,
     .takes_penalties = false,
     .takes_seed = false,
     .documentation = "OpenAI API reference, Chat Completions; OpenAI guide, Reasoning models"},
    {.name = "azure",
     .path = "/openai/v1",
     .key_header = "api-key",
     .documentation = "Azure OpenAI REST API reference; Azure OpenAI API version lifecycle"},
    // Unknown fields are refused; additionalProperties in a schema was refused, too.
    {.name = "gemini",
     .url = "https://generativelanguage.googleapis.com/v1beta/openai",
     .path = "/v1beta/openai",
     .form = AnswerForm::kObject,
     .takes_penalties = false,
     .takes_seed = false,
     .documentation = "Gemini API, OpenAI compatibility"},
    {.name = "mistral",
     .url = "https://api.mistral.ai/v1",
     .random_seed = true,
     .most_temperature = 1.5,
     .documentation = "Mistral AI API, Chat Completion"},
    // The server ignores response_format, seed and penalties. They are not sent, so that no spec claims them.
    {.name = "anthropic-compatible",
     .url = "https://api.anthropic.com/v1",
     .key_header = "x-api-key",
     .form = AnswerForm::kText,
     .takes_penalties = false,
     .takes_seed = false,
     .most_temperature = 1,
     .documentation = "Claude API, OpenAI SDK compatibility; Claude API, Authentication"},
    {.name = "vllm", .url = "http://localhost:8000/v1", .documentation = "vLLM, OpenAI-Compatible Server"},
    {.name = "llama.cpp", .url = "http://localhost:8080/v1", .documentation = "llama.cpp, tools/server README"},
    {.name = "ollama", .url = "http://localhost:11434/v1", .documentation = "Ollama, OpenAI compatibility"},
};

// Whether nothing stands behind the host and port.
bool is_host_alone(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) return false;
  const std::size_t path = url.find_first_of("/?#", begin + 3);
  return path == std::string_view::npos || url.substr(path) == "/";
}

}  // namespace

std::span<const Preset> presets() { return kPresets; }

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  return names;
}

const Preset& preset_named(std::string_view name) {
  const auto* found = std::ranges::find(kPresets, name, &Preset::name);
  if (found != std::end(kPresets)) return *found;
  std::string all;
  for (const Preset& preset : kPresets) all += fmt::format("{}{}", all.empty() ? "" : ", ", preset.name);
  throw Error(Code::kUsage, fmt::format("--preset: no preset of that name{}", did_you_mean(name, preset_names())),
              "it is one of " + all);
}

std::string url_of_preset(const Preset& preset, std::string_view url) {
  if (url.empty() && preset.url.empty()) {
    throw Error(Code::kUsage, fmt::format("--url is missing: everybody's {} has an address of its own", preset.name),
                "for example --url https://NAME.openai.azure.com");
  }
  if (url.empty()) return std::string(preset.url);
  if (preset.path.empty() || !is_host_alone(url)) return std::string(url);
  while (url.ends_with('/')) url.remove_suffix(1);
  return std::string(url) + std::string(preset.path);
}

void apply_preset(const Preset& preset, std::optional<AnswerForm> form, Endpoint& endpoint) {
  endpoint.transport.key_header = preset.key_header;
  if (endpoint.embedding) return;
  Asking& asking = endpoint.asking;
  asking.form = form.value_or(preset.form);
  if (!preset.takes_temperature) asking.temperature.reset();
  if (!preset.takes_top_p) asking.top_p.reset();
  if (!preset.takes_penalties) {
    asking.presence_penalty.reset();
    asking.frequency_penalty.reset();
  }
  if (!preset.takes_seed) asking.seed.reset();
  asking.random_seed = preset.random_seed && asking.seed.has_value();
  if (preset.takes_max_tokens) return;
  asking.max_tokens.reset();
  if (!asking.max_completion_tokens) asking.max_completion_tokens = kThinkingTokens;
}

}  // namespace residue::model
