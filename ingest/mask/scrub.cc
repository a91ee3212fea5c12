#include "ingest/mask/scrub.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "ingest/mask/gazetteers.h"
#include "ingest/surrogates/surrogates.h"
#include "text/characters/unicode.h"
#include "text/following/name_following.h"
#include "text/following/year_following.h"

namespace residue::ingest {

namespace {

// Bytes of what is put in the place of an entity: its tag, or as many stars as it has characters.
std::size_t masked_size(std::string_view text, const text::Entity& entity, bool stars) {
  return stars ? text::code_points(text.substr(entity.begin, entity.end - entity.begin))
               : text::recognizer(entity.type).tag.size() + 2;
}

// Replaces the entities.
std::string masked(std::string_view text, const std::vector<text::Entity>& entities, bool stars) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (const text::Entity& entity : entities) {
    out.append(text.substr(done, entity.begin - done));
    if (stars) {
      out.append(masked_size(text, entity, stars), '*');
    } else {
      out.append("[").append(text::recognizer(entity.type).tag).append("]");
    }
    done = entity.end;
  }
  return out.append(text.substr(done));
}

bool small(char c) { return c >= 'a' && c <= 'z'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Between plain words ("on 3 March 2021. She"): replacing it uncovers nothing.
bool quiet(std::string_view text, const text::Entity& entity) {
  std::size_t before = entity.begin;
  if (before > 0 && text[before - 1] == ' ') --before;
  const bool spaced = before < entity.begin;
  // A sign between the words is no more than a space: nothing that ends at one goes on behind it. A capital with a full
  // stop does ("J. Smith").
  if (spaced && before > 1 && (text[before - 1] == ',' || (text[before - 1] == '.' && small(text[before - 2]))))
    --before;
  const bool left = entity.begin == 0 || (spaced && before > 0 && letter(text[before - 1]));
  std::size_t next = entity.end;
  if (next < text.size() && (text[next] == '.' || text[next] == ',')) ++next;
  // The 's behind a name stays.
  if (text.substr(next).starts_with("'s ")) next += 2;
  const bool right = next >= text.size() || (next + 1 < text.size() && text[next] == ' ' && letter(text[next + 1]));
  return left && right;
}

// Where bytes of a masked text are in the text, asked for in ascending order.
struct Replaced {
  std::size_t known = 0;    // entities before the place
  std::size_t added = 0;    // bytes of what stands for them
  std::size_t removed = 0;  // bytes that they had

  void go_to(std::size_t masked, std::string_view text, std::span<const text::Entity> entities, bool stars) {
    while (known < entities.size() && entities[known].begin + added < masked + removed) {
      added += masked_size(text, entities[known], stars);
      removed += entities[known].end - entities[known].begin;
      ++known;
    }
  }
  [[nodiscard]] std::size_t written(std::size_t masked) const { return masked + removed - added; }
};

// Sorts, and joins what overlaps, as what begins first: an address may go on through stars.
std::vector<text::Entity> disjoint(std::vector<text::Entity> entities) {
  std::ranges::stable_sort(entities, [](const text::Entity& a, const text::Entity& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<text::Entity> out;
  for (const text::Entity& entity : entities) {
    if (!out.empty() && entity.begin < out.back().end) {
      out.back().end = std::max(out.back().end, entity.end);
    } else {
      out.push_back(entity);
    }
  }
  return out;
}

// Names and years stand again elsewhere.
bool is_followed(const text::Entity& entity) {
  using enum text::EntityType;
  return entity.type == kName || entity.type == kOrganisation || entity.type == kPlace || entity.type == kDate ||
         entity.type == kYear;
}

// Adds where the names and years among them stand again; says what was added.
std::vector<text::Entity> follow(std::string_view text, std::vector<text::Entity>& all, const text::NameLists& lists) {
  std::vector<text::Entity> again = text::follow_names(text, all, lists);
  const auto add = [&all](const std::vector<text::Entity>& more) {
    if (more.empty()) return;
    all.insert(all.end(), more.begin(), more.end());
    all = disjoint(std::move(all));
  };
  add(again);
  const std::vector<text::Entity> years = text::follow_years(text, all);  // beside names that are gone, too
  add(years);
  again.insert(again.end(), years.begin(), years.end());
  return again;
}

// Recognizes until nothing is left: what follows an identifier may look like one only once that one is gone
// ("1234567/www.a.org"). Every further round is rare and short; they are bounded so that the whole stays linear.
// What is put in their place decides: words announce a number through stars, and not through brackets.
std::vector<text::Entity> recognize_all(std::string_view text, const text::NameLists& lists, bool stars,
                                        std::span<const text::Entity> also = {}) {
  constexpr int kMaxRounds = 8;
  const text::EntitySet types = text::EntitySet::all();
  std::vector<text::Entity> all = text::recognize(text, types, lists);
  if (!also.empty()) {
    all.insert(all.end(), also.begin(), also.end());
    all = disjoint(std::move(all));
  }
  const auto hides = [&](const text::Entity& entity) { return stars || !quiet(text, entity); };
  bool more = std::ranges::any_of(all, hides);
  more = std::ranges::any_of(follow(text, all, lists), hides) || more;
  for (int round = 1; more && round < kMaxRounds; ++round) {
    std::vector<text::Entity> fresh = text::recognize(masked(text, all, stars), types, lists);
    more = !fresh.empty();
    if (!more) break;
    Replaced left;
    for (text::Entity& entity : fresh) {
      left.go_to(entity.begin, text, all, stars);
      const std::size_t begin = left.written(entity.begin);
      left.go_to(entity.end, text, all, stars);
      entity.end = left.written(entity.end);
      entity.begin = begin;
    }
    all.insert(all.end(), fresh.begin(), fresh.end());
    all = disjoint(std::move(all));
    if (std::ranges::any_of(fresh, is_followed)) follow(text, all, lists);
  }
  return all;
}

std::string type_names(text::EntitySet types, std::string_view between = ",") {
  std::string names;
  for (const text::Recognizer& row : text::recognizers()) {
    if (!types.contains(row.type)) continue;
    if (!names.empty()) names += between;
    names += row.name;
  }
  return names;
}

text::EntitySet parse_types(std::string_view list) {
  text::EntitySet types;
  if (list.starts_with('-')) types = text::EntitySet::all();
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    if (name == "all") {
      types = text::EntitySet::all();
      continue;
    }
    const bool without = name.starts_with('-');
    if (without) name.remove_prefix(1);
    const auto type = text::entity_type(name);
    if (!type) {
      throw Error(Code::kUsage, fmt::format("scrub: unknown type '{}'", name),
                  fmt::format("types are {}", type_names(text::EntitySet::all(), ", ")));
    }
    without ? types.erase(*type) : types.insert(*type);
  }
  if (types.empty()) throw Error(Code::kUsage, "scrub: no types given", "leave out 'types' for all of them");
  return types;
}

class Scrub final : public Sanitizer {
 public:
  Scrub(ScrubOptions options, Gazetteers lists, Json params)
      : options_(std::move(options)), lists_(std::move(lists)), params_(std::move(params)) {
    options_.lists = lists_.names;
  }

  [[nodiscard]] std::string spec() const override {
    Json lists = Json::array();
    for (const NameSource& source : lists_.sources) lists.push_back({{"name", source.name}, {"sha256", source.sha256}});
    Json spec{{"method", "scrub"}, {"version", kScrubVersion}, {"params", params_}, {"lists", lists}};
    if (options_.surrogates) options_.surrogates->describe(spec);
    return spec.sorted().dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override { return scrub(input, options_); }

  [[nodiscard]] std::vector<std::string> notes() const override {
    return options_.surrogates ? options_.surrogates->notes() : std::vector<std::string>();
  }

 private:
  ScrubOptions options_;
  Gazetteers lists_;
  Json params_;
};

std::span<const SanitizerParam> params() {
  static const std::string types =
      "comma list of what to look for, -type leaves one out: " + type_names(text::EntitySet::all(), ", ");
  static const std::array all{
      SanitizerParam{"replacement", "tag",
                     "tag: [EMAIL]; stars: ****; token: [EMAIL_1], consistent within a record; surrogate: like words"},
      kConsistentParam,
      SanitizerParam{"types", "all", types},
      SanitizerParam{"lists", "own", kListsHelp},
      SanitizerParam{"names", "", "a file of names of persons, one a line"},
      SanitizerParam{"places", "", "a file of names of places"},
      SanitizerParam{"organisations", "", "a file of names of firms and institutions"}};
  return all;
}

}  // namespace

SanitizeOutput scrub(const SanitizeInput& input, const ScrubOptions& options) {
  const std::string_view text = input.text;
  std::vector<MaskedSpan> spans;
  const text::NameLists& lists = options.lists ? *options.lists : text::NameLists::own();
  std::optional<Surrogates> surrogates;
  if (options.surrogates) surrogates.emplace(options.surrogates->of(input), options.surrogates->consistency(), text);
  const bool stars = options.replacement == Masking::kStars && !surrogates;
  const std::vector<text::Entity> entities = recognize_all(text, lists, stars);
  for (const text::Entity& entity : entities) {
    if (surrogates && options.types.contains(entity.type))
      surrogates->expect(entity.type, text.substr(entity.begin, entity.end - entity.begin));
  }
  for (const text::Entity& entity : entities) {
    if (!options.types.contains(entity.type)) continue;
    MaskedSpan& span = spans.emplace_back();
    span = {entity.begin, entity.end, std::string(text::recognizer(entity.type).name), std::nullopt};
    if (surrogates) span.with = surrogates->of(entity.type, text.substr(entity.begin, entity.end - entity.begin));
  }
  return mask(text, std::move(spans), options.replacement);
}

std::vector<text::Entity> scrub_entities(std::string_view text, std::span<const text::Entity> also) {
  return recognize_all(text, text::NameLists::own(), false, also);
}

std::span<const SanitizerParam> scrub_params() { return params(); }

std::unique_ptr<Sanitizer> make_scrub(const SanitizerSetting& setting) {
  ScrubOptions options;
  const std::string& replacement = setting.params.at("replacement");
  if (replacement == "surrogate") {
    options.surrogates = std::make_shared<const DrawSource>(
        setting, "surrogates", consistency_named(setting.params.at("consistent"), "scrub"));
  } else if (replacement != "tag" && replacement != "stars" && replacement != "token") {
    throw Error(Code::kUsage, fmt::format("scrub: unknown replacement '{}'", replacement),
                "use replacement=tag, stars, token or surrogate");
  } else {
    options.replacement = masking_named(replacement, "scrub");
  }
  if (!options.surrogates && setting.params.at("consistent") != kConsistentParam.default_value) {
    throw Error(Code::kUsage, "scrub: consistent is a setting of surrogates, and this replacement has none",
                "--param replacement=surrogate, or leave out consistent");
  }
  options.types = parse_types(setting.params.at("types"));
  Json params(setting.params);
  params["types"] = type_names(options.types);
  Gazetteers lists = load_gazetteers({setting.params.at("lists"), setting.params.at("names"),
                                      setting.params.at("places"), setting.params.at("organisations")});
  return std::make_unique<Scrub>(std::move(options), std::move(lists), std::move(params));
}

}  // namespace residue::ingest
