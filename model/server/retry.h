// What to do about a reply: pure decisions, apart from sockets and clocks.
//
//   delivery, status, error ── decide ──> read it | repeat it | wait | stop
//
// Reliability notes, section 5.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/server/http_client.h"

namespace residue::model {

using Millis = std::chrono::milliseconds;

enum class Action : std::uint8_t {
  kRead,    // an answer: save it, then look at it
  kRepeat,  // this request failed: again after a while, a limited number of times
  kWait,    // the server did not work on it, is not ready or wants fewer requests: it costs no try
  kSkip,    // this prompt is refused, and others need not be: it is not sent again
  kStop,    // no request can succeed: stop the run
};

// What the body of an error says, as far as it matters here.
enum class Trouble : std::uint8_t { kNone, kQuota, kLoading, kLength, kFilter };
Trouble trouble_of(std::string_view body);

// Why the server refuses this prompt alone, as the ledger has it.
inline constexpr char kTooLongThere[] = "its server says that the prompt is too long";
inline constexpr char kFiltered[] = "its server's filter refuses the prompt";

struct Outcome {
  Delivery delivery = Delivery::kAnswered;
  int status = 200;
  Trouble trouble = Trouble::kNone;
  std::optional<std::int64_t> retry_after_s;
  bool untouched = false;  // the server certainly did not work on it
};

struct Decision {
  Action action = Action::kRead;
  Millis wait{0};         // of this request
  bool overload = false;  // fewer at once from now on
  Millis told{0};         // the server asks to wait so long with all requests; 0: it did not say

  friend bool operator==(const Decision&, const Decision&) = default;
};

struct RetryPolicy {
  Millis base{1'000};
  Millis cap{60'000};
  Millis longest_retry_after{600'000};
  std::uint32_t tries = 8;     // of a request that fails
  std::uint32_t unusable = 3;  // answers that cannot be used, of one request
  Millis patience{900'000};    // without any answer, then the run stops (outage.h)
};

// `tries`: how often this request has failed before. `draw` in [0, 1): full jitter.
Decision decide(const Outcome& outcome, std::uint32_t tries, const RetryPolicy& policy, double draw);

// How many requests to have in flight: one more per round of successes, a fifth less where the server is overloaded.
class Concurrency {
 public:
  explicit Concurrency(std::optional<std::uint32_t> fixed);
  [[nodiscard]] std::size_t limit() const { return static_cast<std::size_t>(limit_); }
  void succeeded();
  // Requests that were in flight together complain together: only one of them counts.
  void overloaded(std::int64_t now_ms);

 private:
  static constexpr double kStart = 8, kMost = 64;
  bool fixed_ = false;
  double limit_ = kStart;
  std::int64_t calm_until_ms_ = 0;
};

}  // namespace residue::model
