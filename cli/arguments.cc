#include "cli/arguments.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/config.h"
#include "cli/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/store.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

// The global flags as written, before they are looked at.
struct Raw {
  Globals globals;
  std::string store, format, output, color, csv, separator;
  bool json = false, no_pager = false;
};

void add_globals(Syntax& syntax, Raw& raw) {
  syntax.add("--store", raw.store, "the store to use: DIR/.residue or DIR itself (RESIDUE_STORE)").type("DIR");
  syntax.add("--format", raw.format, "table, json, jsonl, csv, tsv, md or latex").type("FORMAT");
  syntax.flag("--json", raw.json, "short for --format json");
  syntax.flag("--csv{plain}", raw.csv, "short for --format csv; --csv=spreadsheet disarms formulas");
  syntax.add("--separator", raw.separator, "between the cells of csv: comma (default), semicolon or tab").type("WORD");
  syntax.flag("--bom", raw.globals.bom, "begin csv with a byte order mark, for spreadsheets that ask for one");
  syntax.add("-o,--output", raw.output, "write the result to FILE (mode 0600)").type("FILE");
  syntax.flag("-q,--quiet", raw.globals.quiet, "errors only");
  syntax.flag("-v,--verbose", raw.globals.verbose, "say more; twice: still more");
  syntax.add("--color", raw.color, "auto, always or never (NO_COLOR)").type("WHEN");
  syntax.flag("--wide", raw.globals.wide, "do not cut table cells to the terminal's width");
  syntax.add("--jobs", raw.globals.jobs, "threads to use (default: one per core)").type("N");
  syntax.flag("--no-progress", raw.globals.no_progress, "no progress lines");
  syntax.flag("--no-pager", raw.no_pager, "long results go straight to the terminal (RESIDUE_PAGER, PAGER)");
  syntax.flag("--yes", raw.globals.yes, "do not ask");
}

const std::set<std::string, std::less<>>& global_flags_with_value() {
  static const std::set<std::string, std::less<>> flags = {"--store", "--format", "-o",         "--output",
                                                           "--color", "--jobs",   "--separator"};
  return flags;
}

CLI::Option* bind(CLI::App& app, const Option& option) {
  return std::visit(
      [&](auto* place) {
        using Value = std::remove_pointer_t<decltype(place)>;
        constexpr bool kMayBeFlag =
            std::same_as<Value, bool> || std::same_as<Value, int> || std::same_as<Value, std::string>;
        if constexpr (kMayBeFlag) {
          if (option.kind == Option::Kind::kFlag) return app.add_flag(option.names, *place, option.description);
        }
        return app.add_option(option.names, *place, option.description);
      },
      option.place);
}

template <class T>
struct NumberIn {
  using Type = void;
};
template <class T>
requires std::integral<T> || std::floating_point<T>
struct NumberIn<T> {
  using Type = std::conditional_t<std::same_as<T, bool>, void, T>;
};
template <class T>
struct NumberIn<std::optional<T>> : NumberIn<T> {};

void add_checks(CLI::Option& to, const Option& option) {
  if (!option.choices.empty()) {
    CLI::Validator choice = CLI::IsMember(option.choices);
    to.check(option.choices_in_help ? choice : choice.description(""));
  }
  std::visit(
      [&](const auto* place) {
        using Number = typename NumberIn<std::remove_cvref_t<decltype(*place)>>::Type;
        if constexpr (!std::is_void_v<Number>) {
          if (option.kind == Option::Kind::kFlag) return;
          const Bounds<Number> bounds = bounds_of<Number>(option);
          if (option.bounds.index() != 0 && option.type_name.empty()) {
            to.type_name(fmt::format("{}..{}", bounds.low, bounds.high));
          }
          to.check([bounds](const std::string& word) { return number_check(bounds, word); });
        }
      },
      option.place);
  if (option.checked) to.check(option.checked);
}

// Tells CLI11 how to read the words of `syntax`.
void fill(CLI::App& app, const Syntax& syntax) {
  app.set_help_flag();
  std::vector<std::pair<CLI::Option*, const Option*>> added;
  for (const Option& option : syntax.options()) {
    CLI::Option* to = bind(app, option);
    added.emplace_back(to, &option);
    if (option.kind == Option::Kind::kRepeated) to->allow_extra_args(false)->take_all();
    if (!option.type_name.empty()) to->type_name(option.type_name);
    if (option.is_required && option.config_key.empty()) to->required();
    if (option.has_commas) to->delimiter(',');
    if (option.noted != nullptr) {
      to->each([noted = option.noted, name = to->get_name()](const std::string&) { *noted = name; });
    }
    add_checks(*to, option);
  }
  for (const auto& [to, option] : added) {
    for (const std::string& name : option->bars) to->excludes(app.get_option(name));
    for (const std::string& name : option->wants) to->needs(app.get_option(name));
  }
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags = {"--help", "--version"};
  for (const CLI::Option* option : app.get_options()) {
    for (std::string& name : names_of(*option)) flags.push_back(std::move(name));
  }
  return flags;
}

std::string flag_name(const std::string& word) { return word.substr(0, word.find('=')); }

bool is_flag(const std::string& word) { return word.size() > 1 && word[0] == '-' && word != "--"; }

// "; did you mean --votes?": compared without the dashes, which would make short names look alike.
std::string flag_suggestion(const std::string& name, const std::vector<std::string>& flags) {
  const auto bare = [](const std::string& flag) {
    return flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  };
  std::vector<std::string> names;
  for (const std::string& flag : flags) names.push_back(bare(flag));
  const std::vector<std::string> close = nearest(bare(name), names, 1);
  if (close.empty()) return {};
  const auto position = std::find(names.begin(), names.end(), close.front()) - names.begin();
  return "; did you mean " + flags[static_cast<std::size_t>(position)] + "?";
}

[[noreturn]] void unknown_flag(const std::string& word, const std::vector<std::string>& flags, const Command* command) {
  const std::string name = flag_name(word);
  const std::string help = command == nullptr ? "residue help" : "residue help " + command->name;
  throw Error(Code::kUsage, "unknown flag " + text::escape_controls(name) + flag_suggestion(name, flags),
              help + " lists the flags");
}

std::string usage_of(const Command& command) {
  return "usage: residue " + command.name + (command.usage.empty() ? "" : " " + command.usage);
}

// Flags nobody knows, then words nobody takes. CLI11 keeps both in remaining().
void refuse_extras(const CLI::App& app, const Command& command, bool words_too) {
  std::vector<std::string> words;
  for (const std::string& word : app.remaining()) {
    if (is_flag(word)) unknown_flag(word, flags_of(app), &command);
    if (word != "--") words.push_back(word);
  }
  if (words_too && !words.empty()) {
    throw Error(Code::kUsage,
                command.name + " does not take the argument '" + text::escape_controls(words.front()) + "'",
                usage_of(command));
  }
}

template <class Value>
struct Choice {
  const char* name;
  Value value;
};

template <class Value, std::size_t N>
Value choose(const char* flag, const std::string& word, const Choice<Value> (&choices)[N]) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& choice : choices) {
    if (word == choice.name) return choice.value;
    names.emplace_back(choice.name);
    all += (all.empty() ? "" : ", ") + names.back();
  }
  throw Error(
      Code::kUsage,
      std::string("unknown value '") + text::escape_controls(word) + "' of " + flag + did_you_mean(word, names, 1),
      std::string(flag) + " takes one of: " + all);
}

// The separator itself is as good as its name.
std::string word_for(const std::string& separator) {
  return separator == "," ? "comma" : separator == ";" ? "semicolon" : separator == "\t" ? "tab" : separator;
}

Globals decide(Raw raw) {
  static constexpr Choice<Format> kFormats[] = {
      {"table", Format::kTable}, {"json", Format::kJson},   {"jsonl", Format::kJsonl}, {"csv", Format::kCsv},
      {"tsv", Format::kTsv},     {"md", Format::kMarkdown}, {"latex", Format::kLatex}};
  static constexpr Choice<Color> kColors[] = {
      {"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}};
  static constexpr Choice<char> kSeparators[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}};
  static constexpr Choice<bool> kCsv[] = {{"plain", false}, {"spreadsheet", true}};
  Globals globals = raw.globals;
  const int formats = (raw.format.empty() ? 0 : 1) + (raw.json ? 1 : 0) + (raw.csv.empty() ? 0 : 1);
  if (formats > 1) throw Error(Code::kUsage, "more than one output format", "give one of --format, --json and --csv");
  globals.format_given = formats == 1;
  if (!raw.format.empty()) globals.format = choose("--format", raw.format, kFormats);
  if (raw.json) globals.format = Format::kJson;
  if (!raw.csv.empty()) {
    globals.format = Format::kCsv;
    globals.spreadsheet = choose("--csv", raw.csv, kCsv);
  }
  if (!raw.separator.empty()) globals.separator = choose("--separator", word_for(raw.separator), kSeparators);
  if (globals.format != Format::kCsv && (globals.bom || !raw.separator.empty())) {
    throw Error(Code::kUsage, fmt::format("{} is about csv", globals.bom ? "--bom" : "--separator"), "add --csv");
  }
  globals.paged = !raw.no_pager;
  if (!raw.color.empty()) globals.color = choose("--color", raw.color, kColors);
  if (!raw.output.empty()) globals.output = raw.output;
  const char* environment = std::getenv("RESIDUE_STORE");
  if (!raw.store.empty()) {
    globals.store = raw.store;
  } else if (environment != nullptr && *environment != '\0') {
    globals.store = environment;
  }
  return globals;
}

void set(const Option& option, const std::string& word) {
  std::visit(
      [&](auto* place) {
        using Value = std::remove_cvref_t<decltype(*place)>;
        using Number = typename NumberIn<Value>::Type;
        if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, std::optional<std::string>>) {
          *place = word;
        } else if constexpr (!std::is_void_v<Number>) {
          *place = decimal<Number>(word).value();
        }
      },
      option.place);
}

// What config.toml sets and the command line does not, as words of a command line.
std::string configure(const CLI::App& app, const Syntax& syntax, const Globals& globals) {
  const auto& options = syntax.options();
  if (std::ranges::all_of(options, [](const Option& option) { return option.config_key.empty(); })) return {};
  const auto store = storage::Store::find(globals.store.value_or("."), !globals.store.has_value());
  if (!store) return {};
  const Config config = read_config(*store);
  const auto given = [&](const std::string& name) { return app.get_option(name)->count() > 0; };
  std::string words;
  for (const Option& option : options) {
    const auto value = config.find(option.config_key);
    if (option.config_key.empty() || value == config.end() || given(option.names)) continue;
    if (std::ranges::any_of(option.bars, given) || (option.config_counts && !option.config_counts())) continue;
    set(option, value->second);
    words += fmt::format("{}{} {}", words.empty() ? "" : " ", option.names, shell_word(value->second));
  }
  return words;
}

// A required option that could have come from config.toml and did not.
void demand(const CLI::App& app, const Syntax& syntax, const std::string& configured, const Command& command) {
  for (const Option& option : syntax.options()) {
    if (!option.is_required || option.config_key.empty() || app.get_option(option.names)->count() > 0) continue;
    if ((" " + configured).find(" " + option.names + " ") != std::string::npos) continue;
    throw Error(Code::kUsage, fmt::format("{}: {} is required", command.name, option.names), usage_of(command));
  }
}

// CLI11's sentence in our style: no capital, no full stop.
std::string sentence(const CLI::ParseError& error) {
  std::string text = text::escape_controls(error.what());
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::vector<OptionHelp> described(const Syntax& syntax) {
  CLI::App app;
  fill(app, syntax);
  std::vector<OptionHelp> result;
  for (const CLI::Option* option : app.get_options()) {
    OptionHelp help;
    const Option& source = syntax.options()[result.size()];
    help.flags = names_of(*option);
    help.takes_value =
        !option->get_positional() && option->get_items_expected_max() > 0 && source.kind != Option::Kind::kFlag;
    help.repeatable = option->get_items_expected_max() > 1 || source.kind == Option::Kind::kRepeated;
    help.choices = source.choices;
    for (const std::string& name : names_of(*option)) help.names += (help.names.empty() ? "" : ", ") + name;
    if (option->get_positional()) help.names = option->get_name();
    if (!option->get_positional() && option->get_items_expected_max() > 0) {
      const std::string type = option->get_type_name();
      const bool generic = type.empty() || type == "TEXT" || type == "INT" || type == "UINT" || type == "FLOAT";
      help.names += " " + (generic ? std::string(type == "TEXT" || type.empty() ? "X" : "N") : type);
    }
    help.description = option->get_description();
    result.push_back(std::move(help));
  }
  return result;
}

std::vector<std::string> command_names(const std::string& group) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    const std::size_t space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    if (group.empty()) {
      if (names.empty() || names.back() != first) names.push_back(first);
    } else if (space != std::string::npos && first == group) {
      names.push_back(command.name.substr(space + 1));
    }
  }
  return names;
}

// Flags in front of a command that was not found: "residue --vots", or "residue --stor x info", where x is no command.
void refuse_unknown_globals(const std::vector<std::string>& rest) {
  Syntax syntax;
  Raw raw;
  add_globals(syntax, raw);
  CLI::App app;
  fill(app, syntax);
  const std::vector<std::string> known = flags_of(app);
  for (const std::string& word : rest) {
    const bool bundled = word.size() > 1 && word.find_first_not_of("qvo", 1) == std::string::npos;
    if (is_flag(word) && !bundled && std::find(known.begin(), known.end(), flag_name(word)) == known.end()) {
      unknown_flag(word, known, nullptr);
    }
  }
}

// One more word of the command's name.
void take_name(Words& words, const std::string& word) {
  const std::string name = words.group.empty() ? word : words.group + " " + word;
  for (const Command& command : commands()) {
    if (command.name == name) {
      words.command = &command;
      return;
    }
  }
  if (words.group.empty() && !command_names(word).empty()) {
    words.group = word;
    return;
  }
  refuse_unknown_globals(words.rest);
  const std::vector<std::string> names = command_names(words.group);
  const std::string prefix = words.group.empty() ? "" : words.group + " ";
  const std::vector<std::string> close = nearest(word, names, 1);
  throw Error(Code::kUsage,
              "unknown command '" + text::escape_controls(name) + "'" +
                  (close.empty() ? "" : "; did you mean " + prefix + close.front() + "?"),
              "residue help lists the commands");
}

// "egress allow" where "egress" is a command as well.
const Command* longer_command(const Command& command, const std::string& word) {
  for (const Command& longer : commands()) {
    if (longer.name == command.name + " " + word) return &longer;
  }
  return nullptr;
}

}  // namespace

unsigned threads(const Globals& globals) {
  if (globals.jobs > 0) return globals.jobs;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(CPU_COUNT(&allowed));
  return std::max(1U, std::thread::hardware_concurrency());
}

Words sort_words(const std::vector<std::string>& arguments) {
  Words words;
  bool options_end = false;
  std::size_t after_name = 0;  // where a name of one word could go on
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (options_end || (!is_flag(word) && word != "--")) {
      if (words.command == nullptr && !options_end) {
        take_name(words, word);
        after_name = i + 1;
      } else if (const Command* longer =
                     i == after_name && !options_end ? longer_command(*words.command, word) : nullptr) {
        words.command = longer;
      } else {
        words.rest.push_back(word);
      }
      continue;
    }
    if (word == "--help" || word == "-h") {
      words.help = true;
    } else if (word == "--version") {
      words.version = true;
    } else {
      options_end = word == "--";
      words.rest.push_back(word);
      const bool takes_next = words.command == nullptr && global_flags_with_value().contains(word);
      if (takes_next && i + 1 < arguments.size()) words.rest.push_back(arguments[++i]);
    }
  }
  if (words.command == nullptr) {
    refuse_unknown_globals(words.rest);
    if (!words.group.empty() && !words.help) {
      std::string all;
      for (const std::string& name : command_names(words.group)) all += (all.empty() ? "" : ", ") + name;
      throw Error(Code::kUsage, words.group + " needs one of: " + all, "residue help lists the commands");
    }
  }
  return words;
}

Invocation parse(const Words& words) {
  const Command& command = *words.command;
  Syntax syntax;
  Raw raw;
  add_globals(syntax, raw);
  Invocation result;
  result.run = command.setup(syntax);
  CLI::App app;
  app.allow_extras();
  fill(app, syntax);
  std::vector<std::string> reversed(words.rest.rbegin(), words.rest.rend());  // as CLI11 wants them
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    // A mistyped flag is the likelier reason for whatever seems to be missing.
    refuse_extras(app, command, false);
    throw Error(Code::kUsage, command.name + ": " + sentence(error), usage_of(command));
  }
  refuse_extras(app, command, true);
  result.globals = decide(raw);
  result.globals.paged = result.globals.paged && command.paged;
  result.configured = configure(app, syntax, result.globals);
  demand(app, syntax, result.configured, command);
  return result;
}

std::vector<OptionHelp> options_of(const Command& command) {
  Syntax syntax;
  const Run run = command.setup(syntax);
  return described(syntax);
}

std::vector<OptionHelp> global_options() {
  Syntax syntax;
  Raw raw;
  add_globals(syntax, raw);
  return described(syntax);
}

}  // namespace residue::cli
