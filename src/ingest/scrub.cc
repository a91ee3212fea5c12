#include "ingest/scrub.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/error.h"
#include "text/unicode.h"

namespace residue::ingest {

namespace {

// Numbers the values of one record, per type, in order of appearance.
class Tokens {
 public:
  std::string of(const text::Recognizer& row, std::string_view value) {
    const std::string key = fmt::format("{}\n{}", row.tag, value);
    const auto [at, is_new] = number_.try_emplace(key, 0);
    if (is_new) at->second = ++last_[row.tag];
    return fmt::format("[{}_{}]", row.tag, at->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> number_;
  std::unordered_map<std::string_view, std::size_t> last_;
};

// Replaces the entities by their tags.
std::string masked(std::string_view text, const std::vector<text::Entity>& entities) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (const text::Entity& entity : entities) {
    out.append(text.substr(done, entity.begin - done));
    out.append("[").append(text::recognizer(entity.type).tag).append("]");
    done = entity.end;
  }
  return out.append(text.substr(done));
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Between plain words ("on 3 March 2021. She"): replacing it uncovers nothing.
bool quiet(std::string_view text, const text::Entity& entity) {
  const bool left =
      entity.begin == 0 || (entity.begin > 1 && text[entity.begin - 1] == ' ' && letter(text[entity.begin - 2]));
  std::size_t next = entity.end;
  if (next < text.size() && (text[next] == '.' || text[next] == ',')) ++next;
  const bool right = next >= text.size() || (next + 1 < text.size() && text[next] == ' ' && letter(text[next + 1]));
  return left && right;
}

// Recognizes until nothing is left: what follows an identifier may look like one only once that one is gone
// ("1234567/www.a.org"). Every further round is rare and short; they are bounded so that the whole stays linear.
std::vector<text::Entity> recognize_all(std::string_view text, text::EntitySet types) {
  constexpr int kMaxRounds = 8;
  std::vector<text::Entity> all = text::recognize(text, types);
  bool more = !std::ranges::all_of(all, [&](const text::Entity& entity) { return quiet(text, entity); });
  for (int round = 1; more && round < kMaxRounds; ++round) {
    std::vector<text::Entity> fresh = text::recognize(masked(text, all), types);
    more = !fresh.empty();
    std::size_t known = 0;
    std::size_t added = 0;    // bytes that the tags before this place have
    std::size_t removed = 0;  // bytes that their entities had
    const std::size_t before = all.size();
    for (text::Entity& entity : fresh) {
      while (known < before && all[known].begin + added < entity.begin + removed) {
        added += text::recognizer(all[known].type).tag.size() + 2;
        removed += all[known].end - all[known].begin;
        ++known;
      }
      entity.begin = entity.begin + removed - added;
      entity.end = entity.end + removed - added;
    }
    all.insert(all.end(), fresh.begin(), fresh.end());
    std::ranges::sort(all, {}, &text::Entity::begin);
  }
  return all;
}

std::string type_names(text::EntitySet types) {
  std::string names;
  for (const text::Recognizer& row : text::recognizers()) {
    if (!types.contains(row.type)) continue;
    if (!names.empty()) names += ',';
    names += row.name;
  }
  return names;
}

text::EntitySet parse_types(std::string_view list) {
  if (list == "all") return text::EntitySet::all();
  text::EntitySet types;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    const auto type = text::entity_type(name);
    if (!type) {
      throw Error(Code::kUsage, fmt::format("scrub: unknown type '{}'", name),
                  fmt::format("types are {}", type_names(text::EntitySet::all())));
    }
    types.insert(*type);
  }
  if (types.empty()) throw Error(Code::kUsage, "scrub: no types given", "leave out 'types' for all of them");
  return types;
}

struct ReplacementName {
  std::string_view name;
  ScrubReplacement value;
};
constexpr std::array kReplacements{ReplacementName{"tag", ScrubReplacement::kTag},
                                   ReplacementName{"stars", ScrubReplacement::kStars},
                                   ReplacementName{"token", ScrubReplacement::kToken}};

ScrubReplacement parse_replacement(std::string_view name) {
  for (const ReplacementName& row : kReplacements) {
    if (row.name == name) return row.value;
  }
  throw Error(Code::kUsage, fmt::format("scrub: unknown replacement '{}'", name),
              "use replacement=tag, stars or token");
}

class Scrub final : public Sanitizer {
 public:
  explicit Scrub(ScrubOptions options) : options_(options) {}

  [[nodiscard]] std::string spec() const override {
    const nlohmann::json params{{"replacement", kReplacements[static_cast<std::size_t>(options_.replacement)].name},
                                {"types", type_names(options_.types)}};
    return nlohmann::json{{"method", "scrub"}, {"version", kScrubVersion}, {"params", params}}.dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return scrub(input.text, options_);
  }

 private:
  ScrubOptions options_;
};

constexpr std::array kParams{
    SanitizerParam{"replacement", "tag", "tag: [EMAIL]; stars: ****; token: [EMAIL_1], consistent within a record"},
    SanitizerParam{"types", "all", "comma list of email,url,ip,iban,card,date,age,phone,name,number"}};

}  // namespace

SanitizeOutput scrub(std::string_view text, const ScrubOptions& options) {
  SanitizeOutput output;
  std::string& clean = output.text.emplace();
  clean.reserve(text.size());
  Tokens tokens;
  std::size_t done = 0;
  for (const text::Entity& entity : recognize_all(text, options.types)) {
    const text::Recognizer& row = text::recognizer(entity.type);
    const std::string_view value = text.substr(entity.begin, entity.end - entity.begin);
    std::string with;
    switch (options.replacement) {
      case ScrubReplacement::kTag:
        with = fmt::format("[{}]", row.tag);
        break;
      case ScrubReplacement::kStars:
        with.assign(text::code_points(value), '*');
        break;
      case ScrubReplacement::kToken:
        with = tokens.of(row, value);
        break;
    }
    clean.append(text.substr(done, entity.begin - done)).append(with);
    done = entity.end;
    output.spans.push_back({entity.begin, entity.end, std::string(row.name), std::move(with)});
  }
  clean.append(text.substr(done));
  return output;
}

std::span<const SanitizerParam> scrub_params() { return kParams; }

std::unique_ptr<Sanitizer> make_scrub(const SanitizerMethod::Params& params, std::uint64_t /*seed*/) {
  return std::make_unique<Scrub>(
      ScrubOptions{parse_replacement(params.at("replacement")), parse_types(params.at("types"))});
}

}  // namespace residue::ingest
