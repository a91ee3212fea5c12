#include "model/probe/probe_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "model/limits/read_whole.h"
#include "model/limits/spending.h"
#include "model/probe/prober.h"
#include "model/tasks/claim_support.h"

namespace residue::model {
namespace {

constexpr double kTokensPerWord = 1.5;       // of these passages, with room
constexpr std::uint64_t kSearched = 5;       // passages between the last that was read and the first that was not
constexpr double kFewerTokens = 0.85;        // for a word than in the shortest passage: cut
constexpr std::int64_t kInstructions = 700;  // tokens

constexpr std::array<std::string_view, 8> kNames = {"Ann",   "Boris", "Clara", "Dimitri",
                                                    "Elena", "Farid", "Greta", "Hugo"};
constexpr std::array<std::string_view, 8> kThings = {"clocks",  "lamps",   "chairs", "stamps",
                                                     "kettles", "violins", "maps",   "ladders"};
constexpr std::array<std::string_view, 8> kPlaces = {"by the river",      "behind the mill", "in the old market",
                                                     "near the harbour",  "on the hill",     "beside the station",
                                                     "at the crossroads", "under the bridge"};

std::uint64_t words_of(std::string_view text) { return least_tokens(text); }

// Invented, and another each time: no cache knows it, and nobody can guess the two numbers.
class Passages {
 public:
  Passages() : random_(std::random_device{}()), north_(number()), south_(number()) {}

  [[nodiscard]] std::string claim() const { return north() + " " + south(); }
  // Says that the second number is another one.
  [[nodiscard]] std::string false_claim() const {
    return north() + " " + gate("south", south_ == 9'999 ? 1'000 : south_ + 1);
  }

  std::string passage(std::uint64_t words) {
    std::string text = north();
    std::uint64_t count = words_of(text) + words_of(south());
    while (count < words) {
      const std::string sentence =
          fmt::format(" {} has {} {} in the house {}.", pick(kNames), number(), pick(kThings), pick(kPlaces));
      count += words_of(sentence);
      text += sentence;
    }
    return text + " " + south();
  }

 private:
  static std::string gate(std::string_view which, int number) {
    return fmt::format("The key of the {} gate has the number {}.", which, number);
  }
  [[nodiscard]] std::string north() const { return gate("north", north_); }
  [[nodiscard]] std::string south() const { return gate("south", south_); }
  int number() { return std::uniform_int_distribution<int>(1'000, 9'999)(random_); }
  std::string_view pick(std::span<const std::string_view> from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random_)];
  }

  std::mt19937_64 random_;
  int north_, south_;
};

class LengthProber {
 public:
  LengthProber(storage::Store& store, const Endpoint& endpoint) : prober_(store, endpoint), endpoint_(endpoint) {}

  LengthProbe run(std::uint64_t most) {
    std::uint64_t next = std::min(kFirstWords, most), too_many = 0;
    if (!tells_facts(next)) return std::move(result_);
    while (too_many == 0 && next > 0) {
      const Read read = try_words(next);
      if (read == Read::kUnknown) return std::move(result_);
      if (read == Read::kPart) too_many = next;
      next = next == most ? 0 : std::min(2 * next, most);
    }
    if (too_many == 0) {
      tell(true, fmt::format("{} words are read whole; longer passages were not tried", result_.read));
      return std::move(result_);
    }
    for (std::uint64_t i = 0; i < kSearched; ++i) {
      const std::uint64_t middle = (result_.read + too_many) / 2;
      const Read read = try_words(middle);
      if (read == Read::kUnknown) return std::move(result_);
      if (read == Read::kPart) too_many = middle;
    }
    if (result_.read == 0) {
      tell(false, fmt::format("not even {} words are read whole", too_many));
    } else {
      result_.longest_prompt = prompt_;
      tell(true, fmt::format("{} words are read whole, {} are not", result_.read, too_many));
    }
    return std::move(result_);
  }

 private:
  enum class Read { kWhole, kPart, kUnknown };

  void tell(bool works, std::string found) {
    Probe probe;
    probe.tried = "longest";
    probe.works = works;
    probe.found = std::move(found);
    result_.probes.push_back(std::move(probe));
  }

  // A model that says of any claim that it is in the passage shows nothing by saying so.
  bool tells_facts(std::uint64_t words) {
    const std::string claim = passages_.false_claim();
    Probe probe = ask("a fact that is not there", words, claim);
    const auto rating = rating_of(probe);
    probe.works = rating && *rating > 1;
    if (rating) probe.found = probe.works ? "not found" : "found: its answers do not show what it has read";
    const bool works = probe.works;
    result_.probes.push_back(std::move(probe));
    return works;
  }

  Probe ask(const std::string& tried, std::uint64_t words, const std::string& claim) {
    const std::string_view view = claim;
    const Json body = prober_.body(endpoint_.asking.form, passages_.passage(words), std::span(&view, 1));
    least_ = static_cast<std::int64_t>(least_tokens_of(body.dump()));
    return prober_.send(tried, body);
  }

  std::optional<int> rating_of(const Probe& probe) const {
    if (!probe.works) return std::nullopt;
    const SupportAnswer answer = parse_support(prober_.content(), 1, endpoint_.asking.form);
    if (answer.ratings.empty()) return std::nullopt;
    return answer.ratings.front();
  }

  // Fewer tokens than the prompt must have, or than the shortest passage had for each of its words.
  [[nodiscard]] std::optional<std::string> counted_too_few() {
    const auto counted = prober_.reading().tokens_read;
    if (!endpoint_.transport.counts_prompts || !counted || *counted < kLeastContext) return std::nullopt;
    const double rate = static_cast<double>(*counted) / static_cast<double>(least_);
    if (rate_ == 0) rate_ = rate;
    if (unread(static_cast<std::uint64_t>(least_), counted).empty() && rate >= kFewerTokens * rate_)
      return std::nullopt;
    return fmt::format("its server counted {} tokens, too few", *counted);
  }

  Read try_words(std::uint64_t words) {
    Probe probe = ask(fmt::format("{} words", words), words, passages_.claim());
    Read read = Read::kUnknown;
    if (const auto rating = rating_of(probe)) {
      const auto few = counted_too_few();
      read = *rating == 1 && !few ? Read::kWhole : Read::kPart;
      const auto counted = prober_.reading().tokens_read;
      probe.found = few                   ? *few
                    : read == Read::kPart ? "a fact at its beginning or its end was not seen"
                    : counted             ? fmt::format("read whole, {} tokens", *counted)
                                          : "read whole";
    } else if (probe.status == 400 || probe.status == 413 || probe.status == 422 || probe.works) {
      read = Read::kPart;  // refused as too long, or answered with what is no answer to the question
    }
    probe.works = read == Read::kWhole;
    result_.probes.push_back(std::move(probe));
    if (read == Read::kWhole) {
      result_.read = words;
      prompt_ = least_;
    }
    return read;
  }

  Prober prober_;
  const Endpoint& endpoint_;
  Passages passages_;
  LengthProbe result_;
  double rate_ = 0;
  std::int64_t least_ = 0, prompt_ = 0;  // of the last prompt; of the longest that was read whole
};

}  // namespace

LengthCost most_length_cost(const Endpoint& endpoint, std::uint64_t words) {
  // The first passage twice, doubled ones, and those in between where the longest was not read.
  std::uint64_t sum = std::min(kFirstWords, words), requests = 1 + kSearched;
  for (std::uint64_t next = std::min(kFirstWords, words); next > 0;
       next = next == words ? 0 : std::min(2 * next, words)) {
    sum += next;
    ++requests;
  }
  sum += kSearched * words;
  LengthCost cost;
  cost.tokens = static_cast<std::uint64_t>(static_cast<double>(sum) * kTokensPerWord) +
                static_cast<std::uint64_t>(kInstructions) * requests;
  const double answers = static_cast<double>(most_answer_tokens(endpoint).value_or(0)) * static_cast<double>(requests);
  cost.usd = price(endpoint, static_cast<double>(cost.tokens), answers);
  return cost;
}

LengthProbe probe_length(storage::Store& store, const Endpoint& endpoint, std::uint64_t words) {
  return LengthProber(store, endpoint).run(words);
}

}  // namespace residue::model
