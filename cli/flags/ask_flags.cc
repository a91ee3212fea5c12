#include "cli/flags/ask_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "cli/numbers.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/syntax.h"
#include "text/characters/unicode.h"

namespace residue::cli {

constexpr std::uint64_t kMostCalls = 1'000'000'000'000;
constexpr std::size_t kMostTextBytes = 16U << 20U;

std::string not_an_amount(const std::string& word) {
  const std::optional<double> value = decimal<double>(word);
  return value && *value >= 0 && *value <= 1e9 ? std::string() : "not an amount from 0 to 1e9";
}

std::string text_of_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw Error(Code::kUsage, fmt::format("{} is a folder", path), "name a file in it");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Code::kNotFound, fmt::format("{}: cannot be read", path), "give a file that can be read");
  std::string text(kMostTextBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostTextBytes) {
    throw Error(Code::kBadInput, fmt::format("{}: longer than 16 MiB", path), "name another file, or split it");
  }
  std::size_t line = 1;
  for (std::string_view rest = text; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    if (!text::valid_utf8(rest.substr(0, end)))
      throw Error(Code::kBadInput, fmt::format("{}:{}: not UTF-8", path, line), "save the file as UTF-8");
    rest.remove_prefix(end);
  }
  return text;
}

std::optional<std::string> template_of(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional(text_of_file(path));
}

void AskFlags::add_to(Syntax& syntax) {
  syntax.add("--max-calls", max_calls, "send at most this many requests, then stop")
      .range(std::uint64_t{0}, kMostCalls);
  syntax.add("--max-cost", max_cost, "spend at most this many USD on requests, then stop").check(not_an_amount);
  syntax.flag("--no-repeat", no_repeat,
              "do not repeat a request that may already have been paid for; it counts as failed");
}

verbs::AskingOptions limits_of(const AskFlags& flags) {
  verbs::AskingOptions options;
  options.max_calls = flags.max_calls;
  options.max_cost = flags.max_cost;
  options.no_repeat = flags.no_repeat;
  options.interrupted = interrupted;
  return options;
}

verbs::AskingOptions asking(const AskFlags& flags, Progress& progress) {
  verbs::AskingOptions options = limits_of(flags);
  options.progress = progress.callback();
  options.silence = [&progress](const auto& silence) { progress.trouble(silence_words(silence)); };
  return options;
}

std::string silence_words(const std::optional<model::Silence>& silence) {
  if (!silence) return {};
  return fmt::format("{} {} ({}): model {} is asked again until {} at the latest; Ctrl-C stops",
                     silence->reason.starts_with("HTTP") ? "no answer from" : "cannot reach", silence->host,
                     silence->reason, silence->model, utc(silence->until_ms));
}

std::string asked_words(const model::AskCounts& asked) {
  std::string words = fmt::format("asked {} times: {} answers usable, {} not", grouped(asked.requests),
                                  grouped(asked.saved), grouped(asked.invalid));
  if (asked.refused > 0) words += fmt::format(", {} put off", grouped(asked.refused));
  if (asked.unknown > 0) words += fmt::format(", {} lost (they may have to be paid)", grouped(asked.unknown));
  if (asked.left > 0) words += fmt::format(", {} left alone by --no-repeat", grouped(asked.left));
  if (asked.too_long > 0)
    words += fmt::format(", {} not sent (longer than what the model reads)", grouped(asked.too_long));
  if (asked.taken_back > 0) {
    words += fmt::format(
        "; {} answers of earlier commands are not used any more (the model did not read all of the "
        "prompt)",
        grouped(asked.taken_back));
  }
  if (const std::string made = model::words(asked.withdrawn); !made.empty()) {
    words += fmt::format("; what was made of such answers is withdrawn: {}", made);
  }
  if (asked.cost_usd > 0) {
    words += fmt::format("; {}{:.4f} USD", asked.uncounted_usd > 0 ? "at most " : "", asked.cost_usd);
  }
  return words;
}

Json asked_json(const model::AskCounts& asked) {
  return {{"requests", asked.requests},
          {"saved", asked.saved},
          {"invalid", asked.invalid},
          {"refused", asked.refused},
          {"unknown", asked.unknown},
          {"tokens_in", asked.tokens_in},
          {"tokens_out", asked.tokens_out},
          {"left", asked.left},
          {"too_long", asked.too_long},
          {"taken_back", asked.taken_back},
          {"withdrawn",
           {{"judgments", asked.withdrawn.judgments},
            {"checks", asked.withdrawn.checks},
            {"answers", asked.withdrawn.answers},
            {"claims", asked.withdrawn.claims}}},
          {"cost_usd", asked.cost_usd},
          {"uncounted_usd", asked.uncounted_usd}};
}

}  // namespace residue::cli
