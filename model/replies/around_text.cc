#include "model/replies/around_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "model/replies/answer_words.h"
#include "model/replies/asking_words.h"
#include "model/replies/content_words.h"

namespace residue::model {
namespace {

constexpr std::size_t kLongestAnnouncement = 200;
constexpr std::size_t kLeastMarker = 16;
constexpr std::size_t kMarker = 32;  // marker_line()
constexpr int kMostRemarks = 4;
constexpr std::string_view kFence = "```";
constexpr std::string_view kEchoedHeader = ", between the marker lines ";

using Words = std::initializer_list<const char*>;

// In small letters of ASCII, apostrophes plain.
std::string said_in(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with("\u2019")) {
      out.push_back('\'');
      i += 2;
    } else {
      out.push_back(lower(c));
    }
  }
  return out;
}

bool has(const std::string& text, Words words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

constexpr std::array<const char*, 14> kHow = {"anonymized", "anonymised", "paraphrased", "rephrased",    "rewritten",
                                              "reworded",   "sanitized",  "sanitised",   "deidentified", "redacted",
                                              "modified",   "adapted",    "changed",     "new"};
constexpr std::size_t kSurelyHow = 10;  // no author begins with "Paraphrased:"

// What a label calls the text: "Anonymized text", "**Paraphrased version**".
bool is_label(std::string_view words) {
  std::string said = plain(words);
  if (said.starts_with("the")) said.erase(0, 3);
  for (const char* kind : {"text", "version", "comment", "comments", "record", "conversation", "response"}) {
    for (const char* how : kHow) {
      if (said == std::string(how) + kind) return true;
    }
  }
  return said == "paraphrase" || said == "rewrite";
}

bool is_short_label(std::string_view words) {
  const std::string said = plain(words);
  return std::any_of(kHow.begin(), kHow.begin() + kSurelyHow, [&](const char* how) { return said == how; });
}

// "Sure! Here is ...:"
bool announces(std::string_view words) {
  if (words.size() > kLongestAnnouncement || !bare(words).ends_with(':')) return false;
  return begins_with_any(said_in(bare(words)),
                         {"here is", "here's", "here are", "here you go", "sure", "certainly", "of course",
                          "absolutely", "okay", "ok,", "below is", "the following is", "this is the"});
}

// Bytes of an announcement that goes on with the text on its line: it names what it announces.
std::size_t announcement_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !announces(line.substr(0, colon + 1))) return 0;
  const std::string words = said_in(line.substr(0, colon));
  if (!has(words, {"text", "version", "paraphrase", "rewrit", "anonymi", "rephras", "reword"})) return 0;
  const std::size_t end = line.find_first_not_of(" \t*_", colon + 1);
  return end == std::string_view::npos ? line.size() : end;
}

bool remarks(std::string_view line) {
  return begins_with_any(said_in(trimmed(line)),
                         {"note:", "(note:", "*note:", "**note:", "**note**:", "[note:", "changes made:",
                          "**changes made", "explanation:", "**explanation", "let me know if", "please let me know"});
}

// What authors say, too.
bool may_remark(std::string_view line) {
  const std::string said = said_in(trimmed(line));
  if (begins_with_any(said, {"i hope this helps", "i hope that helps", "hope this helps", "let me know", "feel free to",
                             "if you need", "if you would like", "if you'd like", "please note that"}))
    return true;
  const bool of_work = begins_with_any(
      said, {"i replaced",         "i have replaced",  "i've replaced",   "i removed",      "i have removed",
             "i've removed",       "i changed",        "i have changed",  "i've changed",   "i generali",
             "i have generali",    "i've generali",    "i anonymi",       "i have anonymi", "i've anonymi",
             "i rephrased",        "i have rephrased", "i've rephrased",  "i omitted",      "i have omitted",
             "i've omitted",       "i left out",       "i have left out", "i've left out",  "i paraphrased",
             "i have paraphrased", "i've paraphrased", "in this version"});
  return of_work &&
         has(said, {"\"",       "\u201c",      "anonym",    "paraphras",    "original",       "identif",  "personal",
                    "generali", "placeholder", "privacy",   "text",         "version",        "the age",  "the name",
                    "names",    "the date",    "the place", "the location", "the occupation", "the city", "the town",
                    "details",  "wording",     "meaning"});
}

std::size_t paragraphs(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (text = trimmed(text); !text.empty();) {
    const std::size_t end = text.find('\n');
    const bool blank = trimmed(text.substr(0, end)).empty();
    count += !blank && !inside ? 1 : 0;
    inside = !blank;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return count;
}

// Words of what was done to a text.
bool tells_of_work(std::string_view words) {
  return has(said_in(words),
             {"replac", "remov", "chang", "anonym", "generali", "redact", "original", "placeholder", "mask", "version",
              "rewrit", "rephras", "paraphras", "identif", "privacy", "substitut", "swap", "omit", "delet"});
}

// Whether these words are rather the author's: half of them are in the original, and none tells of work.
bool is_of_the_text(std::string_view words, std::string_view original) {
  if (tells_of_work(words)) return false;
  const auto said = content_words(words);
  return !said.empty() && 2 * in_both(said, content_words(original)) >= said.size();
}

// Whether the last paragraph tells of work and brings back words of the original that the text before it leaves out.
bool brings_back(std::string_view text, std::string_view original) {
  const std::size_t last = text.rfind("\n\n");
  if (last == std::string_view::npos || !tells_of_work(text.substr(last)) || tells_of_work(original)) return false;
  const auto theirs = content_words(original), before = content_words(text.substr(0, last));
  return std::ranges::any_of(content_words(text.substr(last)),
                             [&](const std::string& word) { return theirs.contains(word) && !before.contains(word); });
}

// Without the remark that is its last paragraph, line or bracket; as it is where there is none.
std::string_view without_remark(std::string_view text, std::string_view original) {
  const bool of_its_own = has_line(original, remarks), maybe_its_own = of_its_own || has_line(original, may_remark);
  if (const std::size_t last = text.rfind("\n\n"); last != std::string_view::npos) {
    const std::string_view words = text.substr(last + 2);
    if (is_of_the_text(words, original)) return text;
    if (!of_its_own && remarks(words)) return trimmed(text.substr(0, last));
    if (!maybe_its_own && may_remark(words) && paragraphs(text) > paragraphs(original))
      return trimmed(text.substr(0, last));
  }
  if (const std::size_t last = text.rfind('\n'); last != std::string_view::npos) {
    const std::string_view words = text.substr(last + 1);
    const bool more = lines_of(text).size() > lines_of(original).size();
    if (more && !maybe_its_own && (remarks(words) || may_remark(words)) && !is_of_the_text(words, original))
      return trimmed(text.substr(0, last));
  }
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"(note", ")"}, {"[note", "]"}}) {
    if (said_in(original).find(open) != std::string::npos) continue;
    if (!text.ends_with(close) && !text.substr(0, text.size() - std::min<std::size_t>(text.size(), 1)).ends_with(close))
      continue;
    for (std::size_t at = text.rfind(open[0]); at != std::string_view::npos && at > 0;
         at = text.rfind(open[0], at - 1)) {
      if (said_in(text.substr(at, open.size())) == open) return trimmed(text.substr(0, at));
    }
  }
  return text;
}

bool is_marker(std::string_view line) {
  return line.size() >= kLeastMarker && line.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The text in its fence; nothing where it stands in none. A problem where other words stand around it.
std::optional<TextAlone> in_fence(std::string_view text, std::string_view original) {
  const std::size_t open = text.find(kFence);
  if (open == std::string_view::npos || original.find(kFence) != std::string_view::npos) return std::nullopt;
  const std::size_t line = text.find('\n', open);
  const std::size_t close = line == std::string_view::npos ? line : text.find(kFence, line);
  if (close == std::string_view::npos || text.find(kFence, close + kFence.size()) != std::string_view::npos)
    return TextAlone{text, "a code fence among the text"};
  const std::string_view before = trimmed(text.substr(0, open)), behind = trimmed(text.substr(close + kFence.size()));
  if (!before.empty() || !only_remarks(behind)) return TextAlone{text, "words around a fenced text"};
  return TextAlone{trimmed(text.substr(line, close - line))};
}

bool begins_version(std::string_view line, char number) {
  const std::string said = said_in(line);
  const std::size_t at = said.find_first_not_of(" \t*#-");
  if (at == std::string::npos) return false;
  for (const std::string_view kind : {"version ", "option ", "variant ", "alternative "}) {
    if (!std::string_view(said).substr(at).starts_with(kind)) continue;
    const std::size_t behind = at + kind.size();
    if (behind + 1 < said.size() && said[behind] == number && !is_digit(said[behind + 1])) return true;
  }
  return false;
}

bool has_versions(std::string_view text) {
  return has_line(text, [](std::string_view line) { return begins_version(line, '1'); }) &&
         has_line(text, [](std::string_view line) { return begins_version(line, '2'); });
}

std::string_view without_quotes(std::string_view text, std::string_view original) {
  const auto quoted = [](std::string_view words, std::string_view open, std::string_view close) {
    return words.size() > open.size() + close.size() && words.starts_with(open) && words.ends_with(close);
  };
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"\"", "\""}, {"\u201c", "\u201d"}}) {
    if (!quoted(text, open, close) || quoted(trimmed(original), open, close)) continue;
    const std::string_view inner = text.substr(open.size(), text.size() - open.size() - close.size());
    if (inner.find(open) == std::string_view::npos && inner.find(close) == std::string_view::npos)
      text = trimmed(inner);
  }
  return text;
}

// Announcement, heading, label.
std::string_view without_title(std::string_view text, std::string_view original) {
  const std::string_view own = first_line(trimmed(original));
  const bool announces_itself = announces(own) || announcement_of(own) > 0;
  if (const std::string_view line = first_line(text); !announces_itself) {
    if (announces(line) && line.size() < text.size() && !is_of_the_text(line, original)) {
      text = trimmed(text.substr(line.size()));
    } else {
      text = trimmed(text.substr(announcement_of(line)));
    }
  }
  if (label_of(own) > 0 || is_heading(own)) return text;
  if (const std::string_view line = first_line(text); is_heading(line) && line.size() < text.size()) {
    return trimmed(text.substr(line.size()));
  }
  return trimmed(text.substr(label_of(first_line(text))));
}

}  // namespace

std::size_t label_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return 0;
  const std::size_t end = std::min(line.find_first_not_of(" \t*_", colon + 1), line.size());
  const bool alone = end == line.size() || line.starts_with("**");
  return is_label(line.substr(0, colon)) || (alone && is_short_label(line.substr(0, colon))) ? end : 0;
}

bool is_heading(std::string_view line) {
  line = trimmed(line);
  const bool marked = line.starts_with('#') || (line.starts_with("**") && line.ends_with("**"));
  return marked && (is_label(line) || is_short_label(line));
}

bool only_remarks(std::string_view words) {
  for (words = trimmed(words); !words.empty();) {
    if (!remarks(words) && !may_remark(words)) return false;
    const std::size_t end = words.find("\n\n");
    words = end == std::string_view::npos ? std::string_view() : trimmed(words.substr(end));
  }
  return true;
}

std::string_view without_markers(std::string_view text, std::string_view original) {
  const std::string_view header = first_line(text);
  if (header.find(kEchoedHeader) != std::string_view::npos && original.find(kEchoedHeader) == std::string_view::npos) {
    text = trimmed(text.substr(header.size()));
  }
  const std::string_view line = first_line(text);
  if (is_marker(line) && text.size() > 2 * line.size() && text.ends_with(line) &&
      !trimmed(original).starts_with(line)) {
    text = trimmed(text.substr(line.size(), text.size() - 2 * line.size()));
  }
  return text;
}

bool has_marker(std::string_view text, std::string_view original) {
  if (text.find(kEchoedHeader) != std::string_view::npos && original.find(kEchoedHeader) == std::string_view::npos)
    return true;
  const auto word = [](char c) { return is_letter(c) || is_digit(c); };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && word(text[end])) ++end;
    const std::string_view one = text.substr(at, end - at);
    if (one.size() == kMarker && is_marker(one) && original.find(one) == std::string_view::npos) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

TextAlone text_alone(std::string_view answer, std::string_view original) {
  std::string_view text = without_title(without_markers(trimmed(answer), original), original);
  text = without_markers(text, original);
  if (has_marker(text, original)) return {text, "marker lines among the text"};
  if (const auto fenced = in_fence(text, original)) {
    if (fenced->problem != nullptr) return *fenced;
    text = without_markers(fenced->text, original);
    if (has_marker(text, original)) return {text, "marker lines among the text"};
  }
  if (!has_versions(original) && has_versions(text)) return {text, "several versions"};
  for (int i = 0; i < kMostRemarks; ++i) text = without_remark(text, original);
  if (brings_back(text, original)) return {text, "words about what was hidden"};
  return {without_quotes(text, original)};
}

}  // namespace residue::model
