#include "text/support/wordnet.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace residue::text {
namespace {

constexpr std::size_t kPhraseBits = std::size_t{1} << 20;
constexpr std::size_t kPhraseLetters = 3;

struct Ending {
  std::string_view from, to;
};
constexpr Ending kNounEndings[] = {{"s", ""},      {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
                                   {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Ending kVerbEndings[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                                   {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Ending kAdjectiveEndings[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

std::span<const Ending> endings_of(WordClass part) {
  switch (part) {
    case WordClass::kNoun:
      return kNounEndings;
    case WordClass::kVerb:
      return kVerbEndings;
    case WordClass::kAdjective:
      return kAdjectiveEndings;
    case WordClass::kAdverb:
      break;
  }
  return {};
}

std::size_t number_of(WordClass part) { return static_cast<std::size_t>(part); }
WordClass part_of(Synset synset) { return static_cast<WordClass>(synset % kWordClasses); }

[[noreturn]] void damaged(std::string_view kind, WordClass part) {
  throw Error(Code::kBadInput, fmt::format("WordNet's {}.{} is damaged", kind, kWordNetClasses[number_of(part)]),
              "install the package wordnet-base again, or correct RESIDUE_WORDNET");
}

// The words of a line, one after the other.
class Fields {
 public:
  Fields(std::string_view line, std::string_view kind, WordClass part) : rest_(line), kind_(kind), part_(part) {}

  std::string_view word() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (rest_.empty()) damaged(kind_, part_);
    const auto end = std::min(rest_.find(' '), rest_.size());
    const auto found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  std::uint32_t number(int base = 10) {
    const auto digits = word();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) damaged(kind_, part_);
    return value;
  }

  void skip(std::size_t words) {
    for (; words > 0; --words) word();
  }

 private:
  std::string_view rest_;
  std::string_view kind_;
  WordClass part_;
};

WordClass class_of_letter(std::string_view letter, std::string_view kind, WordClass part) {
  if (letter == "n") return WordClass::kNoun;
  if (letter == "v") return WordClass::kVerb;
  if (letter == "a" || letter == "s") return WordClass::kAdjective;
  if (letter == "r") return WordClass::kAdverb;
  damaged(kind, part);
}

std::uint64_t phrase_bit(std::string_view first, std::string_view second) {
  return hash_bytes(second.substr(0, kPhraseLetters), hash_bytes(first)) % kPhraseBits;
}

// "Small(a)" is small.
bool same_word(std::string_view written, std::string_view lower) {
  if (const auto marker = written.find('('); marker != std::string_view::npos) written = written.substr(0, marker);
  return written.size() == lower.size() &&
         std::equal(written.begin(), written.end(), lower.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b; });
}

void sort_once(std::vector<Synset>& synsets) {
  std::sort(synsets.begin(), synsets.end());
  synsets.erase(std::unique(synsets.begin(), synsets.end()), synsets.end());
}

std::string_view first_word(std::string_view line) { return line.substr(0, line.find(' ')); }

[[noreturn]] void cut_off(const std::string& name) {
  throw Error(Code::kBadInput, fmt::format("WordNet's {} is cut off", name),
              "install the package wordnet-base again, or correct RESIDUE_WORDNET");
}

bool in_any_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

// Words of a class's synsets, those that differ in their letters alone once: as often as the index has senses.
std::uint64_t words_in(std::string_view data, WordClass part) {
  std::uint64_t sum = 0;
  std::vector<std::string_view> words;
  for (; !data.empty(); data.remove_prefix(std::min(data.find('\n'), data.size() - 1) + 1)) {
    if (data.front() == ' ' || data.front() == '\n') continue;
    Fields fields(data.substr(0, data.find('\n')), "data", part);
    fields.skip(3);
    words.clear();
    for (auto count = fields.number(16); count > 0; --count) {
      const std::string_view written = fields.word();
      const std::string_view word = written.substr(0, written.find('('));
      fields.skip(1);
      if (std::ranges::none_of(words, [&](auto other) { return in_any_letters(word, other); })) words.push_back(word);
    }
    sum += words.size();
  }
  return sum;
}

}  // namespace

struct WordNet::Pointer {
  char symbol = ' ';
  Synset target = 0;
  std::string_view source;  // the word it belongs to; empty: the whole synset
};

std::string_view WordNet::Lines::find(std::string_view word) const {
  const auto found = std::lower_bound(lines.begin(), lines.end(), word,
                                      [](std::string_view line, std::string_view w) { return first_word(line) < w; });
  return found != lines.end() && first_word(*found) == word ? *found : std::string_view();
}

// The licence at the beginning is indented.
WordNet::Lines WordNet::lines_of(std::string_view file, std::string_view name) {
  Lines out;
  while (!file.empty()) {
    const auto end = std::min(file.find('\n'), file.size());
    const auto line = file.substr(0, end);
    if (!line.empty() && line.front() != ' ') out.lines.push_back(line);
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  if (out.lines.empty()) {
    throw Error(Code::kBadInput, fmt::format("{} is no file of WordNet: it has no line", name),
                "install the package wordnet-base again, or correct RESIDUE_WORDNET");
  }
  const auto before = [](std::string_view a, std::string_view b) { return first_word(a) < first_word(b); };
  if (!std::is_sorted(out.lines.begin(), out.lines.end(), before)) {
    std::stable_sort(out.lines.begin(), out.lines.end(), before);
  }
  return out;
}

// A file that ends too early has words without meanings, or meanings without words, and nobody would see it.
void WordNet::require_whole() const {
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    const std::string name(kWordNetClasses[i]);
    const auto part = static_cast<WordClass>(i);
    if (!files_.index[i].ends_with('\n')) cut_off("index." + name);
    if (!files_.data[i].ends_with('\n')) cut_off("data." + name);
    if (!files_.exceptions[i].ends_with('\n')) cut_off(name + ".exc");
    std::uint64_t senses = 0;
    for (const std::string_view line : index_[i].lines) {
      Fields fields(line, "index", part);
      fields.skip(2);
      senses += fields.number();
    }
    const std::uint64_t words = words_in(files_.data[i], part);
    if (senses != words) cut_off((senses < words ? "index." : "data.") + name);
  }
}

WordNet::WordNet(WordNetFiles files) : files_(std::move(files)), phrases_(kPhraseBits / 64) {
  static std::atomic<std::uint64_t> serials{0};
  serial_ = ++serials;
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    index_[i] = lines_of(files_.index[i], fmt::format("index.{}", kWordNetClasses[i]));
    exceptions_[i] = lines_of(files_.exceptions[i], fmt::format("{}.exc", kWordNetClasses[i]));
    for (const auto line : index_[i].lines) {
      const auto phrase = first_word(line);
      const auto joint = phrase.find('_');
      if (joint == std::string_view::npos) continue;
      const auto rest = phrase.substr(joint + 1);
      const auto bit = phrase_bit(phrase.substr(0, joint), rest.substr(0, rest.find('_')));
      phrases_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  require_whole();
}

bool WordNet::may_begin_phrase(std::string_view first, std::string_view second) const {
  const auto bit = phrase_bit(first, second);
  return (phrases_[bit / 64] >> (bit % 64) & 1) != 0;
}

void WordNet::add_lemma(WordClass part, std::string_view word, std::vector<WordNetLemma>& out) const {
  const auto line = index_[number_of(part)].find(word);
  if (line.empty()) return;
  const bool known = std::any_of(out.begin(), out.end(), [&](const WordNetLemma& lemma) {
    return lemma.part == part && lemma.word == first_word(line);
  });
  if (!known) out.push_back({part, first_word(line), line});
}

std::vector<WordNetLemma> WordNet::lemmas(std::string_view word) const {
  std::vector<WordNetLemma> out;
  std::string base;
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    const auto part = static_cast<WordClass>(i);
    add_lemma(part, word, out);
    if (const auto exception = exceptions_[i].find(word); !exception.empty()) {
      for (auto rest = exception.substr(word.size()); !rest.empty();) {
        rest.remove_prefix(1);
        const auto end = std::min(rest.find(' '), rest.size());
        if (end > 0) add_lemma(part, rest.substr(0, end), out);
        rest.remove_prefix(end);
      }
      continue;
    }
    for (const auto& [from, to] : endings_of(part)) {
      if (word.size() <= from.size() + 1 || !word.ends_with(from)) continue;
      base.assign(word.substr(0, word.size() - from.size())).append(to);
      add_lemma(part, base, out);
    }
  }
  return out;
}

std::vector<Synset> WordNet::senses(std::span<const WordNetLemma> lemmas, std::size_t most) const {
  std::vector<Synset> out;
  for (const auto& lemma : lemmas) {
    Fields fields(lemma.line, "index", lemma.part);
    fields.skip(2);
    const auto count = fields.number();
    fields.skip(fields.number());  // kinds of pointers
    fields.skip(2);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, most); ++i) {
      const auto synset = static_cast<Synset>(fields.number() * kWordClasses + number_of(lemma.part));
      if (std::find(out.begin(), out.end(), synset) == out.end()) out.push_back(synset);
    }
  }
  return out;
}

std::string_view WordNet::data_from(Synset synset) const {
  const std::string_view file = files_.data[number_of(part_of(synset))];
  const std::size_t offset = synset / kWordClasses;
  if (offset >= file.size()) damaged("data", part_of(synset));
  const auto line = file.substr(offset);  // and what follows: its counts say where it ends
  // A line begins with its own offset: whatever else stands here is no synset.
  std::uint32_t own = 0;
  const auto eight = line.substr(0, 8);
  const auto [end, error] = std::from_chars(eight.data(), eight.data() + eight.size(), own);
  if (error != std::errc() || end != eight.data() + 8 || own != offset) damaged("data", part_of(synset));
  return line;
}

template <class F>
void WordNet::each_pointer(Synset synset, F&& visit) const {
  const auto part = part_of(synset);
  Fields fields(data_from(synset), "data", part);
  fields.skip(3);
  std::array<std::string_view, 256> words;  // their number has two hexadecimal digits
  const auto count = fields.number(16);
  if (count >= words.size()) damaged("data", part);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = fields.word();
    fields.skip(1);
  }
  for (auto pointers = fields.number(); pointers > 0; --pointers) {
    Pointer pointer;
    pointer.symbol = fields.word()[0];
    const auto offset = fields.number();
    pointer.target =
        static_cast<Synset>(offset * kWordClasses + number_of(class_of_letter(fields.word(), "data", part)));
    const auto source = fields.number(16) >> 8U;
    if (source > count) damaged("data", part);
    if (source > 0) pointer.source = words[source - 1];
    visit(pointer);
  }
}

std::vector<Synset> WordNet::hypernyms(std::span<const Synset> senses, int levels) const {
  std::vector<Synset> seen(senses.begin(), senses.end());
  std::vector<Synset> out;
  for (std::size_t begin = 0; levels > 0; --levels) {
    const std::size_t end = seen.size();
    for (std::size_t i = begin; i < end; ++i) {
      each_pointer(seen[i], [&](const Pointer& pointer) {
        if (pointer.symbol != '@' || std::find(seen.begin(), seen.end(), pointer.target) != seen.end()) return;
        seen.push_back(pointer.target);
        out.push_back(pointer.target);
      });
    }
    begin = end;
  }
  sort_once(out);
  return out;
}

std::vector<Synset> WordNet::related(std::span<const Synset> senses, std::span<const WordNetLemma> lemmas,
                                     std::string_view symbols) const {
  std::vector<Synset> out;
  for (const Synset synset : senses) {
    each_pointer(synset, [&](const Pointer& pointer) {
      if (symbols.find(pointer.symbol) == std::string_view::npos) return;
      const bool own = pointer.source.empty() || std::any_of(lemmas.begin(), lemmas.end(), [&](const auto& lemma) {
                         return same_word(pointer.source, lemma.word);
                       });
      if (own) out.push_back(pointer.target);
    });
  }
  sort_once(out);
  return out;
}

}  // namespace residue::text
