#include "verbs/bring_in/asking.h"

#include "verbs/withdrawing.h"

namespace residue::verbs {

model::AskSession session_of(const AskingOptions& options) {
  model::AskSession session;
  session.budget.max_calls = options.max_calls;
  session.budget.max_cost = options.max_cost;
  session.options.no_repeat = options.no_repeat;
  session.options.interrupted = options.interrupted;
  session.options.progress = options.progress;
  session.options.withdraw = withdrawing();
  session.options.silence = options.silence;
  return session;
}

ingest::IngestOptions storing(const AskingOptions& options, bool asks) {
  ingest::IngestOptions how;
  how.interrupted = options.interrupted;
  if (!asks) how.progress = options.progress;
  return how;
}

}  // namespace residue::verbs
