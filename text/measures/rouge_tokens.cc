// The tokenizer of rouge.h.
//
// Only [a-z0-9] survive, so of all of Unicode's lower-casing two characters matter: the Kelvin sign becomes k, and the
// capital I with dot becomes i and a combining mark (which separates).
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_table.h"
#include "text/characters/eight_bytes.h"
#include "text/characters/unicode.h"
#include "text/measures/rouge.h"
#include "text/words/porter.h"

namespace residue::text {
namespace {

constexpr std::string_view kKelvin = "\xE2\x84\xAA";
constexpr std::string_view kDottedI = "\xC4\xB0";

// What a byte becomes; 0 separates.
constexpr std::array<char, 256> kFold = [] {
  std::array<char, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  for (int c = 'a'; c <= 'z'; ++c) {
    table[static_cast<std::size_t>(c)] = static_cast<char>(c);
    table[static_cast<std::size_t>(c - 32)] = static_cast<char>(c);
  }
  return table;
}();

// The 0x80 of each byte that is a small letter or a digit.
std::uint64_t mark_token(std::uint64_t word) { return in_range(word, 'a', 'z') | in_range(word, '0', '9'); }

// Calls `f(word)` for every run of [a-z0-9] of the lower-cased text. The view lives in `buffer` during the call;
// kPadding bytes behind it can be read.
template <class F>
void each_run(std::string_view text, std::string& buffer, F&& f) {
  if (is_ascii(text) || (text.find(kKelvin) == text.npos && text.find(kDottedI) == text.npos)) {
    pad(text, '\0', buffer);
    for (std::size_t at = 0; at < text.size(); at += 8) {
      const std::uint64_t word = lower_ascii(load_eight(buffer.data() + at));
      std::memcpy(buffer.data() + at, &word, 8);
    }
    each_marked_run(buffer.data(), text.size(), mark_token, [&](std::size_t begin, std::size_t end) {
      f(std::string_view(buffer.data() + begin, end - begin));
    });
    return;
  }
  if (buffer.size() < text.size() + kPadding) buffer.resize(text.size() + kPadding);
  char* const begin = buffer.data();
  char* end = begin;
  const auto flush = [&] {
    if (end == begin) return;
    f(std::string_view(begin, static_cast<std::size_t>(end - begin)));
    end = begin;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (const char folded = kFold[byte]; folded != 0) {
      *end++ = folded;
      ++at;
    } else if (byte == 0xE2 && text.substr(at, 3) == kKelvin) {
      *end++ = 'k';
      at += 3;
    } else if (byte == 0xC4 && text.substr(at, 2) == kDottedI) {
      *end++ = 'i';
      flush();
      at += 2;
    } else {
      flush();
      ++at;
    }
  }
  flush();
}

std::string stemmed(std::string_view word) {
  return word.size() > 3 ? porter_stem(word, Porter::kNltk) : std::string(word);
}

}  // namespace

// Word to number; spellings lie in one buffer.
struct RougeTokenizer::Words {
  struct Slot {
    ShortWord start;
    std::uint32_t at = 0;      // Of the whole word in letters_.
    std::uint32_t length = 0;  // 0: free.
    std::uint32_t id = 0;

    [[nodiscard]] bool free() const { return length == 0; }
    [[nodiscard]] std::uint64_t hash() const {
      return scatter(scatter(start.head ^ (static_cast<std::uint64_t>(length) << 56)) ^ start.tail);
    }
  };
  class Table {
   public:
    // The entry of `word` and whether it is new (then the caller must set `id`). Behind the word kPadding bytes must be
    // readable.
    std::pair<Slot*, bool> entry(std::string_view word) {
      const Slot wanted{load_short(word.data(), word.size()), static_cast<std::uint32_t>(letters_.size()),
                        static_cast<std::uint32_t>(word.size()), 0};
      Slot& slot = slots_.place(wanted.hash(), [&](const Slot& one) {
        return one.start == wanted.start && one.length == wanted.length &&
               (word.size() <= 16 || std::memcmp(letters_.data() + one.at, word.data(), word.size()) == 0);
      });
      if (!slot.free()) return {&slot, false};
      slot = wanted;
      letters_.append(word);
      return {&slot, true};
    }

    [[nodiscard]] std::size_t bytes() const { return slots_.bytes() + letters_.size(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

   private:
    FlatTable<Slot> slots_;
    std::string letters_;
  };

  explicit Words(bool with_stems) : stem(with_stems) {}

  std::uint32_t id_of(std::string_view word) {
    const auto [slot, is_new] = seen.entry(word);
    if (is_new) {
      std::string token = stem ? stemmed(word) : std::string(word);
      const std::size_t length = token.size();
      token.append(kPadding, '\0');
      slot->id = number(std::string_view(token).substr(0, length));
    }
    return slot->id;
  }

  std::uint32_t number(std::string_view token) {
    const std::uint32_t next = tokens.size();
    const auto [slot, is_new] = tokens.entry(token);
    if (is_new) slot->id = next;
    return slot->id;
  }

  bool stem;
  Table seen;    // words as they occur
  Table tokens;  // stems
  std::string buffer;
};

RougeTokenizer::RougeTokenizer(bool stem) : words_(std::make_unique<Words>(stem)) {}
RougeTokenizer::~RougeTokenizer() = default;
RougeTokenizer::RougeTokenizer(RougeTokenizer&&) noexcept = default;
RougeTokenizer& RougeTokenizer::operator=(RougeTokenizer&&) noexcept = default;

void RougeTokenizer::tokens(std::string_view text, std::vector<std::uint32_t>& out) {
  out.clear();
  each_run(text, words_->buffer, [&](std::string_view word) { out.push_back(words_->id_of(word)); });
}

std::vector<std::uint32_t> RougeTokenizer::tokens(std::string_view text) {
  std::vector<std::uint32_t> out;
  out.reserve(text.size() / 5);
  tokens(text, out);
  return out;
}

bool RougeTokenizer::clear_if_large() {
  constexpr std::size_t kLimitBytes = std::size_t{64} << 20;
  if (words_->seen.bytes() + words_->tokens.bytes() <= kLimitBytes) return false;
  words_ = std::make_unique<Words>(words_->stem);
  return true;
}

std::vector<std::string> rouge_tokens(std::string_view text, bool stem) {
  std::vector<std::string> out;
  std::string buffer;
  each_run(text, buffer, [&](std::string_view word) { out.push_back(stem ? stemmed(word) : std::string(word)); });
  return out;
}

}  // namespace residue::text
