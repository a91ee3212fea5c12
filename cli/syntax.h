// What a command takes, as data: options, flags and positionals, and where their values go. arguments.cc reads a
// command line by it.
//
//   setup ── add, flag, repeated ──> Syntax ── with the words ──> the bound variables
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace residue::cli {

template <class T>
struct Bounds {
  T low, high;  // both allowed
};

// One option, flag or positional: "-o,--output", "--limit", "FILE".
class Option {
 public:
  // The variable that gets the value. A flag's is a bool, a count, or the word behind its "=".
  using Place = std::variant<bool*, int*, unsigned*, std::int64_t*, std::uint64_t*, double*, std::string*,
                             std::optional<std::int64_t>*, std::optional<std::uint64_t>*, std::optional<double>*,
                             std::optional<std::string>*, std::vector<std::string>*>;
  // Nothing for a good word, else what is wrong with it.
  using Check = std::function<std::string(const std::string& word)>;
  using Range = std::variant<std::monostate, Bounds<int>, Bounds<unsigned>, Bounds<std::int64_t>, Bounds<std::uint64_t>,
                             Bounds<double>>;
  enum class Kind { kValue, kFlag, kRepeated };

  Kind kind = Kind::kValue;
  std::string names;
  Place place;
  std::string description;

  std::string type_name = {};             // how help calls the value; empty: after the type of the variable
  std::vector<std::string> choices = {};  // empty: any word
  bool choices_in_help = true;
  Range bounds = {};
  Check checked = {};
  bool is_required = false;
  bool has_commas = false;                   // a,b,c are three values
  std::vector<std::string> bars = {};        // options that must not be given with this one
  std::vector<std::string> wants = {};       // options that must be given with this one
  std::string* noted = nullptr;              // gets the name of this option when it is given
  std::string config_key = {};               // the key of config.toml that stands for this option; empty: none
  std::function<bool()> config_counts = {};  // whether it does, given all other options; empty: always

  Option& required() {
    is_required = true;
    return *this;
  }
  Option& type(std::string name) {
    type_name = std::move(name);
    return *this;
  }
  Option& one_of(std::vector<std::string> words) {
    choices = std::move(words);
    return *this;
  }
  // As one_of, where the description has the words already.
  Option& one_of_described(std::vector<std::string> words) {
    choices_in_help = false;
    return one_of(std::move(words));
  }
  template <class T>
  Option& range(T low, T high) {
    bounds = Bounds<T>{low, high};
    return *this;
  }
  Option& check(Check check) {
    checked = std::move(check);
    return *this;
  }
  Option& comma_separated() {
    has_commas = true;
    return *this;
  }
  Option& excludes(std::string name) {
    bars.push_back(std::move(name));
    return *this;
  }
  Option& needs(std::string name) {
    wants.push_back(std::move(name));
    return *this;
  }
  // Where it is not given, the store's config.toml may (config.h); a required option is only missing where neither has
  // it.
  Option& configured(std::string key, std::function<bool()> counts = {}) {
    config_key = std::move(key);
    config_counts = std::move(counts);
    return *this;
  }
  Option& notes_its_name(std::string& to) {
    noted = &to;
    return *this;
  }
};

// All that a command takes, in the order of help. The bound variables outlive the reading of the command line.
class Syntax {
 public:
  // "--name" with a value, or "NAME", a positional. A list of words takes all words up to the next flag.
  template <class T>
  Option& add(std::string names, T& place, std::string description) {
    return put({.names = std::move(names), .place = &place, .description = std::move(description)});
  }
  // --name; "!--no-name" makes a bool false, "--name{word}" allows --name=OTHER.
  template <class T>
  Option& flag(std::string names, T& place, std::string description) {
    return put({.kind = Option::Kind::kFlag,
                .names = std::move(names),
                .place = &place,
                .description = std::move(description)});
  }
  // --name VALUE, may be given several times; takes one value each time, so that positionals can follow.
  Option& repeated(std::string names, std::vector<std::string>& places, std::string description) {
    return put({.kind = Option::Kind::kRepeated,
                .names = std::move(names),
                .place = &places,
                .description = std::move(description)});
  }

  [[nodiscard]] const std::deque<Option>& options() const { return options_; }

 private:
  Option& put(Option option) { return options_.emplace_back(std::move(option)); }

  std::deque<Option> options_;  // setups keep references
};

}  // namespace residue::cli
