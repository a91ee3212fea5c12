#include "text/support/support_tokens.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/characters/break_iterator.h"
#include "text/characters/unicode.h"
#include "text/support/support_words.h"
#include "text/words/placeholders.h"

namespace residue::text {
namespace {

constexpr int kNegationReach = 12;
constexpr int kMay = 5;
constexpr std::size_t kPrepositionReach = 3;  // "by his worried mother"

bool is_plain(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Length of the apostrophe at `at`, straight or curly, or 0.
std::size_t apostrophe(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '\'') return 1;
  return text.substr(at).starts_with("\xE2\x80\x99") ? 3 : 0;
}

// Length of the letter, mark or digit outside ASCII at `at`, or 0. `*spaceless` is set for scripts that write no
// spaces.
std::size_t foreign_letter(std::string_view text, std::size_t at, bool* spaceless) {
  const auto point = code_point_at(text, at);
  const auto c = static_cast<UChar32>(point.value);
  if ((U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) return 0;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      *spaceless = true;
      break;
    default:
      break;
  }
  return point.bytes;
}

// The digit at `at`, full width too; 0 bytes where there is none.
struct Digit {
  char value = 0;
  std::size_t bytes = 0;
};
Digit digit_at(std::string_view text, std::size_t at) {
  constexpr char32_t kWideZero = 0xFF10, kWideNine = 0xFF19;
  if (at >= text.size()) return {};
  if (is_plain(text[at])) return is_digit(text[at]) ? Digit{text[at], 1} : Digit{};
  const auto c = code_point_at(text, at);
  if (c.value < kWideZero || c.value > kWideNine) return {};
  return {static_cast<char>('0' + (c.value - kWideZero)), c.bytes};
}

// Whether a word begins with a capital of A to Z, in any shape and with any accent.
bool is_capitalized(std::string_view word) {
  if (is_plain(word[0])) return is_upper(word[0]);
  std::string read = as_read(word.substr(0, code_point_at(word, 0).bytes), Letters::kKept);
  if (auto plain = without_accents(read)) read = std::move(*plain);
  return !read.empty() && is_upper(read[0]);
}

// NFKC and case folding in one, and no accents. `word` is valid UTF-8, or its broken parts become U+FFFD.
std::string folded(std::string_view word) {
  // Asked for once per process: ICU's own handing over is not visible to ThreadSanitizer.
  static const icu::Normalizer2* const normalizer = [] {
    UErrorCode loading = U_ZERO_ERROR;
    return icu::Normalizer2::getNFKCCasefoldInstance(loading);
  }();
  if (normalizer == nullptr) return std::string(word);
  UErrorCode status = U_ZERO_ERROR;
  const auto source = icu::UnicodeString::fromUTF8({word.data(), static_cast<std::int32_t>(word.size())});
  std::string out;
  normalizer->normalize(source, status).toUTF8String(out);
  if (U_FAILURE(status)) return std::string(word);
  if (auto plain = without_accents(out)) return std::move(*plain);
  return out;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view text, std::vector<SupportToken>& out) : text_(text), out_(out) { out_.clear(); }

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_digit(c)) {
        number();
      } else if (is_alpha(c)) {
        word();
      } else if (is_plain(c)) {
        punctuation(c);
      } else {
        bool spaceless = false;
        if (digit_at(text_, at_).bytes > 0) {
          number();
        } else if (foreign_letter(text_, at_, &spaceless) > 0 && ignored_at(text_, at_) == 0) {
          word();
        } else {
          at_ += code_point_at(text_, at_).bytes;
        }
      }
    }
  }

 private:
  void punctuation(char c) {
    if (c == '[' || c == '<' || c == '{') {
      if (const auto end = placeholder_end(text_, at_); end > at_) {
        at_ = end;
        glue_ = false;
        initial_ = false;
        return;
      }
    }
    if (c == '%') {
      emit_word("percent", at_, at_ + 1, false);
      return;
    }
    if (c == '.' || c == '!' || c == '?' || c == '\n') {
      initial_ = true;
      reach_ = 0;
      end_clause();
      glue_ = false;
    } else if (c == ';' || c == '|') {
      reach_ = 0;
      end_clause();
      glue_ = false;
    } else if (c != ' ' && c != '-' && c != '/') {
      if (c == ',') clause_ = out_.size();
      glue_ = false;
    }
    ++at_;
  }

  void number() {
    const auto begin = at_;
    std::string digits;
    bool fraction = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const auto nothing = ignored_at(text_, at_);
      if (const Digit digit = digit_at(text_, at_ + nothing); digit.bytes > 0) {
        digits += digit.value;
        at_ += nothing + digit.bytes;
        continue;
      }
      if (c == '.' && !fraction && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
        fraction = true;
        digits += c;
      } else if (!(c == ',' && !fraction && thousands(at_ + 1))) {
        break;
      }
      ++at_;
    }
    for (const std::string_view ordinal : {"st", "nd", "rd", "th"}) {
      const auto end = at_ + ordinal.size();
      if (text_.substr(at_).starts_with(ordinal) && (end == text_.size() || !is_alpha(text_[end]))) {
        at_ = end;
        emit_word(text_.substr(begin, at_ - begin), begin, at_, false);
        out_.back().implied = support_number_key(digits);  // "March 4th" is March 4
        return;
      }
    }
    if (fraction) digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    if (digits.starts_with('.')) digits.insert(0, 1, '0');
    emit_number(digits, begin, at_);
    if (month_ != 0) out_.back().implied = std::exchange(month_, 0);
    if (at_ == begin + 4) month_ = month_after(at_);
  }

  // The month, which is no auxiliary verb.
  static std::uint64_t may_key() { return mix(support_word("may").key); }

  // The month of 2017-10-31, of which the year ends at `at`; 0 for any other text.
  [[nodiscard]] std::uint64_t month_after(std::size_t at) const {
    static constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};
    const std::string_view rest = text_.substr(at);
    if (rest.size() < 6 || rest[0] != '-' || rest[3] != '-') return 0;
    for (const std::size_t i : {1, 2, 4, 5}) {
      if (!is_digit(rest[i])) return 0;
    }
    if (rest.size() > 6 && is_digit(rest[6])) return 0;
    const int month = (rest[1] - '0') * 10 + (rest[2] - '0');
    if (month == kMay) return may_key();
    return month < 1 || month > 12 ? 0 : support_word(kMonths[month - 1]).key;
  }

  // Length of "U.S", "U.S.A" or "U.K" at `at`, or 0: with their stops they are no sentences' ends.
  [[nodiscard]] std::size_t country(std::size_t at) const {
    for (const std::string_view name : {"U.S.A", "U.S", "U.K"}) {
      const auto end = at + name.size();
      if (!text_.substr(at).starts_with(name) || (end < text_.size() && is_alpha(text_[end]))) continue;
      const bool longer = end + 1 < text_.size() && text_[end] == '.' && is_alpha(text_[end + 1]);  // U.S.S.R.
      if (!longer) return name.size();
    }
    return 0;
  }

  // Exactly three digits follow.
  [[nodiscard]] bool thousands(std::size_t at) const {
    if (at + 3 > text_.size()) return false;
    for (std::size_t i = at; i < at + 3; ++i) {
      if (!is_digit(text_[i])) return false;
    }
    return at + 3 == text_.size() || !is_digit(text_[at + 3]);
  }

  void word() {
    const auto begin = at_;
    if (const auto length = country(at_); length > 0) {
      at_ += length;
      if (at_ < text_.size() && text_[at_] == '.') ++at_;
      emit_word(text_[begin + 2] == 'K' ? "u.k" : "u.s", begin, begin + length, true);
      return;
    }
    bool ascii = true;
    bool spaceless = false;
    lower_.clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_alpha(c) || is_digit(c) || c == '_') {
        lower_ += is_upper(c) ? static_cast<char>(c | 0x20) : c;
        ++at_;
        continue;
      }
      if (const auto quote = apostrophe(text_, at_); quote > 0) {
        if (at_ + quote >= text_.size() || !is_alpha(text_[at_ + quote])) break;
        lower_ += '\'';
        at_ += quote;
        continue;
      }
      if (is_plain(c)) break;
      if (const auto nothing = ignored_at(text_, at_); nothing > 0) {
        at_ += nothing;
        continue;
      }
      const auto length = foreign_letter(text_, at_, &spaceless);
      if (length == 0) break;
      ascii = false;
      lower_.append(text_, at_, length);
      at_ += length;
    }
    const auto written = text_.substr(begin, at_ - begin);
    if (ascii && is_placeholder(written)) {
      initial_ = glue_ = false;
      return;
    }
    if (spaceless) {
      segments(begin, at_);
      return;
    }
    if (!ascii) lower_ = folded(lower_);
    if (lower_.ends_with("'s")) lower_.resize(lower_.size() - 2);
    if (!lower_.empty()) emit_word(lower_, begin, at_, is_capitalized(written));
  }

  // Words of a script without spaces.
  void segments(std::size_t begin, std::size_t end) {
    thread_local BreakIterator breaks(BreakIterator::Kind::kWord);
    const std::string_view run = text_.substr(begin, end - begin);
    breaks.set_text(run);
    for (std::size_t from = 0; from < run.size();) {
      const std::size_t to = breaks.next();
      emit_word(folded(run.substr(from, to - from)), begin + from, begin + to, false);
      from = to;
    }
  }

  void emit_number(std::string_view canonical, std::size_t begin, std::size_t end) {
    SupportToken token;
    token.key = support_number_key(canonical);
    token.number = true;
    if (canonical.size() <= 9 && std::all_of(canonical.begin(), canonical.end(), is_digit)) {
      for (const char c : canonical) token.value = std::max(token.value, 0) * 10 + (c - '0');
    }
    token.weight = kNumberWeight;
    push(token, begin, end);
    spoken_ = -1;
    glue_ = true;
  }

  void emit_word(std::string_view word, std::size_t begin, std::size_t end, bool capital) {
    const SupportWord& form = support_word(word);
    if (form.placeholder) {
      glue_ = false;
      return;
    }
    if (form.number >= 0) {
      spoken_number(form.number, begin, end);
      return;
    }
    if (form.ends_scope) reach_ = 0;
    if (form.ends_kin) holder_ = 0;
    const std::size_t preposition = std::exchange(preposition_, preposition_ > 0 ? preposition_ - 1 : 0);
    if (form.kin != 0) {
      relative(form.kin, preposition > 0);
    } else if (holder_ != 0 && word == "of" && out_.size() == kin_at_ + 1) {  // "a mother of two"
      holder_ = out_.back().holder = 0;
    }
    if (form.preposition) {
      preposition_ = kPrepositionReach;
      inside_ = word == "in";
    }
    SupportToken token;
    token.key = form.key;
    token.root = form.root;
    token.implied = form.implied;
    token.rival = form.rival;
    token.kin = form.kin;
    token.referent = form.referent;
    token.weight = form.weight;
    const bool may = capital && !initial_ && word == "may";
    if (may) token.key = may_key();
    token.name = may || (capital && !initial_ && form.weight == kOrdinaryWeight);
    token.opens = capital && initial_ && form.weight == kOrdinaryWeight;
    if (token.name) token.weight = kNameWeight;
    const bool attached = glue_ && form.unit && !out_.empty() && out_.back().number;
    push(token, begin, end);
    if (attached) out_[out_.size() - 2].unit = form.key;
    if (form.negator) reach_ = kNegationReach;
    glue_ = false;
    spoken_ = -1;
  }

  // "twenty-one" and "two hundred" are one number.
  void spoken_number(std::int64_t value, std::size_t begin, std::size_t end) {
    const bool joined = glue_ && spoken_ >= 0 &&
                        ((value < 10 && value > 0 && spoken_ >= 20 && spoken_ < 100 && spoken_ % 10 == 0) ||
                         (value == 100 && spoken_ < 100 && spoken_ > 0));
    if (joined) {
      begin = out_.back().begin;
      value = value == 100 ? spoken_ * 100 : spoken_ + value;
      out_.pop_back();
    }
    emit_number(std::to_string(value), begin, end);
    // "one of them" is hardly a number.
    if (value == 1) out_.back().weight = kFrameWeight;
    spoken_ = value;
  }

  void push(SupportToken token, std::size_t begin, std::size_t end) {
    token.begin = static_cast<std::uint32_t>(begin);
    token.end = static_cast<std::uint32_t>(end);
    token.negated = reach_ > 0;
    token.holder = holder_;
    if (reach_ > 0) --reach_;
    at_ = std::max(at_, end);
    initial_ = false;
    out_.push_back(token);
  }

  void end_clause() {
    holder_ = 0;
    preposition_ = 0;
    clause_ = out_.size();
  }

  // "His mother has asthma": of her. "Brought by his mother": not. "Asthma in his mother": what was said before.
  void relative(std::uint8_t kin, bool after_preposition) {
    const bool joined = holder_ != 0 && out_.size() - kin_at_ <= 3;  // "his mother and his father"
    kin_at_ = out_.size();
    if (!after_preposition || holder_ != 0) {
      holder_ = joined ? kAnyKin : kin;
    } else if (inside_) {
      for (auto i = clause_; i < out_.size(); ++i) {
        if (out_[i].holder == 0) out_[i].holder = kin;
      }
    }
  }

  std::string_view text_;
  std::vector<SupportToken>& out_;
  std::string lower_;
  std::size_t at_ = 0;
  int reach_ = 0;                // Words that the open negation still covers.
  std::uint8_t holder_ = 0;      // Of which relative the words are that come.
  std::size_t preposition_ = 0;  // Words that the last preposition may still govern.
  bool inside_ = false;          // That preposition is "in".
  std::size_t clause_ = 0;       // The first token of the clause.
  std::size_t kin_at_ = 0;       // The token that last named a relative.
  bool initial_ = true;          // At the start of a sentence, where capitals mean nothing.
  bool glue_ = false;            // Only spaces, hyphens, slashes or symbols since the last number.
  std::uint64_t month_ = 0;      // The key of the month that the next number is.
  std::int64_t spoken_ = -1;     // Value of the last number if it was written as words.
};

// The words of ada@example.org, @ada and https://example.org/ada name somebody, however they are written.
void name_addresses(std::string_view text, std::vector<SupportToken>& out) {
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  auto token = out.begin();
  for (std::size_t at = text.find_first_of("@:"); at != std::string_view::npos; at = text.find_first_of("@:", at + 1)) {
    if (text[at] == '@' ? at + 1 == text.size() || space(text[at + 1]) : !text.substr(at).starts_with("://")) continue;
    std::size_t end = at;
    while (end < text.size() && !space(text[end])) ++end;
    std::size_t begin = at;
    while (begin > 0 && !space(text[begin - 1])) --begin;
    while (token != out.end() && token->end <= begin) ++token;
    for (; token != out.end() && token->begin < end; ++token) {
      if (token->number) continue;
      token->name = true;
      token->opens = false;
      token->weight = kNameWeight;
    }
    at = end - 1;
  }
}

}  // namespace

void support_tokens(std::string_view text, std::vector<SupportToken>& out) {
  Tokenizer(text, out).run();
  name_addresses(text, out);
}

}  // namespace residue::text
