#include "model/tasks/canary.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "text/words/sentences.h"

namespace residue::model {
namespace {

// Sentences of fewer bytes say little; where there are no others they still do better than none.
constexpr std::size_t kFewBytes = 24;
constexpr std::size_t kFewestBytes = 8;
constexpr std::size_t kMostBytes = 400;

constexpr std::array<std::string_view, 8> kThings = {"bicycle", "umbrella", "suitcase", "telescope",
                                                     "kettle",  "ladder",   "violin",   "tent"};
constexpr std::array<std::string_view, 8> kColours = {"green", "white",  "red",    "blue",
                                                      "grey",  "yellow", "purple", "orange"};
constexpr std::array<std::string_view, 8> kPlaces = {"boathouse", "greenhouse", "lighthouse", "windmill",
                                                     "chapel",    "bakery",     "quarry",     "observatory"};

// Numbers drawn from (spec, passage), one after another.
class Draw {
 public:
  Draw(const SpecDigest& spec, std::string_view passage)
      : seed_(TaggedHash("residue.canary.v1").field("spec", spec).field("passage", passage).bytes()) {}

  std::uint64_t below(std::uint64_t n) {
    const std::string bytes = TaggedHash("residue.canary.draw").field("seed", seed_).field("n", ++count_).bytes();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
    return value % n;
  }

 private:
  std::string seed_;
  std::uint64_t count_ = 0;
};

std::string invented(Draw& draw, std::string_view passage) {
  const std::string_view thing = kThings[draw.below(kThings.size())];
  const std::string_view colour = kColours[draw.below(kColours.size())];
  const std::string_view place = kPlaces[draw.below(kPlaces.size())];
  std::string number;
  do {
    number = fmt::format("{}", 10'000 + draw.below(90'000));
  } while (passage.find(number) != std::string_view::npos);
  return fmt::format("The {} {} with the number {} is kept in the {}.", colour, thing, number, place);
}

// On one line: claims are given a line each.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line += space ? ' ' : c;
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::vector<std::string> statements(std::string_view passage, std::size_t fewest) {
  std::vector<std::string> found;
  for (const text::Span span : text::sentences(passage)) {
    std::string line = one_line(passage.substr(span.begin, span.end - span.begin));
    if (line.size() >= fewest && line.size() <= kMostBytes) found.push_back(std::move(line));
  }
  return found;
}

}  // namespace

Canaries canaries(const SpecDigest& spec, std::string_view passage) {
  Draw draw(spec, passage);
  Canaries result{{invented(draw, passage)}, {false}};
  std::vector<std::string> stated = statements(passage, kFewBytes);
  if (stated.empty()) stated = statements(passage, kFewestBytes);
  if (stated.empty()) return result;
  const std::string& sentence = stated[draw.below(stated.size())];
  const bool first = draw.below(2) == 0;
  result.claims.insert(first ? result.claims.begin() : result.claims.end(), sentence);
  result.stated.insert(first ? result.stated.begin() : result.stated.end(), true);
  return result;
}

bool led(const Canaries& canaries, std::span<const std::uint8_t> ratings) {
  for (std::size_t i = 0; i < canaries.claims.size(); ++i) {
    if (canaries.stated[i] ? ratings[i] == 3 : ratings[i] != 3) return true;
  }
  return false;
}

}  // namespace residue::model
