#include "text/encodings/separators.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ascii.h"
#include "text/encodings/escaped/bytes.h"
#include "text/encodings/signs.h"

namespace residue::text {
namespace {

constexpr std::string_view kInsideWords = "-/,;";  // Plain texts have several of these in a chunk.
constexpr std::size_t kFewestWords = 5;

// Addresses, and placeholders.
bool is_whole(std::string_view chunk) {
  return std::string_view("[{<").find(chunk[0]) != std::string_view::npos ||
         chunk.find('@') != std::string_view::npos || chunk.find("://") != std::string_view::npos ||
         chunk.starts_with("www.");
}

bool joins_words(const Joints& joints, std::size_t sign) {
  const std::size_t count = joints.count[sign];
  return count + 1 >= kFewestWords && joints.letters >= 2 * (count + 1);
}

// Replaces each `sign` of the chunk for which `which` is true.
template <class Which>
void replace_signs(std::string& text, Span chunk, char sign, const Which& which) {
  const std::string before(slice(text, chunk));
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (before[at] == sign && which(before, at)) text[chunk.begin + at] = ' ';
  }
}

// "Ann - lives - in": a sign by itself stands between the words, nearly all of them.
std::optional<std::string> without_lone_signs(std::string_view text) {
  constexpr std::size_t kFewest = 8;
  std::size_t alone = 0;  // no fewer than there are
  const auto apart = [&](std::size_t at) { return is_blank(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80; };
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    alone += sign_at(text[at]) != kNoSign && apart(at - 1) && apart(at + 1) ? 1 : 0;
  }
  if (alone < kFewest) return std::nullopt;
  const std::vector<Span> chunks = chunks_of(text);
  const auto lone = [&](std::size_t i) {
    return chunks[i].end - chunks[i].begin == 1 ? sign_at(text[chunks[i].begin]) : kNoSign;
  };
  std::array<std::size_t, kSigns.size()> count{};
  std::size_t words = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto sign = lone(i);
    words += sign == kNoSign ? 1 : 0;
    if (sign != kNoSign && i > 0 && i + 1 < chunks.size() && lone(i - 1) == kNoSign) ++count[sign];
  }
  const auto most = static_cast<std::uint8_t>(std::max_element(count.begin(), count.end()) - count.begin());
  if (count[most] < kFewest || count[most] * 4 < (words - 1) * 3) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (lone(i) != most) (out += out.empty() ? "" : " ") += slice(text, chunks[i]);
  }
  return out;
}

}  // namespace

std::optional<std::string> without_separators(std::string_view written) {
  const auto joined = without_lone_signs(written);
  const std::string_view text = joined ? std::string_view(*joined) : written;
  const auto blanks = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_blank));
  const Joints joints = joints_of(text);
  if (std::all_of(joints.count.begin(), joints.count.end(), [](std::size_t count) { return count == 0; })) {
    return joined;
  }
  // One sign stands for all spaces.
  const auto sign =
      static_cast<std::size_t>(std::max_element(joints.count.begin(), joints.count.end()) - joints.count.begin());
  const bool throughout = joins_words(joints, sign) && joints.count[sign] > 2 * blanks;
  // A chunk has no more of a sign than the text.
  bool in_chunks = false;
  for (std::size_t i = 0; i < kSigns.size(); ++i) {
    const bool enough = joints.count[i] + 1 >= kFewestWords || (kSigns[i] == '_' && joints.count[i] > 0);
    in_chunks = in_chunks || (enough && kInsideWords.find(kSigns[i]) == std::string_view::npos);
  }
  if (!throughout && !in_chunks) return joined;
  std::string out(text);
  if (throughout) {
    // After a full stop too.
    replace_signs(out, {0, out.size()}, kSigns[sign], [](std::string_view all, std::size_t at) {
      const std::size_t end = row_of_signs(all, at).end;
      return joins(all, at) || (end > at && end < all.size() && !is_blank(all[end]) && all[end] != all[at]);
    });
  }
  for (const Span chunk : chunks_of(out)) {
    const std::string_view words = slice(out, chunk);
    if (is_whole(words)) continue;
    const bool small = std::any_of(words.begin(), words.end(), is_lower);
    const Joints inside = joints_of(words);
    for (std::size_t i = 0; i < kSigns.size(); ++i) {
      if (inside.count[i] == 0 || kInsideWords.find(kSigns[i]) != std::string_view::npos) continue;
      if (joins_words(inside, i)) {
        replace_signs(out, chunk, kSigns[i], joins);
      } else if (kSigns[i] == '_' && small && inside.letters > 2 * inside.underscores + 1) {
        replace_signs(out, chunk, '_', joins_letters);
      }
    }
  }
  if (out == text) return joined;
  return out;
}

}  // namespace residue::text
