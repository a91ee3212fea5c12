// The table of sanitizers, and the two that are also the controls of every dataset.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "base/parallel.h"
#include "ingest/mask/command_sanitizer.h"
#include "ingest/mask/oracle_spans.h"
#include "ingest/mask/p_filter.h"
#include "ingest/mask/random_mask.h"
#include "ingest/mask/scrub.h"
#include "ingest/method/sanitizer.h"
#include "ingest/rewrite/adversarial.h"
#include "ingest/rewrite/model_tags.h"
#include "ingest/rewrite/p_filter_model.h"
#include "ingest/rewrite/pseudonymize.h"
#include "ingest/rewrite/rewriting.h"
#include "ingest/rewrite/span_abstract.h"
#include "ingest/synthesize/ngram_synthesis.h"

namespace residue::ingest {

namespace {

class None final : public Sanitizer {
 public:
  [[nodiscard]] std::string spec() const override { return R"({"method":"none","params":{},"version":"none/1"})"; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return {std::string(input.text), std::nullopt, {}};
  }
};

class RemoveAll final : public Sanitizer {
 public:
  [[nodiscard]] std::string spec() const override {
    return R"({"method":"remove-all","params":{},"version":"remove-all/1"})";
  }
  [[nodiscard]] bool removes_everything() const override { return true; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    SanitizeOutput output{std::string(), std::nullopt, {}};
    if (!input.text.empty()) output.spans.push_back({0, input.text.size(), "all", ""});
    return output;
  }
};

template <class S>
std::unique_ptr<Sanitizer> make_plain(const SanitizerSetting& /*setting*/) {
  return std::make_unique<S>();
}

std::span<const SanitizerMethod> table() {
  static const std::array methods{
      SanitizerMethod{"none", "the original text, unchanged (a control)", {}, make_plain<None>},
      SanitizerMethod{"remove-all", "nothing is left (a control)", {}, make_plain<RemoveAll>},
      SanitizerMethod{"scrub",
                      "replaces numbers and addresses that identify, dates, names, by patterns, check digits and lists",
                      scrub_params(), make_scrub},
      SanitizerMethod{"oracle-spans", "replaces the gold spans of the dataset's labels (the best that spans can do)",
                      oracle_spans_params(), make_oracle_spans},
      SanitizerMethod{"random-mask", "replaces words drawn at random (a control: what masking alone does)",
                      random_mask_params(), make_random_mask},
      SanitizerMethod{"p-filter", "takes out or replaces words that a small language model finds improbable (ZSTS)",
                      p_filter_params(), make_p_filter},
      SanitizerMethod{"p-filter-model", "takes out words that a model behind an endpoint finds improbable (ZSTS)",
                      p_filter_model_params(), make_p_filter_model, kPFilterModelAsks},
      SanitizerMethod{"ngram", "a synthetic run: texts of an n-gram model of the records themselves (a baseline)",
                      ngram_params(), make_ngram},
      SanitizerMethod{"dp-ngram", "the same with differential privacy (no fine-tuned language model: a baseline)",
                      dp_ngram_params(), make_dp_ngram},
      SanitizerMethod{"command",
                      "asks a program of yours: JSON Lines in, JSON Lines out; any other --param NAME=VALUE goes to "
                      "the program, as RESIDUE_PARAM_NAME in its environment",
                      command_params(),
                      make_command,
                      {},
                      true},
      SanitizerMethod{
          "paraphrase", "a model says each text in other words (FSP G.2.2)", {}, make_paraphrase, kParaphraseAsks},
      SanitizerMethod{"anonymize", "a model makes each text anonymous (AA's baseline, without feedback)",
                      anonymize_params(), make_anonymize, kAnonymizeAsks},
      SanitizerMethod{"sanitize-paraphrase",
                      "a model makes each text anonymous, then says it in other words (FSP C.1)",
                      {},
                      make_sanitize_paraphrase,
                      kSanitizeParaphraseAsks},
      SanitizerMethod{"span-abstract",
                      "a model finds self-disclosures and puts general phrases in their place (FSP C.1)",
                      {},
                      make_span_abstract,
                      kSpanAbstractAsks},
      SanitizerMethod{"model-tags", "a model finds what identifies somebody; tags stand for that and what scrub finds",
                      model_tags_params(), make_model_tags, kModelTagsAsks},
      SanitizerMethod{"adversarial", "one model infers attributes of authors, one hides them, in rounds (AA)",
                      adversarial_params(), make_adversarial, kAdversarialAsks},
      SanitizerMethod{"pseudonymize",
                      "a model replaces names that the answer to a request does not depend on by like ones (LOP)",
                      {},
                      make_pseudonymize,
                      kPseudonymizeAsks},
  };
  return methods;
}

}  // namespace

const SanitizerMethod& sanitizer_method(std::string_view name) {
  const auto methods = table();
  const auto row = std::ranges::find(methods, name, &SanitizerMethod::name);
  if (row != methods.end()) return *row;
  const std::string_view known = name.substr(0, 64);
  const auto nearest =
      std::ranges::min_element(methods, {}, [&](const SanitizerMethod& m) { return edit_distance(m.name, known); });
  std::string all;
  for (const SanitizerMethod& m : methods) all += fmt::format("{}{}", all.empty() ? "" : ", ", m.name);
  throw Error(Code::kUsage, fmt::format("unknown sanitizer '{}'", known),
              fmt::format("did you mean '{}'? Methods are {}", nearest->name, all));
}

std::span<const SanitizerMethod> sanitizer_methods() { return table(); }

void Sanitizer::sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                             unsigned jobs) const {
  parallel_for(inputs.size(), jobs, [&](std::size_t i) { outputs[i] = sanitize(inputs[i]); });
}

void Sanitizer::sanitize_each(std::span<const SanitizeInput> inputs, OutputSink& sink) const {
  for (std::size_t i = 0; i < inputs.size(); ++i) sink.take(i, sanitize(inputs[i]));
}

namespace {

constexpr std::size_t kLeastLike = 4, kMostEdits = 2;

// A parameter of the user's that is called almost as one of the method's is a mistake.
void check_own(const SanitizerMethod& method, const std::string& name, const std::string& value) {
  if (!is_own_param_name(name)) {
    throw Error(Code::kUsage,
                fmt::format("{}: '{}' cannot be the name of a parameter", method.name, name.substr(0, 64)),
                "use letters, digits and underscores, and no digit first");
  }
  for (const SanitizerParam& param : method.params) {
    if (name.size() < kLeastLike || edit_distance(name, param.name) > kMostEdits) continue;
    throw Error(Code::kUsage,
                fmt::format("{}: unknown parameter '{}'; did you mean {}?", method.name, name, param.name),
                "if it is a parameter of your program, give it a name that differs more");
  }
  if (value.find('\0') != std::string::npos) {
    throw Error(Code::kUsage, fmt::format("{}: {} has a NUL in it", method.name, name),
                "remove it: the program gets its parameters in environment variables, which cannot hold a NUL");
  }
}

void check_asking(const SanitizerMethod& method, const SanitizerAsking& asking) {
  if (method.asks.empty()) {
    if (asking.model.empty() && asking.templates.empty()) return;
    throw Error(Code::kUsage, fmt::format("{} asks no model", method.name), "leave out --model and --template");
  }
  if (asking.model.empty()) {
    throw Error(Code::kUsage, fmt::format("{}: which model is to be asked?", method.name),
                "--model NAME; residue model list has their names");
  }
  for (const auto& [task, text] : asking.templates) {
    if (std::ranges::find(method.asks, task) != method.asks.end()) continue;
    throw Error(Code::kUsage, fmt::format("--template: {} has no request of that name", method.name),
                fmt::format("it asks {}: --template {}=FILE", fmt::join(method.asks, ", "), method.asks.front()));
  }
}

}  // namespace

std::unique_ptr<Sanitizer> make_sanitizer(std::string_view method, SanitizerSetting setting) {
  const SanitizerMethod& row = sanitizer_method(method);
  std::string allowed;
  std::map<std::string, std::string> filled;
  for (const SanitizerParam& param : row.params) {
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", param.name);
    filled.emplace(param.name, param.default_value);
  }
  for (const auto& [name, value] : setting.params) {
    const auto at = filled.find(name);
    if (at == filled.end() && row.takes_any_param) {
      check_own(row, name, value);
      filled.emplace(name, value);
      continue;
    }
    if (at == filled.end()) {
      throw Error(Code::kUsage, fmt::format("{}: unknown parameter '{}'", row.name, name),
                  allowed.empty() ? fmt::format("{} takes no parameters", row.name)
                                  : fmt::format("parameters are {}", allowed));
    }
    at->second = value;
  }
  for (const SanitizerParam& param : row.params) check_param(row.name, param, filled.at(std::string(param.name)));
  setting.params = std::move(filled);
  check_asking(row, setting.asking);
  return row.make(setting);
}

}  // namespace residue::ingest
