#include "model/replies/refusal.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/content_words.h"
#include "model/replies/meta_answers.h"

namespace residue::model {
namespace {

using Names = std::unordered_set<std::string_view>;

constexpr std::size_t kMostWords = 60;  // of the sentences that are looked at
constexpr std::size_t kBeforeInability = 25;
constexpr std::size_t kPart = 5;  // bytes of a word that are as good as the word
constexpr std::size_t kLongestRefusal = 600;
constexpr std::size_t kHardlyOneIn = 4;  // words
constexpr std::size_t kMuchLonger = 2;   // a source so many times as long as its refusal says more than that

// Lower-case words of letters, digits and apostrophes; "." for the end of a sentence, "," for a pause.
std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> all;
  std::string word;
  const auto close = [&] {
    if (!word.empty()) all.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (text.substr(i).starts_with("\xe2\x80\x99")) {  // the typographic apostrophe
      word.push_back('\'');
      i += 2;
    } else if (is_letter(c) || is_digit(c) || c == '\'') {
      word.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    } else {
      close();
      if (c == '\n' || c == '!' || c == '?' || (c == '.' && (i + 1 == text.size() || !is_digit(text[i + 1])))) c = '.';
      if ((c == '.' || c == ',' || c == ';' || c == ':') && !all.empty() && all.back() != ".")
        all.push_back(c == '.' ? "." : ",");
    }
  }
  close();
  return all;
}

bool among(std::string_view word, const Names& names) { return names.contains(word); }

const Names& common_words() {
  static const Names words = {
      "a",    "an",   "the",  "and",   "or",    "but",   "of",    "in",   "on",   "at",  "to",    "for",  "with",
      "by",   "from", "as",   "is",    "are",   "was",   "were",  "be",   "been", "has", "have",  "had",  "do",
      "does", "did",  "it",   "its",   "he",    "she",   "they",  "his",  "her",  "him", "their", "them", "this",
      "that", "who",  "what", "which", "there", "these", "those", "not",  "no",   "i",   "you",   "we",   "my",
      "your", "our",  "me",   "us",    "if",    "so",    "than",  "then", "will", "can", "text",  "name", "someone"};
  return words;
}

// The words of one or two sentences, pauses left out but for "," between parts that have no other mark.
struct Opening {
  std::vector<std::string> words;
  // Whether these words, a space between them, stand from `at` on.
  [[nodiscard]] bool is(std::size_t at, std::string_view wanted) const {
    for (; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (!wanted.starts_with(word)) return false;
      wanted.remove_prefix(word.size());
      if (wanted.empty()) return true;
      if (wanted.front() != ' ') return false;
      wanted.remove_prefix(1);
    }
    return false;
  }
  [[nodiscard]] bool ends(std::size_t at) const { return at >= words.size() || words[at] == "." || words[at] == ","; }
};

std::size_t count_words(std::string_view form) {
  return 1 + static_cast<std::size_t>(std::count(form.begin(), form.end(), ' '));
}

Opening opening(std::string_view text) {
  Opening out;
  std::size_t sentences = 0;
  for (std::string& word : tokens(text)) {
    if (word == "." && ++sentences == 2) break;
    out.words.push_back(std::move(word));
    if (out.words.size() == kMostWords) break;
  }
  return out;
}

// Words of "I cannot ..." from `at` on: how many, 0 for none. The writer is meant, or nobody is named.
std::size_t inability(const Opening& said, std::size_t at) {
  static constexpr std::string_view kForms[] = {"i can't",
                                                "i cannot",
                                                "i can not",
                                                "i won't",
                                                "i will not",
                                                "i am unable",
                                                "i'm unable",
                                                "i am not able",
                                                "i'm not able",
                                                "i couldn't",
                                                "i could not",
                                                "i must decline",
                                                "i decline",
                                                "i have to decline",
                                                "i refuse",
                                                "i'm not comfortable",
                                                "i am not comfortable",
                                                "i don't feel comfortable",
                                                "i do not feel comfortable",
                                                "i'm not allowed",
                                                "i am not allowed",
                                                "i'm not permitted",
                                                "i am not permitted",
                                                "we can't",
                                                "we cannot",
                                                "we are unable"};
  static constexpr std::string_view kNobody[] = {"unable", "cannot", "can't", "not able"};
  for (const std::string_view form : kForms) {
    if (said.is(at, form)) return count_words(form);
  }
  if (at > 0 && said.words[at - 1] != "." && said.words[at - 1] != ",") return 0;
  for (const std::string_view form : kNobody) {
    if (said.is(at, form)) return count_words(form);
  }
  return 0;
}

// What models say that they cannot do.
const Names& services() {
  static const Names words = {
      "help",    "assist",    "comply",    "do",           "provide",      "fulfill",    "fulfil",      "process",
      "answer",  "respond",   "engage",    "complete",     "perform",      "generate",   "create",      "continue",
      "proceed", "share",     "discuss",   "identify",     "rephrase",     "paraphrase", "rewrite",     "reword",
      "restate", "anonymize", "anonymise", "pseudonymize", "pseudonymise", "extract",    "split",       "list",
      "break",   "reveal",    "disclose",  "repeat",       "produce",      "give",       "rate",        "summarize",
      "restore", "replace",   "divide",    "decompose",    "handle",       "support",    "participate", "accommodate",
      "analyze", "analyse",   "write",     "offer"};
  return words;
}

// Whether the words from `at` on mean what was asked for: "this request", "that.", "the passage".
bool what_was_asked(const Opening& said, std::size_t at) {
  static const Names pointing = {"that", "this", "these", "such"};
  static const Names asked = {"request", "requests",   "task",   "text",        "statement", "passage",
                              "content", "paraphrase", "claims", "information", "prompt"};
  if (among(said.words[at], asked)) return true;
  return among(said.words[at], pointing) && (said.ends(at + 1) || among(said.words[at + 1], asked));
}

// Whether what follows "I cannot" from `at` on is what was asked for: "help with that", "comply", "rephrase this".
// After an apology any service will do.
bool declined_service(const Opening& said, std::size_t at, bool apologized) {
  static const Names skipped = {"to",         "be",       "able",      "with",   "doing", "so",   "in", "good",
                                "conscience", "directly", "currently", "really", "and",   "will", "not"};
  std::size_t i = at;
  while (i < said.words.size() && i < at + 3 && among(said.words[i], skipped)) ++i;
  if (i > at && said.ends(i)) return true;                                 // "I must decline to." "I am not able to."
  if (said.ends(i)) return apologized || said.words[at - 1] == "decline";  // "Sorry, I can't."
  if (!among(said.words[i], services())) {
    return what_was_asked(said, i);  // "I decline this request", "not comfortable with that"
  }
  if (apologized || said.ends(i + 1)) return true;
  for (std::size_t j = i + 1; j < said.words.size() && j <= i + 5 && !said.ends(j); ++j) {
    if (what_was_asked(said, j) || (said.words[j] == "you" && said.ends(j + 1))) return true;
  }
  return false;
}

bool apology(const Opening& said, std::size_t at) {
  return said.is(at, "sorry") || said.is(at, "apologies") || said.is(at, "i apologize") || said.is(at, "i apologise") ||
         said.is(at, "unfortunately") || said.is(at, "i regret");
}

// "As an AI language model, ...", "I am an AI assistant".
bool is_program(const Opening& said) {
  for (std::size_t i = 0; i < said.words.size() && i < kBeforeInability; ++i) {
    const std::size_t at = said.is(i, "as an ai") || said.is(i, "i'm an ai") ? i + 3
                           : said.is(i, "i am an ai")                        ? i + 4
                                                                             : 0;
    static const Names kinds = {"language", "model", "assistant", "system", "chatbot", "developed", "created"};
    if (at > 0 && (said.ends(at) || among(said.words[at], kinds) || said.words[at] == "i")) return true;
    if (said.is(i, "as a language model") || said.is(i, "as a large language model") ||
        said.is(i, "as an artificial intelligence"))
      return true;
  }
  return false;
}

// "This request violates our policies", "The text cannot be processed", "Please provide the text".
bool says_so_of_the_request(const Opening& said) {
  static const Names asked = {"request", "content", "prompt", "task", "input"};
  static const Names denied = {"violates", "blocked", "rejected", "flagged", "declined", "denied", "against"};
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    if (i > 0 && said.words[i - 1] != "." && said.words[i - 1] != ",") continue;
    if (said.is(i, "please provide the") || said.is(i, "please share the") || said.is(i, "please paste the"))
      return true;
    const bool determined = said.is(i, "this") || said.is(i, "the") || said.is(i, "your");
    if (!determined || i + 2 >= said.words.size() || !among(said.words[i + 1], asked)) continue;
    for (std::size_t j = i + 2; j < said.words.size() && j < i + 5 && !said.ends(j); ++j) {
      if (among(said.words[j], denied) || said.is(j, "cannot be") || said.is(j, "can't be") || said.is(j, "can not be"))
        return true;
    }
  }
  return false;
}

// Of the writer: that it is a program, or that it cannot do what was asked for.
bool speaks_of_itself(const Opening& said) {
  if (is_program(said)) return true;
  bool apologized = false;
  for (std::size_t i = 0; i < said.words.size() && i < kBeforeInability; ++i) {
    apologized = apologized || apology(said, i);
    const std::size_t length = inability(said, i);
    if (length > 0 && declined_service(said, i + length, apologized)) return true;
  }
  return false;
}

bool declines(const Opening& said) { return speaks_of_itself(said) || says_so_of_the_request(said); }

// An apology or inability to begin with, and a word of what models do, anywhere: authors write so, too.
bool may_decline(std::string_view text) {
  static constexpr std::string_view kOpenings[] = {
      "i'm sorry",    "i am sorry",    "sorry",           "i apologize", "i apologise", "my apologies",
      "apologies",    "i cannot",      "i can't",         "i can not",   "i'm unable",  "i am unable",
      "i'm not able", "i am not able", "unfortunately i", "i won't",     "i will not"};
  static const Names kCannot = {"cannot", "can't", "unable", "won't"};
  static const Names kAlso = {"request", "text", "content", "rewriting", "paraphrasing", "anonymizing", "anonymising"};
  Opening all;
  for (std::string& word : tokens(text)) {
    if (word != "," && word != ".") all.words.push_back(std::move(word));
  }
  const auto is_at = [&](std::size_t at, std::string_view wanted) { return all.is(at, wanted); };
  if (std::ranges::none_of(kOpenings, [&](std::string_view one) { return is_at(0, one); })) return false;
  bool cannot = false, service = false;
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    cannot =
        cannot || among(all.words[i], kCannot) || is_at(i, "can not") || is_at(i, "not able") || is_at(i, "will not");
    service = service || among(all.words[i], services()) || among(all.words[i], kAlso);
  }
  return cannot && service;
}

// Words that refusals are not made of.
std::string other_words(std::string_view text) {
  static const Names kOfRefusals = {"sorry",       "apologize",    "apologise",   "apologies",    "unfortunately",
                                    "i'm",         "i'd",          "can't",       "cannot",       "won't",
                                    "unable",      "able",         "must",        "decline",      "refuse",
                                    "regret",      "request",      "requests",    "task",         "statement",
                                    "passage",     "content",      "comment",     "comments",     "information",
                                    "prompt",      "input",        "message",     "conversation", "details",
                                    "data",        "personal",     "private",     "sensitive",    "privacy",
                                    "identity",    "individual",   "individuals", "person",       "people",
                                    "policy",      "policies",     "guidelines",  "harmful",      "inappropriate",
                                    "explicit",    "ai",           "language",    "model",        "assistant",
                                    "please",      "provide",      "because",     "contains",     "about",
                                    "any",         "would",        "could",       "should",       "may",
                                    "might",       "such",         "with",        "rewriting",    "anonymizing",
                                    "anonymising", "paraphrasing", "further",     "however",      "instead",
                                    "other",       "here",         "feel",        "free",         "let",
                                    "know",        "else",         "don't",       "it's",         "am",
                                    "like",        "want",         "thank",       "thanks",       "sharing",
                                    "usage",       "violates",     "violate",     "processed",    "kindly"};
  std::string out;
  for (const std::string& word : tokens(text)) {
    const bool usual = word == "." || word == "," || among(word, common_words()) || among(word, kOfRefusals);
    if (!usual && !among(word, services())) out += ' ' + word;
  }
  return out;
}

// A long refusal has some word of any text by chance; other wordings of the text have more.
bool hardly_in(std::string_view words, std::string_view source) {
  const auto ours = content_words(words);
  return kHardlyOneIn * in_both(ours, content_words(source)) < ours.size();
}

// Without what stands in square brackets: placeholders of sanitizers.
std::string without_placeholders(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('[', at), text.size());
    out += text.substr(at, open - at);
    const std::size_t close = text.find(']', open);
    at = close == std::string_view::npos ? text.size() : close + 1;
  }
  return out;
}

// All words of the opening stand in the source.
bool own_words(const Opening& said, std::string_view source) {
  Names there;
  const std::vector<std::string> all = tokens(source);
  there.insert(all.begin(), all.end());
  return std::all_of(said.words.begin(), said.words.end(),
                     [&](const std::string& word) { return word == "." || word == "," || there.contains(word); });
}

}  // namespace

bool declines(std::string_view words) { return declines(opening(words)); }

bool declines(std::string_view words, std::string_view source) {
  const std::string kept = without_placeholders(words);
  const Opening said = opening(kept);
  if (!declines(said)) return false;
  // A longer source of which nothing came back but the words that decline was refused, whatever it says.
  const bool whole = tokens(words).size() > said.words.size() + 1 || source.size() <= kMuchLonger * words.size();
  return !whole || !own_words(said, source);
}

bool declines_to_reword(std::string_view words, std::string_view source) {
  const std::string kept = without_placeholders(words);
  const Opening said = opening(kept);
  const bool surely = speaks_of_itself(said), of_the_task = speaks_of_the_task(kept);
  const bool alike = surely_speaks_of_the_task(source) || speaks_of_the_task(source) || may_decline(source);
  if (surely_speaks_of_the_task(kept) && !alike) return true;
  if (!surely && !of_the_task && !says_so_of_the_request(said) && !may_decline(kept)) return false;
  const std::string ours = other_words(kept), theirs = other_words(source);
  const bool shared = shares_words(ours, theirs);
  if (declines(opening(source)) || may_decline(source) || speaks_of_the_task(source)) return !shared && !theirs.empty();
  if (!surely || words.size() > kLongestRefusal) return !shared || ((surely || of_the_task) && hardly_in(ours, source));
  return declines(words, source);
}

bool shares_words(std::string_view claim, std::string_view text) {
  const std::vector<std::string> theirs = tokens(text);
  const Names there(theirs.begin(), theirs.end());
  const std::vector<std::string> ours = tokens(claim);
  for (const std::string& word : ours) {
    if (word == "." || word == "," || among(word, common_words())) continue;
    if (there.contains(word)) return true;
    for (std::size_t at = 0; at + kPart <= word.size(); ++at) {
      const std::string_view part = std::string_view(word).substr(at, kPart);
      if (std::any_of(theirs.begin(), theirs.end(),
                      [&](const std::string& other) { return other.find(part) != std::string::npos; }))
        return true;
    }
  }
  return false;
}

}  // namespace residue::model
