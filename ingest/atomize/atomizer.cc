#include "ingest/atomize/atomizer.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "ingest/atomize/atomizer_words.h"
#include "text/words/sentences.h"

namespace residue::ingest {

namespace {

using namespace atomizer_words;

// Longer than any sentence that people write: left whole, so that odd input costs linear time.
constexpr std::size_t kMaxSentenceBytes = 4096;

// A word with its bytes in the clause. `text` is lower-case and free of punctuation at its ends.
struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  bool comma = false;    // a comma follows
  bool guarded = false;  // inside quotes or brackets: nothing is split here
  bool capital = false;
};
using Words = std::vector<Word>;

template <std::size_t N>
bool in(const std::array<std::string_view, N>& set, std::string_view word) {
  return std::ranges::find(set, word) != set.end();
}

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view e) { return word.size() > e.size() + 1 && word.ends_with(e); });
}

bool modifier(std::string_view word) {
  if (in(kModifiers, word)) return true;
  if (ends_with_any(word, {"ing"})) return !in(kFindingsInIng, word);
  if (word == "hospital" || word == "withdrawal") return false;
  return ends_with_any(word,
                       {"al", "ic", "ous", "ive", "ed", "ior", "lar", "ary", "ly", "less", "ful", "able", "ible", "-"});
}

bool letter_or_digit(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80;
}

Words split_words(std::string_view clause) {
  Words words;
  int depth = 0;
  bool quoted = false;
  std::size_t i = 0;
  while (i < clause.size()) {
    while (i < clause.size() && static_cast<unsigned char>(clause[i]) <= ' ') ++i;
    Word word;
    word.begin = i;
    word.guarded = depth > 0 || quoted;
    while (i < clause.size() && static_cast<unsigned char>(clause[i]) > ' ') {
      const char c = clause[i];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
      if (c == '"') quoted = !quoted;
      if (clause.substr(i, 3) == "\xE2\x80\x9C") quoted = true;
      if (clause.substr(i, 3) == "\xE2\x80\x9D") quoted = false;
      word.guarded = word.guarded || depth > 0 || quoted;
      ++i;
    }
    word.end = i;
    if (word.end == word.begin) break;
    const std::string_view raw = clause.substr(word.begin, word.end - word.begin);
    word.comma = raw.back() == ',' && depth == 0 && !quoted;
    std::size_t from = 0;
    std::size_t to = raw.size();
    while (from < to && !letter_or_digit(raw[from])) ++from;
    while (to > from && !letter_or_digit(raw[to - 1])) --to;
    word.capital = from < to && raw[from] >= 'A' && raw[from] <= 'Z';
    for (const char c : raw.substr(from, to - from)) word.text += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    words.push_back(std::move(word));
  }
  return words;
}

// Words [begin, end) of a clause.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::string part_text(std::string_view clause, const Words& words, Part part) {
  if (part.begin >= part.end) return {};
  std::size_t end = words[part.end - 1].end;
  while (end > words[part.begin].begin && (clause[end - 1] == ',' || clause[end - 1] == ';' || clause[end - 1] == ' '))
    --end;
  return std::string(clause.substr(words[part.begin].begin, end - words[part.begin].begin));
}

std::string phrase(const Words& words, Part part) {
  std::string text;
  for (std::size_t i = part.begin; i < part.end; ++i) text += (text.empty() ? "" : " ") + words[i].text;
  return text;
}

bool joint(const Word& word) { return word.text == "and" || word.text == "or"; }

template <std::size_t N>
bool any_in(const Words& words, Part part, const std::array<std::string_view, N>& set) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (in(set, words[i].text)) return true;
  }
  return false;
}

bool any_guarded(const Words& words, Part part) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (words[i].guarded) return true;
  }
  return false;
}

// The position of the first finite verb that has a subject of one to `longest` words before it, or 0.
std::size_t verb_after_subject(const Words& words, Part part, std::size_t longest) {
  const std::size_t stop = std::min(part.end, part.begin + longest + 1);
  for (std::size_t i = part.begin; i < stop; ++i) {
    if (in(kFinite, words[i].text)) return i > part.begin && i + 1 < part.end ? i : 0;
    if (in(kSubordinate, words[i].text) || joint(words[i]) || words[i].guarded || words[i].comma) return 0;
    if (i == part.begin && in(kPrepositions, words[i].text)) return 0;
  }
  return 0;
}

bool has_finite(const Words& words, Part part) { return any_in(words, part, kFinite); }

// Splits where a new clause with a subject and a verb of its own starts.
std::vector<Part> clauses(const Words& words) {
  std::vector<Part> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i + 2 < words.size(); ++i) {
    if (words[i].guarded || (words[i - 1].guarded && !words[i - 1].comma)) continue;
    const bool comma = words[i - 1].comma;
    const bool joined = words[i].text == "and" || words[i].text == "but";
    if (!joined && !comma) continue;
    const Part left{begin, i};
    const Part right{joined ? i + 1 : i, words.size()};
    if (i - begin < 2 || !has_finite(words, left)) continue;
    // "If he smokes, and she drinks, ...": the condition governs both.
    if (in(kSubordinate, words[begin].text) || in(kPrepositions, words[begin].text)) continue;
    const bool pronoun = in(kPronouns, words[right.begin].text);
    const std::size_t verb = verb_after_subject(words, right, pronoun ? 1 : 5);
    if (verb == 0 || verb == right.begin) continue;
    if (!comma && (!pronoun || any_in(words, left, kSubordinate))) continue;
    if (comma && any_in(words, left, kSubordinate) && !pronoun && words[i].text != "but") continue;
    // A bare comma separates clauses only in rows of measurements: "temperature is 37, pulse is 80, and ...".
    if (comma && !joined) {
      const std::string_view v = words[verb].text;
      if (pronoun || (v != "is" && v != "was" && v != "are" && v != "were")) continue;
    }
    parts.push_back(left);
    begin = right.begin;
    i = verb;
  }
  parts.push_back({begin, words.size()});
  return parts;
}

// "The patient has X and has Y" -> where the second verb starts, with the subject to repeat; or nothing.
struct SharedSubject {
  std::size_t subject_end = 0;  // words before the first verb
  std::size_t joint = 0;
};
SharedSubject shared_subject(const Words& words, Part part) {
  const std::size_t verb = verb_after_subject(words, part, 6);
  if (verb == 0) return {};
  for (std::size_t i = verb + 2; i + 2 < part.end; ++i) {
    if (in(kSubordinate, words[i].text) || in(kPairs, words[i].text)) return {};
    if (words[i].text != "and" || words[i].guarded) continue;
    if (in(kSameSubject, words[i + 1].text)) return {verb, i};
  }
  return {};
}

bool good_item(const Words& words, Part item, bool last) {
  const std::size_t size = item.end - item.begin;
  if (size == 0 || size > 5 || any_guarded(words, item)) return false;
  const std::string text = phrase(words, item);
  const bool whole = std::ranges::any_of(kWholePhrases, [&](std::string_view p) { return text.ends_with(p); });
  if (!whole && any_in(words, item, kPrepositions)) return false;
  if (any_in(words, item, kSubordinate) || any_in(words, item, kFinite) || any_in(words, item, kPronouns)) return false;
  for (std::size_t i = item.begin; i < item.end; ++i) {
    if (in(kSameSubject, words[i].text) || in(kTriggers, words[i].text)) return false;  // "and hears no voices"
    if (joint(words[i]) || words[i].text == "but" || words[i].text.empty()) return false;
    if (words[i].text == "and/or" || in(kPairs, words[i].text)) return false;
  }
  return last || !modifier(words[item.end - 1].text);
}

// The list at the end of a clause: where its lead-in ends, and its items. Empty where there is none that is safe.
struct List {
  std::size_t begin = 0;
  std::vector<Part> items;
};
List findings(const Words& words, Part part) {
  std::size_t last_joint = part.end;
  std::size_t joints = 0;
  std::size_t first_separator = part.end;
  // The list reaches to the end of the clause, so the trigger is looked for before its first separator.
  for (std::size_t i = part.begin + 1; i + 1 < part.end; ++i) {
    if (joint(words[i]) && !words[i].guarded) {
      last_joint = i;
      ++joints;
    }
  }
  if (joints != 1) return {};
  if (any_in(words, part, kPairs)) return {};
  for (const std::string_view idiom : kIdioms) {
    if (last_joint > part.begin && phrase(words, {last_joint - 1, last_joint + 2}) == idiom) return {};
  }
  if (words[last_joint - 1].capital && words[last_joint + 1].capital) return {};
  std::size_t begin = 0;
  for (std::size_t i = last_joint; i-- > part.begin;) {
    const bool pair = i > part.begin && in(kTriggerPairs, words[i - 1].text + " " + words[i].text);
    if ((pair || in(kTriggers, words[i].text)) && !words[i].comma) {
      begin = i + 1;
      break;
    }
    if (words[i].guarded) return {};
  }
  // "a history of anorexia, nausea without vomiting, and pain": the list may have begun before the nearest trigger.
  for (std::size_t i = part.begin; i + 1 < begin; ++i) {
    if (!words[i].comma) continue;
    if (any_in(words, {part.begin, i}, kTriggers) || any_in(words, {part.begin, i}, kPrepositions)) return {};
  }
  if (begin == 0 || begin >= last_joint) return {};
  if (in(kFinite, words[begin].text) || words[begin].text == "been" || words[begin].text == "no") return {};
  List list{begin, {}};
  std::size_t from = begin;
  for (std::size_t i = begin; i < last_joint; ++i) {
    if (!words[i].comma && i + 1 != last_joint) continue;
    first_separator = std::min(first_separator, i);
    list.items.push_back({from, i + 1});
    from = i + 1;
  }
  list.items.push_back({last_joint + 1, part.end});
  // "alcohol or drug use": the last noun belongs to every item.
  constexpr auto kShared =
      std::to_array<std::string_view>({"use", "abuse", "misuse", "dependence", "consumption", "intake", "exposure",
                                       "contact", "allergies", "levels", "counts"});
  if (in(kShared, words[part.end - 1].text)) return {};
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    if (!good_item(words, list.items[k], k + 1 == list.items.size())) return {};
  }
  return list;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

// The claims of one sentence without its final mark.
std::vector<std::string> split_body(std::string_view body, bool starts_capital) {
  std::vector<std::string> claims;
  const Words words = split_words(body);
  const auto emit = [&](std::string claim) {
    claims.push_back(starts_capital ? capitalized(std::move(claim)) : std::move(claim));
  };
  const auto emit_part = [&](std::string_view lead, Part part) {
    const List list = findings(words, part);
    const std::string before = lead.empty() ? std::string() : std::string(lead) + " ";
    if (list.items.empty()) {
      emit(before + part_text(body, words, part));
      return;
    }
    const std::string shared = before + part_text(body, words, {part.begin, list.begin});
    for (const Part item : list.items) emit(shared + " " + part_text(body, words, item));
  };
  for (Part part : clauses(words)) {
    std::string subject;
    for (;;) {
      SharedSubject shared;
      if (subject.empty()) shared = shared_subject(words, part);
      if (shared.joint == 0) break;
      emit_part({}, {part.begin, shared.joint});
      subject = part_text(body, words, {part.begin, shared.subject_end});
      part.begin = shared.joint + 1;
    }
    emit_part(subject, part);
  }
  return claims;
}

// Pieces between semicolons outside quotes and brackets, each of two words or more; else the whole.
std::vector<std::string_view> semicolons(std::string_view body) {
  std::vector<std::string_view> pieces;
  const Words words = split_words(body);
  std::size_t begin = 0;
  std::size_t count = 0;
  for (const Word& word : words) {
    ++count;
    if (body[word.end - 1] != ';' || word.guarded) continue;
    if (count < 2) return {body};
    pieces.push_back(body.substr(begin, word.end - 1 - begin));
    begin = word.end;
    count = 0;
  }
  if (count < 2 && !pieces.empty()) return {body};
  pieces.push_back(body.substr(begin));
  return pieces;
}

std::string_view trimmed(std::string_view text) { return text::slice(text, text::trim(text, {0, text.size()})); }

}  // namespace

std::vector<std::string> atomize(std::string_view text) {
  std::vector<std::string> claims;
  std::unordered_set<std::string> seen;
  const auto add = [&](std::string claim) {
    if (!claim.empty() && seen.insert(claim).second) claims.push_back(std::move(claim));
  };
  for (const text::Span span : text::sentences(text)) {
    const std::string_view sentence = trimmed(text::slice(text, span));
    const bool stop = sentence.ends_with('.') && !sentence.ends_with("..");
    // Questions, exclamations and unended quotations stay as they are.
    if (sentence.size() > kMaxSentenceBytes || (!stop && (sentence.empty() || !letter_or_digit(sentence.back())))) {
      add(std::string(sentence));
      continue;
    }
    const std::string_view body = stop ? sentence.substr(0, sentence.size() - 1) : sentence;
    const bool starts_capital = !body.empty() && body[0] >= 'A' && body[0] <= 'Z';
    const auto pieces = semicolons(body);
    std::vector<std::string> parts;
    for (const std::string_view piece : pieces) {
      for (std::string& claim : split_body(trimmed(piece), starts_capital)) parts.push_back(std::move(claim));
    }
    if (parts.size() == 1) {
      add(std::string(sentence));
      continue;
    }
    for (std::string& part : parts) add(stop && !part.ends_with('.') ? part + "." : std::move(part));
  }
  return claims;
}

}  // namespace residue::ingest
