// Whether somebody asked the program to stop, and that it then stops.
//
//   SIGINT, SIGTERM, SIGHUP ── first ──> interrupted(): whoever looks stops in order, within a second
//                                        nobody looked: the process ends all the same
//                           └─ second ─> the process ends at once
//
// Ending at any point loses nothing that was acknowledged (docs/reliability.md), so nothing has to be asked first; what
// is paid for and still on its way (model/limits/in_flight.h) is waited for, 60 s, after SIGTERM 20 s.
#pragma once

#include <sys/types.h>

namespace residue::cli {

// True once a signal came: stop soon, keep what is done, exit with interrupt_code().
bool interrupted();

// From here on SIGINT ends what is being done and not the program: interrupted() is true until forget_interrupt().
void keep_interrupts();
void forget_interrupt();

// Whether a signal came that ends the program all the same.
bool must_end();

// 128 and the number of the signal, as shells count; 130 where none came.
int interrupt_code();

// From here on signals do what is said above. May be called again.
void watch_signals();

// For a process that only waits for its child: the child gets the signals, too, and says what there is to say.
void pass_signals_to(pid_t child);

// For that child: the signals that its parent passes on are copies of those that a terminal sends to both.
void expect_signals_of(pid_t parent);

}  // namespace residue::cli
