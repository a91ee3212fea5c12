#include "cli/print/interrupt.h"

namespace residue::cli {
namespace {

std::atomic<bool> interrupt = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

}  // namespace

bool interrupted() { return interrupt.load(std::memory_order_relaxed); }

std::atomic<bool>& interrupt_flag() { return interrupt; }

}  // namespace residue::cli
