// What well-known servers need that differs from the others: by name, for `model add --preset`.
//
// Each row says what the server's public documentation says; docs/models.md names it. A preset only fills in settings:
// what was added is shown and kept like settings that were given one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/server/endpoint.h"

namespace residue::model {

struct Preset {
  std::string_view name;
  std::string_view url = {};         // where everybody's is; empty: each has its own
  std::string_view path = {};        // behind an address that is a host alone; empty: /v1
  std::string_view key_header = {};  // empty: Authorization: Bearer
  AnswerForm form = AnswerForm::kSchema;
  bool takes_max_tokens = true;  // else max_completion_tokens
  bool takes_temperature = true, takes_top_p = true, takes_penalties = true, takes_seed = true;
  bool random_seed = false;             // it calls the seed so
  double most_temperature = 2;          // it refuses, or lowers, what is above
  std::string_view documentation = {};  // its name
};

std::span<const Preset> presets();
std::vector<std::string> preset_names();
const Preset& preset_named(std::string_view name);  // Error{usage} with the nearest names

// The tokens that a model which thinks may use for an answer, where nobody says otherwise.
inline constexpr std::int64_t kThinkingTokens = 16'384;

// The address with what the preset knows of it: all of it where `url` is empty, the path where `url` is a host alone.
// Error{usage} where there is none.
std::string url_of_preset(const Preset& preset, std::string_view url);

// Unsets what the server refuses, and sets what it needs. `form`: what the user asked for; nothing: the preset's.
void apply_preset(const Preset& preset, std::optional<AnswerForm> form, Endpoint& endpoint);

}  // namespace residue::model
