// Requests that are on their way, counted for whoever ends this process: what is paid for is waited for, but not for
// ever.
#pragma once

#include <cstddef>
#include <cstdint>

namespace residue::model {

// How many requests of this process have no reply yet. A signal handler may call it.
[[nodiscard]] std::size_t requests_in_flight() noexcept;

// How long they are waited for once asking has to stop: 60 s, unless a signal handler set less.
[[nodiscard]] std::int64_t flight_grace_ms() noexcept;
void set_flight_grace_ms(std::int64_t grace_ms) noexcept;

// What one run of asking has on its way; nothing at the end of its scope.
class FlightCount {
 public:
  FlightCount() = default;
  ~FlightCount() { set(0); }
  FlightCount(const FlightCount&) = delete;
  FlightCount& operator=(const FlightCount&) = delete;

  void set(std::size_t count) noexcept;

 private:
  std::size_t count_ = 0;
};

}  // namespace residue::model
