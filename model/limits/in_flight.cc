#include "model/limits/in_flight.h"

#include <atomic>

namespace residue::model {
namespace {

std::atomic<std::size_t> in_flight = 0;
std::atomic<std::int64_t> grace = 60'000;
static_assert(std::atomic<std::size_t>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

}  // namespace

std::size_t requests_in_flight() noexcept { return in_flight.load(); }

std::int64_t flight_grace_ms() noexcept { return grace.load(); }

void set_flight_grace_ms(std::int64_t grace_ms) noexcept { grace.store(grace_ms); }

void FlightCount::set(std::size_t count) noexcept {
  in_flight += count - count_;  // wraps round, and back
  count_ = count;
}

}  // namespace residue::model
