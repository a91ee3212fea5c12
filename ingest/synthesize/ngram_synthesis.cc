#include "ingest/synthesize/ngram_synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/method/large_delta.h"
#include "ingest/method/synthesizer.h"
#include "ingest/synthesize/dp_ngrams.h"
#include "ingest/synthesize/ngram_corpus.h"
#include "storage/catalog/sources/record.h"
#include "text/predict/ngram_generator.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kShared = 6;  // of both methods
constexpr std::array kParams{
    SanitizerParam{"order", "3", "how many words are counted together", whole_from(1, 6)},
    SanitizerParam{"code", "label",
                   "what a text is made for: a label of the records; answer, the right one of a task; or none"},
    SanitizerParam{"texts", "", "how many texts; empty: as many as records (dp-ngram: a noisy count)",
                   ParamRange{ParamRange::Kind::kWhole, 1, 1e7, false, false, "", true}},
    SanitizerParam{"length", "1000", "the most words and signs of a text", whole_from(1, 100'000)},
    SanitizerParam{"temperature", "1", "below 1, frequent words come more often; above 1, rare ones do",
                   real_from(0.01, 100)},
    SanitizerParam{"top-k", "0", "each word is one of the k most frequent in its place; 0: any word",
                   whole_from(0, 1e6)},
    SanitizerParam{
        "epsilon", "3", "the privacy budget of each person, or of each record without a person; inf: no privacy",
        ParamRange{ParamRange::Kind::kReal, numbers::kLeastEpsilon, numbers::kMostEpsilon, false, false, "inf"}},
    SanitizerParam{"delta", "1e-5", "the delta of differential privacy: the chance that more is lost than epsilon says",
                   ParamRange{ParamRange::Kind::kReal, numbers::kLeastDelta, 1, true, true}},
    SanitizerParam{"contribution", "100", "the most different n-grams of each order that a person or record adds",
                   whole_from(1, 10'000)},
    SanitizerParam{"records", "1", "the most records of a person that are read", whole_from(1, 100)},
    SanitizerParam{"large-delta", "no", "yes: allow a delta of 1/n or more, where n counts the persons or records"}};

struct Settings {
  std::string method;
  std::size_t order = 3;
  std::string code;
  std::uint64_t texts = 0;  // 0: as many as records
  text::Drawing drawing;
  numbers::PrivacyBudget budget;
  NgramBounds bounds;
  bool large_delta = false;
  std::optional<std::uint64_t> seed;

  [[nodiscard]] bool is_private() const { return std::isfinite(budget.epsilon); }
  [[nodiscard]] bool has_budget() const { return method == "dp-ngram"; }

  [[nodiscard]] Json params() const {
    Json out{{"order", order},
             {"code", code},
             {"texts", texts == 0 ? Json("") : Json(texts)},
             {"length", drawing.length},
             {"temperature", drawing.temperature},
             {"top-k", drawing.top}};
    if (!has_budget()) return out;
    out["epsilon"] = is_private() ? Json(budget.epsilon) : Json("inf");
    out["delta"] = budget.delta;
    out["contribution"] = bounds.ngrams;
    out["records"] = bounds.records;
    out["large-delta"] = large_delta ? "yes" : "no";
    return out;
  }
};

Settings settings_of(std::string_view method, const SanitizerSetting& setting) {
  Settings out;
  out.method = method;
  out.order = whole_param(setting, "order");
  out.code = setting.params.at("code");
  if (out.code != "label" && out.code != "answer" && out.code != "none") {
    throw Error(Code::kUsage, fmt::format("{}: code is neither label, nor answer, nor none", method),
                "--param code=label");
  }
  if (!setting.params.at("texts").empty()) out.texts = whole_param(setting, "texts");
  out.drawing.order = out.order;
  out.drawing.length = whole_param(setting, "length");
  out.drawing.temperature = number_param(setting, "temperature");
  out.drawing.top = whole_param(setting, "top-k");
  out.seed = setting.seeded ? std::optional(setting.seed) : std::nullopt;
  out.budget.epsilon = std::numeric_limits<double>::infinity();
  if (!out.has_budget()) return out;
  out.budget = {number_param(setting, "epsilon"), number_param(setting, "delta")};
  out.bounds.ngrams = whole_param(setting, "contribution");
  out.bounds.records = whole_param(setting, "records");
  const std::string& large = setting.params.at("large-delta");
  if (large != "yes" && large != "no") {
    throw Error(Code::kUsage, fmt::format("{}: large-delta is neither yes nor no", method), "--param large-delta=no");
  }
  out.large_delta = large == "yes";
  return out;
}

// `texts` shared out among codes as `counts` are, largest remainders first, of equal ones the first code.
std::vector<std::uint64_t> shared_out(const std::vector<std::uint64_t>& counts, std::uint64_t texts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  if (sum == 0 || texts == 0) return counts;
  std::vector<std::uint64_t> out, rest;
  std::vector<std::size_t> by_rest;
  std::uint64_t left = texts;
  for (const std::uint64_t count : counts) {
    out.push_back(count * texts / sum);
    rest.push_back(count * texts % sum);
    left -= out.back();
    by_rest.push_back(by_rest.size());
  }
  std::ranges::stable_sort(by_rest, std::ranges::greater{}, [&](std::size_t code) { return rest[code]; });
  for (std::size_t i = 0; i < left; ++i) ++out[by_rest[i]];
  return out;
}

// Whose data is protected, and how many there are.
struct Units {
  std::string_view name;
  std::uint64_t count = 0;
};

Units units_of(storage::Store& store, DatasetId dataset) {
  storage::Statement count = store.db().prepare(storage::sql::kPersonAndNobodysRecordCountOfDataset);
  count.bind(dataset).step();
  const std::int64_t persons = count.integer(0), others = count.integer(1);
  return {persons > 0 ? "person" : "record", static_cast<std::uint64_t>(persons + others)};
}

// Who publishes the data of one of n at random, whole, keeps every promise with a delta of 1/n.
void check_delta(const Settings& settings, const Units& units) {
  const double least = 1 / static_cast<double>(units.count);
  if (units.count == 0 || settings.large_delta || settings.budget.delta < least) return;
  throw Error(Code::kUsage,
              fmt::format("{}: delta {:g} is too large for {} {}s: from 1/n on, one of them may be published in full",
                          settings.method, settings.budget.delta, units.count, units.name),
              fmt::format("--param delta={:.0e} or less, far below {:.2g}; --param large-delta=yes insists",
                          least / 100, least));
}

// All that texts are drawn from. The records are forgotten.
struct Trained {
  text::TokenTable tokens;
  std::vector<std::string> codes;
  std::vector<std::uint64_t> upto;  // texts of each code and of those before it
  std::string content;
  std::string release;  // Promise::release
  Units units;
  std::uint64_t draws = 0;  // seed
  std::size_t released = 0;
  std::unique_ptr<text::NgramGenerator> generator;
};

// Of noise, and of what is drawn: from a seed, or from the store's key. Other records or another mechanism have another
// key; what only says how texts are drawn (their number, length, temperature) has the same counts, which costs nothing.
std::string noise_key(const Settings& settings, const storage::Store& store, const std::string& data) {
  TaggedHash digest("residue.dp-ngram.noise.v1");
  if (settings.seed) {
    digest.field("seed", *settings.seed);
  } else {
    digest.field("store", store.key());
  }
  const Json mechanism{{"order", settings.order},
                       {"code", settings.code},
                       {"epsilon", settings.budget.epsilon},
                       {"delta", settings.budget.delta},
                       {"contribution", settings.bounds.ngrams},
                       {"records", settings.bounds.records}};
  return digest.field("mechanism", mechanism.sorted().dump()).field("data", data).bytes();
}

std::unique_ptr<const Trained> train(const Settings& settings, const SanitizerSetting& setting) {
  const auto code = settings.code == "label"    ? ControlCode::kLabel
                    : settings.code == "answer" ? ControlCode::kAnswer
                                                : ControlCode::kNone;
  ReadCorpus read = read_corpus(*setting.store, setting.dataset, code, setting.interrupted);
  if (read.corpus.documents.empty()) {
    throw Error(Code::kBadInput, fmt::format("{}: no record of the dataset has a text", settings.method),
                "residue ingest dataset brings them in");
  }
  auto out = std::make_unique<Trained>();
  out->units = units_of(*setting.store, setting.dataset);
  const std::string key = noise_key(settings, *setting.store, read.digest);
  out->release = TaggedHash("residue.privacy.release.v1").field("noise", key).bytes();
  out->draws = settings.seed.value_or(0);
  text::NgramTrie counts(0);
  if (settings.is_private()) {
    counts = private_ngrams(read.corpus, settings.order, settings.bounds,
                            account_ngrams(settings.budget, settings.bounds, settings.order), key);
    out->draws = numbers::NoiseStream(key, "texts").next();
  } else {
    counts = count_ngrams(read.corpus, settings.order);
  }
  out->tokens = std::move(read.corpus.tokens);
  out->codes = std::move(read.corpus.codes);
  out->content = read.content;
  std::vector<std::uint64_t> sizes;
  for (std::size_t root = 0; root < out->codes.size(); ++root) {
    sizes.push_back(static_cast<std::uint64_t>(counts.count(static_cast<text::NgramTrie::Node>(root))));
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t size : shared_out(sizes, settings.texts)) out->upto.push_back(sum += size);
  for (std::size_t node = out->codes.size(); node < counts.size(); ++node) {
    out->released += counts.token(static_cast<text::NgramTrie::Node>(node)) == text::TokenTable::kStart ? 0 : 1;
  }
  out->generator = std::make_unique<text::NgramGenerator>(out->tokens, counts, out->codes.size(), settings.drawing);
  if (sum == 0 || !out->generator->any()) {
    throw Error(Code::kBadInput,
                fmt::format("{}: no word passes its threshold: there is nothing to release", settings.method),
                "raise epsilon or contribution, take fewer codes (--param code=none), or have more records");
  }
  return out;
}

class NgramSynthesizer final : public Synthesizer {
 public:
  NgramSynthesizer(Settings settings, std::unique_ptr<const Trained> trained)
      : settings_(std::move(settings)), trained_(std::move(trained)) {}

  [[nodiscard]] std::string spec() const override {
    Json spec{{"method", settings_.method}, {"version", settings_.method + "/1"}, {"params", settings_.params()}};
    if (!settings_.is_private() || settings_.seed) spec["seed"] = settings_.seed.value_or(0);
    if (settings_.is_private()) spec["privacy"] = privacy();
    return spec.sorted().dump();
  }

  [[nodiscard]] std::uint64_t texts() const override { return trained_->upto.back(); }
  [[nodiscard]] std::string made_from() const override { return trained_->content; }

  [[nodiscard]] SanitizeOutput text(std::uint64_t n) const override {
    const auto at = std::ranges::upper_bound(trained_->upto, n);
    const auto code = static_cast<std::size_t>(at - trained_->upto.begin());
    const std::uint64_t within = n - (code > 0 ? trained_->upto[code - 1] : 0);
    auto text = trained_->generator->text(code, hash_of(trained_->draws, trained_->codes[code], within));
    if (!text) return {std::nullopt, "nothing visible within the length", {}};
    return {std::move(text), std::nullopt, {}};
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (!settings_.is_private()) return {fmt::format("{}: no privacy is guaranteed", settings_.method)};
    std::vector<std::string> out{
        fmt::format("dp-ngram: ({:g}, {:g})-differentially private for one {} more or less; {} "
                    "n-grams passed their thresholds",
                    settings_.budget.epsilon, settings_.budget.delta, unit(), trained_->released)};
    if (auto note = large_delta_note(settings_.budget.delta, trained_->units.count, unit())) {
      out.push_back(*std::move(note));
    }
    if (settings_.seed) {
      out.push_back("whoever learns the seed, which is kept with the run, can take the noise away: leave out --seed");
    }
    return out;
  }

  [[nodiscard]] std::optional<Promise> promise() const override {
    if (!settings_.has_budget()) return std::nullopt;
    Promise out{trained_->release, std::string(unit()), trained_->units.count, std::string(noise()), {}};
    out.spending.epsilon = settings_.budget.epsilon;
    if (settings_.is_private()) {
      out.spending = spending_of_ngrams(settings_.budget, settings_.bounds, settings_.order);
    }
    return out;
  }

 private:
  [[nodiscard]] std::string_view unit() const { return trained_ ? trained_->units.name : "record"; }
  [[nodiscard]] std::string_view noise() const {
    return !settings_.is_private() ? "none" : settings_.seed ? "seed" : "store key";
  }

  // What the guarantee is and which noise it took; all of it follows from the settings.
  [[nodiscard]] Json privacy() const {
    const numbers::Accounting accounting = account_ngrams(settings_.budget, settings_.bounds, settings_.order);
    Json sigma = Json::array(), thresholds = Json::array();
    for (const numbers::TableNoise& table : accounting.tables) {
      sigma.push_back(std::sqrt(table.variance.value()));
      thresholds.push_back(table.threshold);
    }
    return {{"epsilon", settings_.budget.epsilon},
            {"delta", settings_.budget.delta},
            {"rho", accounting.rho},
            {"unit", unit()},
            {"noise", noise()},
            {"sigma", sigma},
            {"thresholds", thresholds}};
  }

  Settings settings_;
  std::unique_ptr<const Trained> trained_;
};

std::unique_ptr<Sanitizer> make(std::string_view method, const SanitizerSetting& setting) {
  const Settings settings = settings_of(method, setting);
  if (settings.is_private() && setting.store != nullptr) {
    check_delta(settings, units_of(*setting.store, setting.dataset));
  }
  return std::make_unique<NgramSynthesizer>(
      settings, setting.store == nullptr || setting.checking ? nullptr : train(settings, setting));
}

}  // namespace

std::span<const SanitizerParam> ngram_params() { return std::span(kParams).first(kShared); }
std::unique_ptr<Sanitizer> make_ngram(const SanitizerSetting& setting) { return make("ngram", setting); }

std::span<const SanitizerParam> dp_ngram_params() { return kParams; }
std::unique_ptr<Sanitizer> make_dp_ngram(const SanitizerSetting& setting) { return make("dp-ngram", setting); }

}  // namespace residue::ingest
