#include "query/outside/canaries.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/digest.h"
#include "base/hash.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

// Common, concrete, no names: any of them may stand in a text, four of them in a row do not.
constexpr std::array<std::string_view, 128> kWords = {
    "acorn",   "amber",   "anchor",   "apple",   "apron",   "arrow",   "badge",   "bamboo", "banner",  "barrel",
    "basket",  "beacon",  "bell",     "berry",   "blanket", "bottle",  "bramble", "branch", "bread",   "brick",
    "bridge",  "bucket",  "butter",   "button",  "cabin",   "cactus",  "camel",   "candle", "canoe",   "canyon",
    "carpet",  "castle",  "cedar",    "cellar",  "chalk",   "cherry",  "clover",  "cobalt", "comet",   "copper",
    "coral",   "cotton",  "cradle",   "crane",   "crater",  "crystal", "curtain", "desert", "dolphin", "drum",
    "eagle",   "ember",   "engine",   "falcon",  "feather", "fence",   "fern",    "fiddle", "flint",   "flute",
    "forest",  "fossil",  "fountain", "garlic",  "garden",  "ginger",  "glacier", "goblet", "granite", "grape",
    "hammer",  "harbor",  "harvest",  "hazel",   "helmet",  "honey",   "island",  "ivory",  "jacket",  "jasmine",
    "kettle",  "ladder",  "lagoon",   "lantern", "lemon",   "lizard",  "magnet",  "maple",  "marble",  "meadow",
    "melon",   "mirror",  "mitten",   "moss",    "nectar",  "needle",  "nutmeg",  "oasis",  "olive",   "orchard",
    "otter",   "oyster",  "paddle",   "parrot",  "pebble",  "pepper",  "pillow",  "pine",   "plum",    "pocket",
    "prairie", "pumpkin", "quartz",   "quilt",   "raven",   "ribbon",  "river",   "saddle", "saffron", "silver",
    "sparrow", "spruce",  "thimble",  "timber",  "tulip",   "velvet",  "walnut",  "willow"};

constexpr std::array<std::string_view, 4> kPhraseSentences = {
    "The phrase that opens the account is {}.", "She keeps the code words {} in a drawer at home.",
    "He told the nurse that his pass phrase is {}.", "For questions about the file they agreed on the words {}."};
constexpr std::array<std::string_view, 4> kNumberSentences = {
    "The number on the membership card is {}.", "The file is kept under the reference {}.",
    "The line for questions can be reached under {}.", "The old contract had the number {}."};
constexpr std::array<std::string_view, 8> kFiller = {
    "The visit took place in the morning and lasted about an hour.",
    "There was some rain on the way, and the bus came late.",
    "The person asked for a second appointment in the spring.",
    "Nothing else was noted on that day.",
    "A neighbour looks after the plants when nobody is at home.",
    "The letter was answered within a week.",
    "They talked about the garden and about the new shop at the corner.",
    "The next call is planned for the end of the month."};

constexpr std::size_t kPhraseWords = 4;

// Numbers drawn from the seed and from what they are for.
class Dice {
 public:
  Dice(const std::string& seed, std::string_view what, std::size_t canary, std::size_t which)
      : prefix_(fmt::format("residue canary\n{}\n{}\n{}\n{}\n", seed, what, canary, which)) {}

  // Below `sides`, which is far below 2^32.
  std::size_t roll(std::size_t sides) {
    const std::string digest = sha256(fmt::format("{}{}", prefix_, rolled_++));
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i) number = number << 8U | static_cast<unsigned char>(digest[i]);
    return number % sides;
  }

 private:
  std::string prefix_;
  std::size_t rolled_ = 0;
};

bool is_phrase(std::size_t canary) { return canary % 2 == 0; }

std::vector<std::string> draw(Dice& dice, bool phrase) {
  std::vector<std::string> words;
  if (phrase) {
    for (std::size_t i = 0; i < kPhraseWords; ++i) {
      words.emplace_back(kWords[dice.roll(kWords.size())]);
    }
  } else {
    words.push_back(std::to_string(200 + dice.roll(800)));  // as telephone numbers begin
    words.push_back(std::to_string(200 + dice.roll(800)));
    words.push_back(std::to_string(1000 + dice.roll(9000)));
  }
  return words;
}

using Secret = std::vector<std::string>;

struct Secrets {
  std::vector<Secret> own;                        // by canary
  std::vector<std::vector<Secret>> alternatives;  // likewise
};

// All are different: a draw that is there already is drawn again.
Secrets secrets_of(const CanaryKey& key, bool with_alternatives) {
  std::set<Secret> drawn;
  const auto fresh = [&](std::string_view what, std::size_t canary, std::size_t which) {
    Dice dice(key.seed, what, canary, which);
    Secret secret = draw(dice, is_phrase(canary));
    while (!drawn.insert(secret).second) secret = draw(dice, is_phrase(canary));
    return secret;
  };
  Secrets all;
  for (std::size_t i = 0; i < key.count; ++i) all.own.push_back(fresh("secret", i, 0));
  if (!with_alternatives) return all;
  for (std::size_t i = 0; i < key.count; ++i) {
    auto& others = all.alternatives.emplace_back();
    for (std::size_t j = 0; j < kCanaryAlternatives; ++j) others.push_back(fresh("alternative", i, j));
  }
  return all;
}

std::size_t words_in(std::string_view text) {
  std::vector<std::string> words;
  text::Analyzer::plain().terms(text, words);
  return words.size();
}

std::uint64_t gram_of(std::span<const std::string> words) {
  std::string gram;
  for (const std::string& word : words) gram.append(word).push_back('\0');  // no term has a NUL
  return hash_bytes(gram);
}

// The most words of the secret in a row that stand in a row in one text.
std::size_t longest_of(const Secret& secret, const std::unordered_map<std::uint64_t, bool>& seen) {
  for (std::size_t n = secret.size(); n > 0; --n) {
    for (std::size_t i = 0; i + n <= secret.size(); ++i) {
      const auto found = seen.find(gram_of(std::span(secret).subspan(i, n)));
      if (found != seen.end() && found->second) return n;
    }
  }
  return 0;
}

}  // namespace

std::vector<Canary> make_canaries(const CanaryKey& key) {
  const Secrets secrets = secrets_of(key, false);
  std::vector<Canary> canaries;
  for (std::size_t i = 0; i < key.count; ++i) {
    Dice dice(key.seed, "text", i, 0);
    const bool phrase = is_phrase(i);
    const Secret& secret = secrets.own[i];
    const auto& sentences = phrase ? kPhraseSentences : kNumberSentences;
    const std::string sentence =
        fmt::format(fmt::runtime(sentences[dice.roll(sentences.size())]), fmt::join(secret, phrase ? " " : "-"));
    std::string text(kFiller[dice.roll(kFiller.size())]);
    text += ' ' + sentence;
    for (std::size_t at = dice.roll(kFiller.size()); words_in(text) < key.words; ++at) {
      text.append(" ").append(kFiller[at % kFiller.size()]);
    }
    const std::string own = to_hex(sha256(fmt::format("{}\n{}", key.seed, i)).substr(0, 4));
    canaries.push_back({fmt::format("canary-{:04}-{}", i + 1, own), phrase ? "phrase" : "number", secret, text});
  }
  return canaries;
}

struct CanarySearch::State {
  std::vector<Canary> canaries;
  Secrets secrets;
  std::unordered_map<std::uint64_t, bool> seen;  // runs of words of any secret: whether a text has them
  std::vector<std::string> words;
};

CanarySearch::CanarySearch(const CanaryKey& key) : state_(std::make_unique<State>()) {
  state_->canaries = make_canaries(key);
  state_->secrets = secrets_of(key, true);
  const auto add = [&](const Secret& secret) {
    for (std::size_t i = 0; i < secret.size(); ++i) {
      for (std::size_t n = 1; i + n <= secret.size(); ++n) {
        state_->seen.emplace(gram_of(std::span(secret).subspan(i, n)), false);
      }
    }
  };
  for (const Secret& secret : state_->secrets.own) add(secret);
  for (const auto& others : state_->secrets.alternatives) {
    for (const Secret& secret : others) add(secret);
  }
}

CanarySearch::~CanarySearch() = default;

void CanarySearch::read(std::string_view text) {
  std::vector<std::string>& words = state_->words;
  text::Analyzer::plain().terms(text, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t n = 1; n <= kPhraseWords && i + n <= words.size(); ++n) {
      const auto found = state_->seen.find(gram_of(std::span(words).subspan(i, n)));
      if (found == state_->seen.end()) break;  // nor is a longer run one that a secret has
      found->second = true;
    }
  }
}

std::vector<CanaryFound> CanarySearch::found() const {
  std::vector<CanaryFound> all;
  for (std::size_t i = 0; i < state_->canaries.size(); ++i) {
    const Canary& canary = state_->canaries[i];
    CanaryFound one{canary.id, canary.kind, canary.secret.size(), longest_of(canary.secret, state_->seen)};
    std::size_t ahead = 0, level = 0;
    for (const Secret& other : state_->secrets.alternatives[i]) {
      const std::size_t longest = longest_of(other, state_->seen);
      ahead += longest > one.longest ? 1 : 0;
      level += longest == one.longest ? 1 : 0;
    }
    one.rank = 1 + static_cast<double>(ahead) + static_cast<double>(level) / 2;
    one.exposure = std::log2(static_cast<double>(kCanaryAlternatives + 1)) - std::log2(one.rank);
    all.push_back(std::move(one));
  }
  return all;
}

double chance_exposure() {
  double sum = 0;
  constexpr std::size_t kAll = kCanaryAlternatives + 1;
  for (std::size_t rank = 1; rank <= kAll; ++rank) {
    sum += std::log2(static_cast<double>(kAll)) - std::log2(static_cast<double>(rank));
  }
  return sum / static_cast<double>(kAll);
}

}  // namespace residue::query
