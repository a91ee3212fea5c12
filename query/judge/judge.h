// Judging: does a passage support a claim?
//
//   passage, its claims ── Request ──> Judge::rate ──> Rating per claim ──> judgments
//
// FSP section 2 and appendix G.4. The scale everywhere: 1 same, 2 similar, 3 unsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue::query {

// One passage with the claims to hold against it. A batch groups its pairs by passage, so that a judge prepares each
// passage once; to a judge of several claims per request it is one request, whole. The views live as long as the caller
// says; a judge keeps none of them.
struct Request {
  std::string_view passage;
  std::vector<std::string_view> claims;
};

struct Rating {
  std::uint8_t rating = 3;  // 1 same, 2 similar, 3 unsupported.
  double score = 0;         // How well supported, 0 to 1; comparable within one judge only.

  friend bool operator==(const Rating&, const Rating&) = default;
};

// Why a claim was rated as it was, for people.
struct Explanation {
  std::uint8_t rating = 3;
  double score = 0;
  std::size_t window_begin = 0;  // Evidence window: bytes [window_begin, window_end) of the passage, empty if none.
  std::size_t window_end = 0;
  std::vector<std::string> unsupported;       // Words of the claim that the window lacks, in claim order, as written.
  std::vector<std::string> number_conflicts;  // Numbers of the claim that the passage lacks or uses otherwise.
  std::vector<std::string> rivals;            // Words of the claim of which the passage has the opposite: left, right.
  std::vector<std::string> contested;         // Words of the claim in whose place it has another of their kind.
  std::vector<std::string> general;           // Words of the claim of which it has something more general at best.
  bool negation_conflict = false;             // Claim and window say the opposite of each other.
  bool stranger_conflict = false;             // The window says it of a relative, the claim does not.
  std::vector<std::pair<std::string, double>> features;
  std::string sentence;  // All of it in one English sentence. Quotes the claim: for the screen, never for a log.
};

// Does a passage tell its judge what to say? kUnchecked: nobody looked, as with embedded judges, which follow no
// instructions; kFailed: no usable answer could be had.
enum class Trust : std::uint8_t { kUnchecked, kFine, kFailed, kSuspect };  // of several the last counts

// A versioned way to rate. Immutable and usable from several threads at once.
class Judge {
 public:
  virtual ~Judge() = default;

  // 'lexical', 'lexical-wordnet', 'rouge'.
  [[nodiscard]] virtual const std::string& name() const = 0;

  // Everything that a rating depends on besides the two texts, as canonical JSON (keys sorted, no spaces): its SHA-256
  // is the judge's identity, so whatever changes a rating must change this text. Has "judge" and "claims_per_request".
  [[nodiscard]] virtual const std::string& spec() const = 0;

  // Computed here, without a network: a rating can be had again at any time.
  [[nodiscard]] virtual bool embedded() const = 0;

  // At most so many claims are put to it together. 1: a rating depends on its own pair of texts alone. More: on all
  // claims of its request and their order, and what is called a request below is one as query/requests.h cuts them.
  [[nodiscard]] virtual std::size_t claims_per_request() const { return 1; }

  // False: it is not there to be asked, what it has not rated is missing. True: what it has no rating of has failed.
  [[nodiscard]] virtual bool answers() const { return true; }

  // Per request, per claim, in the order given; nothing where no valid rating could be had (an embedded judge:
  // only for a claim without any visible character, which asserts nothing, and for a text in a script that it cannot
  // read). A rating of an embedded judge depends on its own
  // pair of texts alone.
  [[nodiscard]] virtual std::vector<std::vector<std::optional<Rating>>> rate(
      std::span<const Request> requests) const = 0;

  // Of a passage of which these claims were rated.
  [[nodiscard]] virtual Trust trust(const Request& /*request*/) const { return Trust::kUnchecked; }

  // The same rating as rate() gives, with its reasons. A blank claim explains itself with rating 3.
  [[nodiscard]] virtual Explanation explain(std::string_view passage, std::string_view claim) const = 0;

  // The same of a claim of a request, by its place in it.
  [[nodiscard]] virtual Explanation explain_in(const Request& request, std::size_t claim) const {
    return explain(request.passage, request.claims[claim]);
  }
};

// Names that make_judge() knows, in the order of preference.
std::span<const std::string_view> judge_names();

// The lexical judge with WordNet, which has to be installed.
inline constexpr std::string_view kLexicalWordNet = "lexical-wordnet";

// Throws Error{not found} naming the judges that exist, or what must be installed first.
std::unique_ptr<Judge> make_judge(std::string_view name);

// As make_judge, but null where the name is none of those or what the judge needs is not installed.
std::unique_ptr<Judge> installed_judge(std::string_view name);

}  // namespace residue::query
