// An endpoint that fails: all that waits for it pauses, then one request at a time tries whether it works again.
//
//   failure ─> pause ─> one request ─┬─> failure: a longer pause; after patience without an answer, the end
//                                    └─> answer: as before
//
// Pure: whoever asks says what time it is.
#pragma once

#include <cstdint>

#include "model/server/retry.h"

namespace residue::model {

class Outage {
 public:
  explicit Outage(const RetryPolicy& policy) : policy_(policy) {}

  // An answer came, whenever it was asked for: the endpoint works. What the server has asked to wait is waited.
  void succeeded();

  // A request failed that was sent at `sent_ms`. Those that were in flight together fail together: a pause grows only
  // by a request that was sent after it. `told`: how long the server asks to wait; 0: it did not say. `draw` in [0, 1).
  void failed(std::int64_t sent_ms, std::int64_t now_ms, Millis told, double draw);

  [[nodiscard]] bool going_on() const { return pauses_ > 0; }
  [[nodiscard]] std::uint32_t pauses() const { return pauses_; }  // since the last answer
  [[nodiscard]] std::int64_t paused_until_ms() const;

  // No answer for as long as the policy is patient, however many questions there are.
  [[nodiscard]] bool hopeless(std::int64_t now_ms) const;

  [[nodiscard]] std::uint64_t successes() const { return successes_; }

 private:
  RetryPolicy policy_;
  std::uint32_t pauses_ = 0;
  std::int64_t since_ms_ = 0;        // of the first failure after the last answer
  std::int64_t pause_from_ms_ = 0;   // of the newest pause
  std::int64_t pause_until_ms_ = 0;  // of our own
  std::int64_t told_until_ms_ = 0;   // as the server asked
  std::uint64_t successes_ = 0;
};

}  // namespace residue::model
