// Sanitizers: a record's text in, what would be released out.
//
//   (key, text) ──> Sanitizer::sanitize ──> text | error, and the spans that were replaced
//
// The interface of all of them; a method of rounds makes a run of each (the input of round n + 1 is the output of n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "model/asking/asker.h"
#include "storage/store.h"

namespace residue::ingest {

class AskingSanitizer;

struct SanitizeInput {
  std::string_view key;          // of the record
  std::string_view text;         // UTF-8
  std::string_view person = {};  // whom the record is about, if somebody said
};

// Bytes [begin, end) of the input were replaced by `with`. Enough to rebuild the output, to undo it (a substitution
// table is the pairs of original and `with`), and to compare with gold spans.
struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type;  // lower-case name: "email", "name"
  std::string with;
  bool stands = false;  // for these very words: a number or a word in their place, not what their type is called
  friend bool operator==(const Replacement&, const Replacement&) = default;
};

// Exactly one of `text` and `error` is set. An error fails this record only. `spans` are sorted and disjoint; empty
// where the method rewrites freely and cannot say.
struct SanitizeOutput {
  std::optional<std::string> text;
  std::optional<std::string> error;  // short, without the record's text
  std::vector<Replacement> spans;
  // What stands for what (substitutions.h), where the spans do not say all of it; nothing: what they say.
  std::optional<std::string> substitutions = std::nullopt;
};

// Takes outputs as they come, while others are still waited for.
class OutputSink {
 public:
  virtual ~OutputSink() = default;

  // Of the input with that number; once more: what was said before counts no more. May throw what ends the work.
  virtual void take(std::size_t input, SanitizeOutput output) = 0;

  // Called about every tenth of a second. May throw likewise.
  virtual void wait() = 0;

  // Whether whoever is asked has given a text before, of whatever record.
  [[nodiscard]] virtual bool has_text() const = 0;
};

class Sanitizer {
 public:
  virtual ~Sanitizer() = default;

  // Canonical JSON object of everything that the output depends on besides the input: "method", "version", "params"
  // (all of them, defaults filled in), and "seed" where the method draws. Equal specs give equal outputs.
  [[nodiscard]] virtual std::string spec() const = 0;

  // Declared to remove everything: its empty texts are successes, not failures.
  [[nodiscard]] virtual bool removes_everything() const { return false; }

  // Declared to mean texts that look like failures (model/suspicion/suspected.h).
  [[nodiscard]] virtual bool texts_are_meant() const { return false; }

  // Of a method of rounds: how many it makes, each of them a run NAME@1, NAME@2 ...; the input of a round is what the
  // round before left. What a round does depends on its input alone. 0: one run, NAME.
  [[nodiscard]] virtual std::uint32_t rounds() const { return 0; }

  // What whoever makes the run should know, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  // The same object where the method asks a model (asking_sanitizer.h), else null.
  [[nodiscard]] virtual AskingSanitizer* asking() { return nullptr; }

  // The outputs of several records, in their order, on at most `jobs` threads; the default calls sanitize() for each.
  // Methods that talk to somebody take them together. A record's output does not depend on the others'.
  virtual void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                            unsigned jobs) const;

  // Of a method whose outputs cannot be had again without somebody being asked who may be slow, cost money or answer
  // otherwise: the digest of all that is known to decide an output besides its input, 32 bytes. An output that is
  // stored under an equal one is not asked for again. Empty: outputs are made anew, and compared.
  [[nodiscard]] virtual std::string asked() const { return {}; }

  // Where asked() is not empty: as sanitize_all(), each output as soon as it is there.
  virtual void sanitize_each(std::span<const SanitizeInput> inputs, OutputSink& sink) const;

  // Callable from several threads at once. The result depends on spec and input only. A record's failure is a value;
  // throws Error only for what would fail every record (an endpoint that cannot be reached).
  [[nodiscard]] virtual SanitizeOutput sanitize(const SanitizeInput& input) const = 0;
};

// What the value of a parameter may be.
struct ParamRange {
  enum class Kind : std::uint8_t { kWords, kWhole, kReal } kind = Kind::kWords;  // kWords: the method sees to it
  double low = 0, high = 0;
  bool above = false;          // 0 is meant for the lower end, which no value may be; `low` is the least that is one
  bool below = false;          // `high` itself is too much
  std::string_view also = {};  // a word that may stand there, too
  bool may_be_empty = false;
};

constexpr ParamRange whole_from(double low, double high) { return {ParamRange::Kind::kWhole, low, high}; }
constexpr ParamRange real_from(double low, double high) { return {ParamRange::Kind::kReal, low, high}; }

// "whole number from 1 to 20", "number above 0 (at least 1e-100), below 1": without `also`.
std::string words_of(const ParamRange& range);

struct SanitizerParam {
  std::string_view name;
  std::string_view default_value;
  std::string_view description;
  ParamRange range = {};
};

// Throws Error{usage} that names method, parameter and range if `value` is outside.
void check_param(std::string_view method, const SanitizerParam& param, std::string_view value);

// Whom a method asks, and how.
struct SanitizerAsking {
  std::string model = {};                             // as given to `model add`; empty: nobody was named
  std::map<std::string, std::string> templates = {};  // the user's texts instead of ours, by what is asked
  model::AskSession* session = nullptr;               // outlives the sanitizer
};

// What a method is made from. `params` are known names only, with defaults filled in.
struct SanitizerSetting {
  std::map<std::string, std::string> params;
  std::uint64_t seed = 0;
  // The dataset whose records are coming. Null in `sanitize --help` and the like: then a method that reads it throws
  // Error{usage}.
  storage::Store* store = nullptr;
  DatasetId dataset = {};
  std::function<bool()> interrupted = {};
  bool seeded = false;  // somebody gave `seed`
  std::string dataset_name = {};
  SanitizerAsking asking = {};
  bool checking = false;  // whether it can be made, no more: no model is trained, and nothing will be sanitized
};

// A row of the table of methods, for `sanitize --help` and for the error that lists them.
struct SanitizerMethod {
  std::string_view name;
  std::string_view description;
  std::span<const SanitizerParam> params;
  std::unique_ptr<Sanitizer> (*make)(const SanitizerSetting& setting);
  std::span<const std::string_view> asks = {};  // what it asks a model, as --template names it; empty: it asks nobody
  bool takes_any_param = false;                 // what it does not know is the user's, for somebody whom it asks
};

// A letter or '_', then these and digits, at most 64: what a variable of the environment can be called.
bool is_own_param_name(std::string_view name);

std::span<const SanitizerMethod> sanitizer_methods();

// Throws Error{usage} for an unknown name, with the nearest.
const SanitizerMethod& sanitizer_method(std::string_view name);

// Throws Error{usage} for an unknown method (names the nearest), an unknown parameter (names the allowed ones), a
// value out of range, a method that asks and no model, a model or a template that the method has no use for. Error{not
// found}: no such model. `setting.params` may leave names out.
std::unique_ptr<Sanitizer> make_sanitizer(std::string_view method, SanitizerSetting setting);

// The value of a parameter with a range, which make_sanitizer() has checked; "inf" is infinity.
double number_param(const SanitizerSetting& setting, const std::string& name);
std::uint32_t whole_param(const SanitizerSetting& setting, const std::string& name);

}  // namespace residue::ingest
