#include "text/encodings/escaped/markup.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewest = 3;  // tags that make a text marked up

struct Name {
  std::string_view name;
  bool block;  // begins a line
  bool open;   // needs no end
};
constexpr Name kNames[] = {
    {"a", false, false},      {"abbr", false, false},   {"b", false, false},         {"bdi", false, false},
    {"bdo", false, false},    {"big", false, false},    {"blockquote", true, false}, {"body", true, false},
    {"br", true, true},       {"center", true, false},  {"cite", false, false},      {"code", false, false},
    {"dd", true, true},       {"del", false, false},    {"div", true, false},        {"dl", true, false},
    {"dt", true, true},       {"em", false, false},     {"font", false, false},      {"h1", true, false},
    {"h2", true, false},      {"h3", true, false},      {"h4", true, false},         {"h5", true, false},
    {"h6", true, false},      {"head", true, false},    {"hr", true, true},          {"html", true, false},
    {"i", false, false},      {"img", false, true},     {"ins", false, false},       {"kbd", false, false},
    {"label", false, false},  {"li", true, true},       {"mark", false, false},      {"ol", true, false},
    {"p", true, true},        {"pre", true, false},     {"q", false, false},         {"s", false, false},
    {"samp", false, false},   {"section", true, false}, {"small", false, false},     {"span", false, false},
    {"strike", false, false}, {"strong", false, false}, {"sub", false, false},       {"sup", false, false},
    {"table", true, false},   {"tbody", true, false},   {"td", true, true},          {"th", true, true},
    {"thead", true, false},   {"title", true, false},   {"tr", true, true},          {"tt", false, false},
    {"u", false, false},      {"ul", true, false},      {"var", false, false},       {"wbr", false, true}};
constexpr std::uint8_t kComment = 255;

struct Tag {
  Span span;
  std::uint8_t name = kComment;
  bool closes = false;
  std::vector<Span> says;  // values of attributes, or the comment
};

bool is_word(char c) { return is_alpha(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

std::uint8_t name_of(std::string_view name) {
  std::string small(name);
  for (char& c : small) c = is_upper(c) ? static_cast<char>(c | 0x20) : c;
  const auto* const found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const Name& one) { return one.name == small; });
  return found == std::end(kNames) ? kComment : static_cast<std::uint8_t>(found - std::begin(kNames));
}

// The tag at `<`, up to `end` where its `>` stands; nothing where it is none of HTML.
std::optional<Tag> tag_in(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLongestName = 10;
  Tag tag{{begin, end + 1}, kComment, text[begin + 1] == '/', {}};
  std::size_t at = begin + (tag.closes ? 2 : 1);
  const std::size_t first = at;
  while (at < end && (is_alpha(text[at]) || is_digit(text[at]))) ++at;
  if (at == first || at - first > kLongestName) return std::nullopt;
  tag.name = name_of(text.substr(first, at - first));
  if (tag.name == kComment) return std::nullopt;
  while (true) {
    const std::size_t gap = at;
    while (at < end && is_blank(text[at])) ++at;
    if (at < end && text[at] == '/' && at + 1 == end) ++at;
    if (at == end) return tag;
    if (at == gap) return std::nullopt;
    const std::size_t equals =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:", at);
    if (equals == at || equals >= end || text[equals] != '=' || equals + 1 == end) return std::nullopt;
    const char quote = text[equals + 1];
    Span value{equals + 1, equals + 1};
    if (quote == '"' || quote == '\'') {
      ++value.begin;
      value.end = text.substr(0, end).find(quote, value.begin);
      if (value.end == std::string_view::npos) return std::nullopt;
      at = value.end + 1;
    } else {
      while (value.end < end && !is_blank(text[value.end])) ++value.end;
      at = value.end;
    }
    if (value.end > value.begin) tag.says.push_back(value);
  }
}

std::vector<Tag> tags_of(std::string_view text) {
  constexpr std::string_view kOpens = "<!--", kCloses = "-->";
  std::vector<Tag> tags;
  bool closes = true;  // There are ends of comments left.
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    if (text.substr(at).starts_with(kOpens)) {
      const std::size_t end = closes ? text.find(kCloses, at + kOpens.size()) : std::string_view::npos;
      closes = end != std::string_view::npos;
      if (closes) {
        tags.push_back({{at, end + kCloses.size()}, kComment, false, {{at + kOpens.size(), end}}});
        at = end + kCloses.size();
        continue;
      }
    }
    const std::size_t end = text.find_first_of("<>", at + 1);
    auto tag = end != std::string_view::npos && text[end] == '>' && end > at + 1 ? tag_in(text, at, end) : std::nullopt;
    at = tag ? end + 1 : at + 1;
    if (tag) tags.push_back(std::move(*tag));
  }
  return tags;
}

// Leaves the tags whose names are opened and closed, or need no end.
void keep_whole(std::vector<Tag>& tags) {
  std::array<std::uint8_t, std::size(kNames)> seen{};
  for (const Tag& tag : tags) {
    if (tag.name != kComment) seen[tag.name] |= tag.closes ? 2U : 1U;
  }
  std::erase_if(tags,
                [&](const Tag& tag) { return tag.name != kComment && !kNames[tag.name].open && seen[tag.name] != 3; });
}

// What tags say, each once.
class Sayings {
 public:
  explicit Sayings(std::string_view text) : text_(text) {}

  void add(const Tag& tag) {
    for (const Span span : tag.says) {
      const std::string_view words = slice(text_, trim(text_, span));
      const bool several = std::any_of(words.begin(), words.end(), is_blank);
      if ((tag.name != kComment || several) && seen_.insert(words).second) (all_ += '\n') += words;
    }
  }

  [[nodiscard]] const std::string& all() const { return all_; }

 private:
  std::string_view text_;
  std::unordered_set<std::string_view> seen_;
  std::string all_;
};

}  // namespace

std::optional<std::string> without_markup(std::string_view text) {
  std::vector<Tag> tags = tags_of(text);
  keep_whole(tags);
  // Tags one behind the other are a group.
  struct Group {
    std::size_t first = 0, end = 0;
    bool inside = false;  // a word
    bool beside = false;  // one
  };
  std::vector<Group> groups;
  bool within = false;  // Comments stand within words.
  for (std::size_t i = 0; i < tags.size();) {
    Group group{i, i + 1, false, false};
    while (group.end < tags.size() && tags[group.end].span.begin == tags[group.end - 1].span.end) ++group.end;
    const std::size_t begin = tags[i].span.begin, end = tags[group.end - 1].span.end;
    const bool behind = begin > 0 && is_word(text[begin - 1]), before = end < text.size() && is_word(text[end]);
    group.inside = behind && before;
    group.beside = behind || before;
    within = within || (group.inside && tags[i].name == kComment);
    groups.push_back(group);
    i = group.end;
  }
  const auto named = std::count_if(tags.begin(), tags.end(), [](const Tag& tag) { return tag.name != kComment; });
  const bool many = named >= static_cast<std::ptrdiff_t>(kFewest);
  if (!many && std::none_of(groups.begin(), groups.end(), [](const Group& group) { return group.inside; })) {
    return std::nullopt;
  }
  Sayings sayings(text);
  std::string out;
  std::size_t copied = 0;
  for (const Group& group : groups) {
    bool block = false;
    for (std::size_t i = group.first; i < group.end; ++i) {
      const Tag& tag = tags[i];
      if (tag.name == kComment && !group.inside && !(within && group.beside)) continue;
      block = block || (tag.name != kComment && kNames[tag.name].block);
      sayings.add(tag);
      out.append(text, copied, tag.span.begin - copied);
      copied = tag.span.end;
    }
    if (block) out += ' ';
  }
  if (copied == 0) return std::nullopt;
  out.append(text, copied);
  return out + sayings.all();
}

}  // namespace residue::text
