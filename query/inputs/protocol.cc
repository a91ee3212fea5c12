#include "query/inputs/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace residue::query {
namespace {

constexpr std::string_view kPolicies =
    "first:K, last:K, random:K[@SEED], all, each with ~CLAIMSET for other words; given:CLAIMSET";

[[noreturn]] void fail(std::string_view text, std::string_view what, std::string_view known) {
  throw Error(
      Code::kUsage, fmt::format("protocol \"{}\": {}", text, what),
      fmt::format("a protocol is LINKER/POLICY[/CLAIMSET], for example {}; known: {}", kDefaultProtocol, known));
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

Policy parse_policy(std::string_view whole, std::string_view text) {
  Policy policy;
  if (text.substr(0, 6) == "given:") {
    policy.kind = Policy::Kind::kGiven;
    policy.k = 0;
    policy.given = std::string(text.substr(6));
    if (policy.given.empty() || policy.given.find('~') != std::string::npos)
      fail(whole, "given:CLAIMSET names the claim set that the attacker knows, and takes no ~", kPolicies);
    return policy;
  }
  if (const std::size_t tilde = text.find('~'); tilde != std::string_view::npos) {
    policy.words = std::string(text.substr(tilde + 1));
    if (policy.words.empty()) fail(whole, "a claim set follows ~", kPolicies);
    text = text.substr(0, tilde);
  }
  if (text == "all") {
    policy.kind = Policy::Kind::kAll;
    policy.k = 0;
    return policy;
  }
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  if (kind == "first") {
    policy.kind = Policy::Kind::kFirst;
  } else if (kind == "last") {
    policy.kind = Policy::Kind::kLast;
  } else if (kind != "random") {
    fail(whole, fmt::format("unknown auxiliary policy \"{}\"", kind), kPolicies);
  }
  std::string_view rest = colon == std::string_view::npos ? "3" : text.substr(colon + 1);
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    const auto seed = number<std::uint64_t>(rest.substr(at + 1));
    if (!seed || policy.kind != Policy::Kind::kRandom)
      fail(whole, "a seed belongs to random:K@SEED and is a number", kPolicies);
    policy.seed = *seed;
    rest = rest.substr(0, at);
  }
  const auto k = number<std::uint32_t>(rest);
  if (!k || *k == 0 || *k > 10'000) fail(whole, "the number of auxiliary claims is from 1 to 10000", kPolicies);
  policy.k = *k;
  return policy;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text = text.substr(end + 1);
  }
}

std::string known_options(const Linker& linker) {
  std::string known;
  for (const LinkerOption& option : linker.options) {
    if (option.name == kAbsent) continue;  // nobody asks for it: it stands beside every attack
    known += fmt::format("{}{}={}", known.empty() ? "" : ", ", option.name,
                         option.name == "runs"   ? "RUN+RUN"
                         : option.values.empty() ? "NAME"
                                                 : option.values);
  }
  return known.empty() ? fmt::format("{} takes none", linker.name) : known;
}

std::string join_runs(std::vector<std::string> runs) {
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return fmt::format("{}", fmt::join(runs, "+"));
}

// The option's canonical value; nothing for the default.
std::optional<std::string> option_value(std::string_view whole, const Linker& linker, std::string_view name,
                                        std::string_view value) {
  const auto row = std::find_if(linker.options.begin(), linker.options.end(),
                                [&](const LinkerOption& option) { return option.name == name; });
  if (row == linker.options.end() || value.empty()) {
    fail(whole, fmt::format("unknown option \"{}={}\" of linker {}", name, value, linker.name), known_options(linker));
  }
  if (name == "runs") {
    const std::string runs = join_runs(split(value, '+'));
    if (runs.find('+') == std::string::npos) {
      const bool twice = value.find('+') != std::string_view::npos;
      fail(whole,
           twice ? fmt::format("run {} is named twice, and is one release", runs) : "runs= takes two or more runs",
           known_options(linker));
    }
    return runs;
  }
  if (row->values.empty()) return value == row->fallback ? std::nullopt : std::optional<std::string>(value);
  const std::vector<std::string> values = split(row->values, '|');
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    fail(whole, fmt::format("unknown option \"{}={}\" of linker {}", name, value, linker.name), known_options(linker));
  }
  if (value == values.front()) return std::nullopt;
  return std::string(value);
}

void parse_linker(std::string_view whole, std::string_view text, ProtocolSpec& spec) {
  const std::size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  const Linker* const linker = find_linker(name);
  if (linker == nullptr) {
    std::string known;
    for (const Linker& one : linkers()) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    fail(whole, fmt::format("unknown linker \"{}\"", name), known);
  }
  spec.linker = linker;
  if (bracket != std::string_view::npos && text.back() != ']')
    fail(whole, "options end with ]", known_options(*linker));
  const std::string_view options =
      bracket == std::string_view::npos ? std::string_view() : text.substr(bracket + 1, text.size() - bracket - 2);
  for (const std::string& option : options.empty() ? std::vector<std::string>() : split(options, ',')) {
    const std::size_t equals = option.find('=');
    const std::string key = option.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (auto canonical = option_value(whole, *linker, key, value)) spec.options[key] = *std::move(canonical);
  }
  if (linker->needs_vectors() && spec.options.count("model") == 0) {
    fail(whole, fmt::format("whose vectors? {}[model=NAME]", name), known_options(*linker));
  }
}

}  // namespace

std::string Policy::name() const {
  const std::string suffix = words.empty() ? "" : "~" + words;
  switch (kind) {
    case Kind::kFirst:
      return fmt::format("first:{}{}", k, suffix);
    case Kind::kLast:
      return fmt::format("last:{}{}", k, suffix);
    case Kind::kRandom:
      return fmt::format("random:{}@{}{}", k, seed, suffix);
    case Kind::kAll:
      return "all" + suffix;
    case Kind::kGiven:
      return "given:" + given;
  }
  return {};
}

std::string_view Policy::place_of_set() const {
  return kind == Kind::kGiven ? "LINKER/given:CLAIMSET" : "LINKER/POLICY~CLAIMSET";
}

std::vector<std::string> ProtocolSpec::runs() const {
  const auto found = options.find("runs");
  return found == options.end() ? std::vector<std::string>() : split(found->second, '+');
}

bool ProtocolSpec::absent() const { return options.count(std::string(kAbsent)) != 0; }

std::string ProtocolSpec::run_claims() const {
  if (!linker->votes) return {};
  const auto found = options.find("set");
  return found == options.end() ? std::string(kDefaultRunClaims) : found->second;
}

ProtocolSpec combined(const ProtocolSpec& spec, const std::vector<std::string>& runs) {
  const std::string text = fmt::format("{}[runs={}]", spec.linker->name, fmt::join(runs, "+"));
  ProtocolSpec parsed;
  parse_linker(text, text, parsed);
  ProtocolSpec result = spec;
  result.options["runs"] = parsed.options.at("runs");
  return result;
}

std::string ProtocolSpec::linker_name() const {
  if (options.empty()) return std::string(linker->name);
  std::string list;
  for (const auto& [name, value] : options) list += fmt::format("{}{}={}", list.empty() ? "" : ",", name, value);
  return fmt::format("{}[{}]", linker->name, list);
}

std::string ProtocolSpec::name() const {
  return fmt::format("{}/{}{}{}", linker_name(), policy.name(), claim_set.empty() ? "" : "/", claim_set);
}

namespace {

// At the commas outside of brackets.
std::vector<std::string_view> cut_list(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[') ++depth;
    if (i < text.size() && text[i] == ']') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

}  // namespace

ProtocolSpec parse_protocol(std::string_view text) {
  if (text == "paper") text = kDefaultProtocol;
  if (cut_list(text).size() > 1)
    fail(text, "this is a list, and only one attacker can be named here", "LINKER/POLICY/CLAIMSET");
  ProtocolSpec spec;
  std::vector<std::string_view> parts;
  std::string_view rest = text;
  while (true) {
    const std::size_t slash = rest.find('/');
    parts.push_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest = rest.substr(slash + 1);
  }
  if (parts.size() > 3 || parts[0].empty()) fail(text, "it has one to three parts", "LINKER/POLICY/CLAIMSET");
  parse_linker(text, parts[0], spec);
  if (parts.size() > 1) spec.policy = parse_policy(text, parts[1]);
  if (parts.size() > 2) {
    if (parts[2].empty()) fail(text, "the claim set has no name", "residue info lists the claim sets");
    spec.claim_set = std::string(parts[2]);
  }
  return spec;
}

std::vector<ProtocolSpec> parse_protocols(std::string_view text) {
  std::vector<ProtocolSpec> specs;
  for (const std::string_view one : cut_list(text)) {
    const ProtocolSpec spec = parse_protocol(one);
    if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
  }
  return specs;
}

std::vector<ProtocolSpec> with_seeds(const ProtocolSpec& spec, std::uint32_t seeds) {
  if (spec.policy.kind != Policy::Kind::kRandom) return {spec};
  std::vector<ProtocolSpec> specs(std::max(seeds, 1U), spec);
  for (std::uint32_t i = 0; i < specs.size(); ++i) specs[i].policy.seed += i;
  return specs;
}

std::string seeds_name(const ProtocolSpec& spec, std::uint32_t seeds) {
  if (seeds < 2 || spec.policy.kind != Policy::Kind::kRandom) return spec.name();
  Policy first = spec.policy;
  first.words.clear();
  return fmt::format("{}/{}..{}{}{}{}{}", spec.linker_name(), first.name(), spec.policy.seed + seeds - 1,
                     spec.policy.words.empty() ? "" : "~", spec.policy.words, spec.claim_set.empty() ? "" : "/",
                     spec.claim_set);
}

ProtocolSpec control_of(const ProtocolSpec& spec, LinkerRole role) {
  ProtocolSpec same = spec;
  same.linker = &linker_of(role);
  same.options.clear();
  return same;
}

void require_attack(const ProtocolSpec& spec) {
  if (!spec.absent()) return;
  throw Error(Code::kUsage, fmt::format("\"{}\": the absent attack is made beside every attack", spec.linker_name()),
              fmt::format("leave out {}={}", kAbsent, spec.options.at(std::string(kAbsent))));
}

ProtocolSpec absent_of(const ProtocolSpec& spec) {
  ProtocolSpec same = spec;
  same.options[std::string(kAbsent)] = "yes";
  return same;
}

ProtocolSpec twice_absent_of(const ProtocolSpec& spec) {
  ProtocolSpec same = spec;
  same.options[std::string(kAbsent)] = "twice";
  return same;
}

ProtocolSpec lexical_baseline(const ProtocolSpec& spec) {
  return spec.linker->role == LinkerRole::kLexicalBaseline ? spec : control_of(spec, LinkerRole::kLexicalBaseline);
}

std::vector<std::uint32_t> select_auxiliary(const Policy& policy, std::string_view record_key,
                                            std::span<const std::uint32_t> claims) {
  if (policy.kind == Policy::Kind::kGiven) return {};
  if (policy.kind == Policy::Kind::kAll || policy.k >= claims.size()) return {claims.begin(), claims.end()};
  if (policy.kind == Policy::Kind::kFirst) return {claims.begin(), claims.begin() + policy.k};
  if (policy.kind == Policy::Kind::kLast) return {claims.end() - policy.k, claims.end()};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> draws;
  draws.reserve(claims.size());
  for (const std::uint32_t n : claims) draws.emplace_back(hash_of(policy.seed, record_key, n), n);
  std::partial_sort(draws.begin(), draws.begin() + policy.k, draws.end());
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < policy.k; ++i) chosen.push_back(draws[i].second);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace residue::query
